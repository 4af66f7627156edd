#include "php/sockets/tcp_dispatch.h"

#include "php/sockets/tcp_connection_class.h"
#include "php/worker/dispatch.h"
#include "php/worker/handler_calls.h"

namespace sluice::php {

namespace {

uint32_t tcp_arguments(Worker& worker, const Inbound& message, zval* arguments, zend_string*& payload) {
    ZVAL_OBJ(&arguments[0], new_tcp_connection(message.connection));
    if (!message.is<inbound::Message>()) return 1;
    ZVAL_STR(&arguments[1], payload = worker.strings.take(message));
    return 2;
}

bool dispatch_tcp(Worker& worker, const Endpoint& endpoint, Handling& handling) {
    return call_with_event(worker, endpoint.handler, handling.message, tcp_arguments, "a TCP handler");
}

}  // namespace

void init_tcp_dispatch() {
    dispatch_by(EndpointKind::kTcp, dispatch_tcp);
}

}  // namespace sluice::php
