#include "php/http/http_dispatch.h"

#include "php/coroutine/cancellation.h"
#include "php/http/request_class.h"
#include "php/http/response_class.h"
#include "php/worker/dispatch.h"
#include "php/worker/handler_calls.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

/// The client's mistake, not the application's: it is told, and nothing is logged.
void refuse_bad_request(zend_object* response) {
    zval room;
    zval* message = zend_read_property(zend_ce_exception, EG(exception), ZEND_STRL("message"), true, &room);
    smart_str text = {};
    if (Z_TYPE_P(message) == IS_STRING) smart_str_append(&text, Z_STR_P(message));
    smart_str_appendc(&text, '\n');
    smart_str_0(&text);
    zend_clear_exception();
    fail_response(response, 400, view(text.s));
    smart_str_free(&text);
}

/// Nobody waits for what it would have said, and nothing is wrong with the application. The client may only
/// have closed its side: then it is told.
void end_cancelled_request(Handling& handling) {
    zend_clear_exception();
    if (!EG(exception))
        fail_response(handling.response, 503, "Cancelled: the client has closed its connection\n");
}

bool dispatch_request(Worker& worker, const Endpoint& endpoint, Handling& handling) {
    const Handler& handler = endpoint.handler;
    const Inbound& message = handling.message;
    const auto* request = message.as<inbound::Request>();
    if (!request) {
        drop_payload(worker, message);
        return true;
    }
    if (request->file && request->file.fd < 0) {
        refuse(worker, message);
        return true;
    }
    zend_string* body = worker.slots.take(message);
    zval arguments[2];
    ZVAL_OBJ(&arguments[0], new_request(message, body));
    ZVAL_OBJ(&arguments[1], new_response(message, head_of_request(Z_OBJ(arguments[0])), handler.compression));
    handling.response = Z_OBJ(arguments[1]);
    handling.abandon = abandon_response;
    handling.cancelled = false;
    call_handler(worker, handler.message, 2, arguments);
    bool goes_on = true;
    if (EG(exception) && EG(exception)->ce == bad_request_class) {
        refuse_bad_request(Z_OBJ(arguments[1]));
    } else if (EG(exception) && handling.cancelled && comes_of_cancellation(EG(exception))) {
        end_cancelled_request(handling);
    } else if (EG(exception)) {
        goes_on = check_exception(worker, "an HTTP handler");
        if (goes_on) fail_response(Z_OBJ(arguments[1]), 500, "Internal Server Error\n");
    }
    handling.response = nullptr;
    zval_ptr_dtor(&arguments[1]);
    zval_ptr_dtor(&arguments[0]);
    worker.slots.settle(message, body);
    return goes_on;
}

}  // namespace

void init_http_dispatch() {
    dispatch_by(EndpointKind::kHttp, dispatch_request);
}

}  // namespace sluice::php
