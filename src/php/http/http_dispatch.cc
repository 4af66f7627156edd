#include "php/http/http_dispatch.h"

#include <bit>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/current_scope.h"
#include "php/coroutine/current_trace.h"
#include "php/http/classic_request.h"
#include "php/http/request_class.h"
#include "php/http/request_notes.h"
#include "php/http/request_object.h"
#include "php/http/request_processes.h"
#include "php/http/response_class.h"
#include "php/http/script_request.h"
#include "php/http/trace_class.h"
#include "php/worker/dispatch.h"
#include "php/worker/handler_calls.h"
#include "php/worker/observers.h"
#include "php/zend/errors.h"
#include "php/zend/exceptions.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

/// Answers a client's error (BadRequest): nothing is logged.
void refuse_bad_request(zend_object* response) {
    zval room;
    zval* message = zend_read_property(zend_ce_exception, EG(exception), ZEND_STRL("message"), true, &room);
    zend_string* detail =
        Z_TYPE_P(message) == IS_STRING ? zend_string_copy(Z_STR_P(message)) : ZSTR_EMPTY_ALLOC();
    zend_clear_exception();
    fail_response(response, 400, view(detail));
    zend_string_release(detail);
}

/// The status for an uncaught exception.
uint16_t status_of(zend_object* exception) {
    if (exception->ce != server_exception_class) return 500;
    zval room;
    zval* code = zend_read_property(zend_ce_exception, exception, ZEND_STRL("code"), true, &room);
    const zend_long status = Z_TYPE_P(code) == IS_LONG ? Z_LVAL_P(code) : 0;
    return status == 413 || status == 503 ? static_cast<uint16_t>(status) : 500;
}

/// Ends a request after CancelledError, which is no error of the application. If the client has only closed
/// its side, it gets an answer.
void end_cancelled_request(Handling& handling) {
    zend_clear_exception();
    if (!EG(exception)) fail_response(handling.response, 503, "the client has closed its connection");
}

/// False when the script called exit(). A cancellation comes too late to matter.
bool tell_of_response(Worker& worker, zval* arguments, uint64_t begun_us) {
    if (!worker.observers || worker.observers->on_response.empty()) return true;
    zval with_time[3];
    ZVAL_COPY_VALUE(&with_time[0], &arguments[0]);
    ZVAL_COPY_VALUE(&with_time[1], &arguments[1]);
    ZVAL_DOUBLE(&with_time[2], static_cast<double>(monotonic_us() - begun_us) / 1e6);
    tell(worker, worker.observers->on_response, 3, with_time, "an onResponse callback");
    if (EG(exception) && !is_exit(EG(exception))) zend_clear_exception();
    return check_exception(worker, "an onResponse callback");
}

