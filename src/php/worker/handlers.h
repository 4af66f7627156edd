#pragma once

#include "php/zend/php_api.h"
#include "server/config/config.h"

namespace sluice::php {

/// Something of the application to call, looked up once. A plain value; who keeps one keeps `callable`, or
/// the object that the method belongs to, alive.
struct Callback {
    zval callable;  ///< UNDEF for a method of a handler object
    zend_function*
        function;  ///< nullptr: `callable` is resolved at each call (__call), or there is nothing to call
    zend_object* object;
    zend_class_entry* called_scope;

    explicit operator bool() const { return function || Z_TYPE(callable) != IS_UNDEF; }
};

/// Takes a reference to `callable`, which `cache` was resolved from.
Callback make_callback(zval* callable, zend_fcall_info_cache* cache);
void release_callback(Callback& callback);

/// Calls and drops what is returned; `context`: see begin_call(). Afterwards EG(exception) may be set.
void call(const Callback& callback, uint32_t argument_count, zval* arguments, zend_array* context = nullptr);

/// Who gets the messages of one endpoint: an object of the endpoint's handler interface, or a callable, which
/// has `message` only.
struct Handler {
    zval target;       ///< one reference
    Callback open;     ///< of handler objects for WebSocket and TCP
    Callback message;  ///< also the request of HTTP
    Callback close;
    Callback pong;             ///< of a WebSocket\PongHandler
    Callback handshake;        ///< of a WebSocket route that has one
    zend_object* compression;  ///< a Sluice\Http\Compression; one reference, or nullptr
};

extern zend_class_entry* http_handler_class;
extern zend_class_entry* websocket_handler_class;
extern zend_class_entry* tcp_handler_class;
extern zend_class_entry* udp_handler_class;
extern zend_class_entry* pong_handler_class;

/// Resolves argument `number` of the running method; false when it has thrown.
bool make_handler(Handler& handler, zval* argument, uint32_t number, EndpointKind kind);
/// Adds what decides on handshakes, argument `number`; nothing when that is null.
bool set_handshake(Handler& handler, zval* argument, uint32_t number);
void release_handler(Handler& handler);

}  // namespace sluice::php
