#include "php/worker/dispatch.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/http/body_source.h"
#include "php/http/request_class.h"
#include "php/http/response_class.h"
#include "php/sockets/tcp_connection_class.h"
#include "php/sockets/udp_peer_class.h"
#include "php/websocket/handshake_class.h"
#include "php/websocket/websocket_connection_class.h"
#include "php/zend/errors.h"
#include "php/zend/exceptions.h"
#include "protocol/websocket/websocket_frame.h"

namespace sluice::php {

namespace {

/// nullptr when this boot of the script has no such endpoint.
const Handler* handler_for(const Worker& worker, const ServerSetup& setup, uint16_t endpoint,
                           const EndpointSpec*& spec) {
    if (endpoint >= worker.identity.endpoint_index.size()) return nullptr;
    const int index = worker.identity.endpoint_index[endpoint];
    if (index < 0 || static_cast<size_t>(index) >= setup.handlers.size()) return nullptr;
    spec = &setup.config.endpoints[static_cast<size_t>(index)];
    return &setup.handlers[static_cast<size_t>(index)];
}

/// Messages of a connection are handled one after the other; requests and datagrams as they come.
bool comes_in_order(const Inbound& message) {
    return message.kind != InboundKind::kRequest && message.kind != InboundKind::kDatagram;
}

void close_connection(Worker& worker, const Inbound& message, uint16_t code) {
    Command command;
    command.kind = CommandKind::kClose;
    command.connection = message.connection;
    command.request = message.request;
    command.code = code;
    worker.port->submit(command);
}

/// Counts the handler, which a fatal error leaves counted.
void call_handler(Worker& worker, const Callback& callback, uint32_t count, zval* arguments) {
    ++worker.handlers;
    call(callback, count, arguments);
    --worker.handlers;
}

/// After a call: false when the script called exit().
bool check_exception(Worker& worker, const char* where) {
    if (!EG(exception) || log_exception(where)) return true;
    worker.exited = true;
    return false;
}

/// A message that nobody wants: gives back what it holds.
void drop_payload(Worker& worker, const Inbound& message) {
    drop_file(message);
    zend_string* payload = worker.slots.take(message);
    zend_string_release(payload);
    worker.slots.settle(message, payload);
}

/// A connection that came by an endpoint which this boot of the script does not have any more, or a
/// body for whose file this process has no descriptor left.
void refuse(Worker& worker, const Inbound& message) {
    drop_payload(worker, message);
    if (message.kind == InboundKind::kRequest) {
        Command command;
        command.kind = CommandKind::kRespond;
        command.connection = message.connection;
        command.request = message.request;
        command.code = 503;
        command.head = "Content-Type: text/plain; charset=utf-8\r\n";
        command.body = "Service Unavailable\n";
        worker.port->submit(command);
    } else if (message.kind != InboundKind::kClose && message.kind != InboundKind::kDatagram) {
        close_connection(worker, message, websocket::close_code::kServiceRestart);
    }
}

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

bool dispatch_request(Worker& worker, const Handler& handler, Handling& handling) {
    const Inbound& message = handling.message;
    if (message.kind != InboundKind::kRequest) {
        drop_payload(worker, message);
        return true;
    }
    if (message.file_bytes && message.file < 0) {
        refuse(worker, message);
        return true;
    }
    zend_string* body = worker.slots.take(message);
    zval arguments[2];
    ZVAL_OBJ(&arguments[0], new_request(message, body));
    ZVAL_OBJ(&arguments[1], new_response(message, head_of_request(Z_OBJ(arguments[0])), handler.compression));
    handling.response = Z_OBJ(arguments[1]);
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

uint32_t websocket_arguments(Worker& worker, const Inbound& message, zval* arguments, zend_string*& payload) {
    ZVAL_OBJ(&arguments[0], new_websocket_connection(message.connection));
    switch (message.kind) {
        case InboundKind::kOpen: ZVAL_OBJ(&arguments[1], new_request(message, zend_empty_string)); return 2;
        case InboundKind::kClose:
            ZVAL_LONG(&arguments[1], message.close_code);
            ZVAL_STR(&arguments[2], payload = worker.slots.take(message));
            return 3;
        case InboundKind::kPong:
            ZVAL_DOUBLE(&arguments[1], message.request / 1e6);
            ZVAL_STR(&arguments[2], payload = worker.slots.take(message));
            return 3;
        default:
            ZVAL_STR(&arguments[1], payload = worker.slots.take(message));
            ZVAL_BOOL(&arguments[2], message.binary);
            return 3;
    }
}

uint32_t tcp_arguments(Worker& worker, const Inbound& message, zval* arguments, zend_string*& payload) {
    ZVAL_OBJ(&arguments[0], new_tcp_connection(message.connection));
    if (message.kind != InboundKind::kMessage) return 1;
    ZVAL_STR(&arguments[1], payload = worker.slots.take(message));
    return 2;
}

const Callback& callback_for(const Handler& handler, InboundKind kind) {
    if (kind == InboundKind::kOpen) return handler.open;
    if (kind == InboundKind::kPong) return handler.pong;
    return kind == InboundKind::kClose ? handler.close : handler.message;
}

bool dispatch_handshake(Worker& worker, const Handler& handler, const EndpointSpec& route,
                        Handling& handling) {
    const Inbound& message = handling.message;
    handling.cancelled = false;
    zval argument;
    ZVAL_OBJ(&argument, new_handshake(message, route));
    // A reload may have taken the handler away after the server had asked for it.
    if (handler.handshake) call_handler(worker, handler.handshake, 1, &argument);
    bool goes_on = true;
    if (EG(exception) && handling.cancelled && comes_of_cancellation(EG(exception))) {
        zend_clear_exception();
        fail_handshake(Z_OBJ(argument), 503, {});
    } else if (EG(exception)) {
        goes_on = check_exception(worker, "a WebSocket handshake handler");
        if (goes_on) fail_handshake(Z_OBJ(argument), 500, "Internal Server Error\n");
    } else {
        accept_handshake(Z_OBJ(argument));
    }
    zval_ptr_dtor(&argument);
    return goes_on;
}

bool dispatch_datagram(Worker& worker, const Handler& handler, const Inbound& message) {
    zend_string* payload = worker.slots.take(message);
    const std::string_view bytes = view(payload);
    const std::optional<Address> sender = sender_of(bytes);
    bool goes_on = true;
    if (sender) {
        zval arguments[2];
        ZVAL_OBJ(&arguments[0], new_udp_peer(*sender, message));
        ZVAL_STR(&arguments[1],
                 zend_string_init(bytes.data() + sizeof(Address), bytes.size() - sizeof(Address), false));
        zend_string_release(payload);
        worker.slots.settle(message, payload);
        call_handler(worker, handler.message, 2, arguments);
        goes_on = check_exception(worker, "a UDP handler");
        zval_ptr_dtor(&arguments[1]);
        zval_ptr_dtor(&arguments[0]);
    } else {
        zend_string_release(payload);
        worker.slots.settle(message, payload);
    }
    return goes_on;
}

bool dispatch_event(Worker& worker, const Handler& handler, EndpointKind kind, const Inbound& message) {
    const bool is_websocket = kind == EndpointKind::kWebSocket;
    const Callback& callback = callback_for(handler, message.kind);
    if (!callback) {
        drop_payload(worker, message);
        return true;
    }
    zval arguments[3];
    zend_string* payload = nullptr;
    const uint32_t count = is_websocket ? websocket_arguments(worker, message, arguments, payload)
                                        : tcp_arguments(worker, message, arguments, payload);
    call_handler(worker, callback, count, arguments);
    bool goes_on = true;
    if (EG(exception)) {
        goes_on = check_exception(worker, is_websocket ? "a WebSocket handler" : "a TCP handler");
        if (goes_on && message.kind != InboundKind::kClose)
            close_connection(worker, message, websocket::close_code::kInternalError);
    }
    for (uint32_t index = count; index-- > 0;)
        zval_ptr_dtor(&arguments[index]);
    if (payload) worker.slots.settle(message, payload);
    return goes_on;
}

struct Dispatching {
    Worker& worker;
    const ServerSetup& setup;
    const Inbound& message;
    Handling* handling;  ///< nullptr once it has ended
};

/// False when the handler called exit().
bool handle_one(Worker& worker, const ServerSetup& setup, Handling& handling) {
    const Inbound& message = handling.message;
    const EndpointSpec* spec = nullptr;
    bool goes_on = true;
    if (const Handler* handler = handler_for(worker, setup, message.endpoint, spec)) {
        const bool is_request = message.kind == InboundKind::kRequest;
        const bool is_datagram = message.kind == InboundKind::kDatagram;
        goes_on = is_datagram                         ? dispatch_datagram(worker, *handler, message)
                  : spec->kind == EndpointKind::kHttp ? dispatch_request(worker, *handler, handling)
                  : is_request                        ? dispatch_handshake(worker, *handler, *spec, handling)
                                                      : dispatch_event(worker, *handler, spec->kind, message);
    } else {
        refuse(worker, message);
    }
    if (goes_on) worker.port->finished(message);
    return goes_on;
}

/// The next message that came from the connection while its handler waited; false when there is none, and
/// the connection waits no more.
bool take_waiting(Worker& worker, Inbound& message) {
    const auto place = worker.waiting.find(message.connection);
    if (place == worker.waiting.end()) return false;
    if (place->second.empty()) {
        worker.waiting.erase(place);
        return false;
    }
    message = place->second.front();
    place->second.pop_front();
    --worker.waiting_messages;
    worker.port->begins(message);
    return true;
}

void handle(const void* argument) {
    Dispatching& dispatching = *static_cast<Dispatching*>(const_cast<void*>(argument));
    Worker& worker = dispatching.worker;
    const ServerSetup& setup = dispatching.setup;
    Handling handling{dispatching.message};
    handling.coroutine = current_coroutine();
    dispatching.handling = &handling;
    const bool is_ordered = comes_in_order(handling.message);
    bool goes_on;
    do
        goes_on = handle_one(worker, setup, handling);
    while (goes_on && handling.waited && is_ordered && take_waiting(worker, handling.message));
    if (handling.waited) {
        worker.handlings.remove(handling);
    } else {
        dispatching.handling = nullptr;
    }
}

}  // namespace

bool dispatch(Worker& worker, const ServerSetup& setup, const Inbound& message) {
    if (message.kind == InboundKind::kCancel || message.kind == InboundKind::kAnswer) {
        if (message.kind == InboundKind::kCancel) {
            worker.handlings.cancel(message);
        } else {
            worker.asked.answer(message);
        }
        worker.port->finished(message);
        return true;
    }
    const bool is_ordered = comes_in_order(message);
    if (is_ordered && !worker.waiting.empty()) {
        if (const auto place = worker.waiting.find(message.connection); place != worker.waiting.end()) {
            worker.port->set_aside(place->second.emplace_back(message));
            ++worker.waiting_messages;
            return true;
        }
    }
    Dispatching dispatching{worker, setup, message, nullptr};
    run_handler(handle, &dispatching);
    if (dispatching.handling) {
        dispatching.handling->waited = true;
        worker.port->waits(message);
        worker.handlings.add(*dispatching.handling);
        if (is_ordered && !EG(exception)) worker.waiting.try_emplace(message.connection);
    }
    return !EG(exception);
}

}  // namespace sluice::php
