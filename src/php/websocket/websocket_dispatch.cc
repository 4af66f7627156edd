#include "php/websocket/websocket_dispatch.h"

#include "php/coroutine/cancellation.h"
#include "php/http/request_class.h"
#include "php/websocket/handshake_class.h"
#include "php/websocket/websocket_connection_class.h"
#include "php/worker/dispatch.h"
#include "php/worker/handler_calls.h"
#include "php/worker/observers.h"

namespace sluice::php {

namespace {

uint32_t websocket_arguments(Worker& worker, const Inbound& message, zval* arguments, zend_string*& payload) {
    ZVAL_OBJ(&arguments[0], new_websocket_connection(message.connection));
    if (message.is<inbound::Opening>()) {
        ZVAL_OBJ(&arguments[1], new_request(message, zend_empty_string));
        return 2;
    }
    payload = worker.strings.take(message);
    if (const auto* closing = message.as<inbound::Closing>()) {
        ZVAL_LONG(&arguments[1], closing->code);
        ZVAL_STR(&arguments[2], payload);
    } else if (const auto* pong = message.as<inbound::Pong>()) {
        ZVAL_DOUBLE(&arguments[1], pong->round_trip_us / 1e6);
        ZVAL_STR(&arguments[2], payload);
    } else {
        const auto* data = message.as<inbound::Message>();
        ZVAL_STR(&arguments[1], payload);
        ZVAL_BOOL(&arguments[2], data && data->binary);
    }
    return 3;
}

bool dispatch_handshake(Worker& worker, const Endpoint& route, Handling& handling) {
    const Handler& handler = route.handler;
    const Inbound& message = handling.message;
    handling.cancelled = false;
    zval argument;
    ZVAL_OBJ(&argument, new_handshake(message, route.spec));
    // A reload may have removed the handler after the server asked for it.
    const HandledRequest occasion("a WebSocket handshake handler",
                                  Z_OBJ_P(request_of_handshake(Z_OBJ(argument))), message);
    if (handler.handshake) call_handler(worker, occasion, handler.handshake, 1, &argument);
    bool goes_on = true;
    if (EG(exception) && handling.cancelled && comes_of_cancellation(EG(exception))) {
        zend_clear_exception();
        fail_handshake(Z_OBJ(argument), 503, {});
    } else if (EG(exception)) {
        set_request_of_exception(request_of_handshake(Z_OBJ(argument)));
        goes_on =
            check_failure(worker, occasion.name().text(), [&] { fail_handshake(Z_OBJ(argument), 500, {}); });
    } else {
        accept_handshake(Z_OBJ(argument));
    }
    zval_ptr_dtor(&argument);
    return goes_on;
}

bool dispatch_websocket(Worker& worker, const Endpoint& route, Handling& handling) {
    if (handling.message.is<inbound::Request>()) return dispatch_handshake(worker, route, handling);
    return call_with_event(worker, route.handler, handling.message, websocket_arguments,
                           "a WebSocket handler");
}

}  // namespace

void init_websocket_dispatch() {
    dispatch_by(EndpointKind::kWebSocket, dispatch_websocket);
}

}  // namespace sluice::php