void tell_of_lost_body() {
    static uint64_t lost = 0;
    if (std::has_single_bit(++lost)) {
        SLUICE_WARNING(
            "a request was refused: no descriptor is left for its body (raise the limit of open files); %llu "
            "so far",
            static_cast<unsigned long long>(lost));
    }
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
        tell_of_lost_body();
        refuse(worker, message);
        return true;
    }
    begin_request_notes(worker);
    const bool has_link = endpoint.spec.processes > 0 && !worker.identity.is_request_process;
    const bool is_apart = has_link && !endpoint.spec.runs_scripts;
    RequestLink* const link = UNEXPECTED(has_link) ? link_for(message) : nullptr;
    zend_string* body = worker.strings.take(message);
    zval arguments[2];
    ZVAL_OBJ(&arguments[0], new_request(message, body));
    ZVAL_OBJ(&arguments[1], new_response(message, head_of_request(Z_OBJ(arguments[0])), &handler));
    handling.response = Z_OBJ(arguments[1]);
    handling.abandon = abandon_response;
    handling.cancelled = false;
    const uint64_t begun_us = monotonic_us();
    const CoroutineScope before = begin_call(nullptr);
    const HandledRequest occasion("an HTTP handler", Z_OBJ(arguments[0]), handling.message);
    begin_trace(occasion);
    WorkerPort* const port = MessageStrings::is_in_place(message, body) ? worker.port.get() : nullptr;
    const EndpointSpec& spec = endpoint.spec;
    HandlerTurn turn(worker.turns);
    HandlerTurn process_turn(worker.turns);
    bool has_turns = turn.take(spec.concurrency_of, spec.concurrency, occasion, port, handling.message);
    if (UNEXPECTED(is_apart) && has_turns) {
        const size_t share = HandlerTurns::share_of_processes(spec.processes_of);
        has_turns = process_turn.take(share, spec.processes, occasion, port, handling.message);
    }
    // A request's coroutine begins with it, and waits for nothing but a turn.
    const uint64_t runs_us = spec.concurrency || is_apart ? monotonic_us() : begun_us;
    if (has_turns && !is_apart) tell_of_request(worker, occasion, &arguments[0]);
    if (UNEXPECTED(is_apart)) {
        if (!EG(exception)) handle_in_process(worker, endpoint, Z_OBJ(arguments[1]), *link);
    } else if (!EG(exception)) {
        ScriptRequest script{link, &spec, &occasion, port, &handling.message};
        if (UNEXPECTED(link)) embedded<RequestObject>(Z_OBJ(arguments[0]))->script = &script;
        const auto call = [&] { call_handler_in_scope(worker, occasion, handler.message, 2, arguments); };
        if (UNEXPECTED(endpoint.spec.classic)) {
            run_classic(Z_OBJ(arguments[0]), Z_OBJ(arguments[1]), nullptr, call);
        } else {
            call();
        }
        embedded<RequestObject>(Z_OBJ(arguments[0]))->script = nullptr;
    }
    if (UNEXPECTED(link)) release_link(link);
    if (current_scope().deferred) run_deferred(current_scope());
    bool goes_on = true;
    if (EG(exception) && EG(exception)->ce == bad_request_class) {
        refuse_bad_request(Z_OBJ(arguments[1]));
    } else if (EG(exception) && handling.cancelled && comes_of_cancellation(EG(exception))) {
        end_cancelled_request(handling);
    } else if (EG(exception)) {
        const uint16_t status = status_of(EG(exception));
        zend_string* const shown = UNEXPECTED(handler.shows_errors) ? describe_exception() : nullptr;
        set_request_of_exception(&arguments[0]);
        goes_on = check_failure(worker, occasion.name().text(), [&] {
            fail_response(Z_OBJ(arguments[1]), status, shown ? view(shown) : std::string_view());
        });
        if (shown) zend_string_release(shown);
    } else if (Z_REFCOUNT(arguments[1]) == 1 && is_unanswered(Z_OBJ(arguments[1])) && !is_dying()) {
        refuse_unanswered(Z_OBJ(arguments[1]), handler.message.function);
    }
    const uint32_t since_us = request->waits_since_us;
    const RequestTimes times{runs_us, monotonic_us(),
                             since_us ? static_cast<uint32_t>(runs_us) - since_us : 0};
    worker.port->count_handled(message.endpoint, times.waited_us, times.ended_us - runs_us);
    note_request(worker, handling, Z_OBJ(arguments[0]), times);
    goes_on = goes_on && (is_apart || tell_of_response(worker, arguments, begun_us));
    end_call(before);
    end_trace(trace_scope());
    process_turn.give();
    turn.give();
    handling.response = nullptr;
    zval_ptr_dtor(&arguments[1]);
    zval_ptr_dtor(&arguments[0]);
    worker.strings.settle(message, body);
    return goes_on;
}

}  // namespace

void init_http_dispatch() {
    dispatch_by(EndpointKind::kHttp, dispatch_request);
    log_traces();
}

}  // namespace sluice::php
