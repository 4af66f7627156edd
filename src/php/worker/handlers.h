#pragma once

#include "php/coroutine/callback.h"
#include "server/config/choices.h"

namespace sluice::php {

/// The handler of one endpoint's messages: an object of the endpoint's handler interface, or a callable,
/// which has `message` only.
struct Handler {
    zval target;       ///< one reference
    Callback open;     ///< of handler objects for WebSocket and TCP
    Callback message;  ///< also the request of HTTP
    Callback close;
    Callback pong;             ///< of a WebSocket\PongHandler
    Callback handshake;        ///< of a WebSocket route that has one
    zend_object* compression;  ///< a Sluice\Http\Compression; one reference, or nullptr
    bool shows_errors;         ///< to clients, exceptions that nobody catches
    zend_string* page_end;     ///< put before </body>; one reference, or nullptr
};

extern zend_class_entry* http_handler_class;
extern zend_class_entry* websocket_handler_class;
extern zend_class_entry* tcp_handler_class;
extern zend_class_entry* udp_handler_class;
extern zend_class_entry* pong_handler_class;

/// Of a listener that has routes only.
Handler no_handler();
/// Resolves argument `number` of the running method; false when it has thrown.
bool make_handler(Handler& handler, zval* argument, uint32_t number, EndpointKind kind);
/// Adds the handler of handshakes, argument `number`, unless it is null.
bool set_handshake(Handler& handler, zval* argument, uint32_t number);
void release_handler(Handler& handler);

}  // namespace sluice::php
