#include "php/worker/observers.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/current_scope.h"
#include "php/worker/handler_calls.h"
#include "php/worker/worker.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

namespace {

const zval* request_of_exception = nullptr;  ///< borrowed, until the exception is reported

void tell_of_exception(zend_object* exception) {
    zval arguments[2];
    ZVAL_OBJ(&arguments[0], exception);
    ZVAL_NULL(&arguments[1]);
    // Take it at once: while a callback waits, another coroutine's exception may be logged.
    if (request_of_exception) ZVAL_COPY_VALUE(&arguments[1], request_of_exception);
    request_of_exception = nullptr;
    Worker* worker = current_worker();
    if (!worker || !worker->observers || worker->observers->on_error.empty()) return;
    Z_TRY_ADDREF(arguments[1]);
    tell(*worker, worker->observers->on_error, 2, arguments, "an onError callback");
    zval_ptr_dtor(&arguments[1]);
}

/// After a callback. False with a cancellation or exit(); anything else is logged.
bool may_go_on(const char* where) {
    if (!EG(exception)) return true;
    if (is_exit(EG(exception)) || comes_of_cancellation(EG(exception))) return false;
    return log_exception(where, Telling::kNobody);
}

}  // namespace

void tell(Worker& worker, const std::vector<Callback>& callbacks, uint32_t count, zval* arguments,
          const char* where) {
    for (size_t index = 0; index < callbacks.size(); ++index) {
        ++worker.handlers;
        call(callbacks[index], count, arguments, current_scope().context);
        --worker.handlers;
        if (!may_go_on(where)) return;
    }
}

void tell_of_request(Worker& worker, const Occasion& occasion, zval* request) {
    if (!worker.observers) return;
    const std::vector<Callback>& callbacks = worker.observers->on_request;
    for (size_t index = 0; index < callbacks.size(); ++index) {
        call_handler_in_scope(worker, occasion, callbacks[index], 1, request);
        if (!may_go_on("an onRequest callback")) return;
    }
}

void tell_of_logged_exceptions() {
    when_exception_is_logged = tell_of_exception;
}

void set_request_of_exception(const zval* request) {
    request_of_exception = request;
}

}  // namespace sluice::php
