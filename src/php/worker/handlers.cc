#include "php/worker/handlers.h"

namespace sluice::php {

zend_class_entry* http_handler_class = nullptr;
zend_class_entry* websocket_handler_class = nullptr;
zend_class_entry* tcp_handler_class = nullptr;
zend_class_entry* udp_handler_class = nullptr;
zend_class_entry* pong_handler_class = nullptr;

namespace {

zend_class_entry* interface_of(EndpointKind kind) {
    switch (kind) {
        case EndpointKind::kHttp: return http_handler_class;
        case EndpointKind::kWebSocket: return websocket_handler_class;
        case EndpointKind::kTcp: return tcp_handler_class;
        case EndpointKind::kUdp: return udp_handler_class;
    }
    return nullptr;
}

}  // namespace

Handler no_handler() {
    Handler handler;
    handler.open = handler.message = handler.close = no_callback();
    handler.pong = handler.handshake = no_callback();
    handler.compression = nullptr;
    handler.shows_errors = false;
    handler.page_end = nullptr;
    ZVAL_UNDEF(&handler.target);
    return handler;
}

bool make_handler(Handler& handler, zval* argument, uint32_t number, EndpointKind kind) {
    zend_class_entry* interface = interface_of(kind);
    handler = no_handler();
    if (Z_TYPE_P(argument) == IS_OBJECT && instanceof_function(Z_OBJCE_P(argument), interface)) {
        zend_object* object = Z_OBJ_P(argument);
        if (kind == EndpointKind::kHttp) {
            handler.message = method_of(object, "handle");
        } else if (kind == EndpointKind::kUdp) {
            handler.message = method_of(object, "datagram");
        } else {
            handler.open = method_of(object, "open");
            handler.message = method_of(object, "message");
            handler.close = method_of(object, "close");
            if (instanceof_function(object->ce, pong_handler_class)) handler.pong = method_of(object, "pong");
        }
        ZVAL_COPY(&handler.target, argument);
        return true;
    }

    zend_fcall_info_cache cache;
    char* error = nullptr;
    if (!zend_is_callable_ex(argument, nullptr, 0, nullptr, &cache, &error)) {
        zend_argument_type_error(number, "must be a valid callback or of type %s, %s",
                                 ZSTR_VAL(interface->name), error ? error : "no callable given");
        if (error) efree(error);
        return false;
    }
    handler.message = make_callback(argument, &cache);
    ZVAL_UNDEF(&handler.target);
    return true;
}

bool set_handshake(Handler& handler, zval* argument, uint32_t number) {
    if (!argument || Z_TYPE_P(argument) == IS_NULL) return true;
    zend_fcall_info_cache cache;
    char* error = nullptr;
    if (!zend_is_callable_ex(argument, nullptr, 0, nullptr, &cache, &error)) {
        zend_argument_type_error(number, "must be a valid callback or null, %s",
                                 error ? error : "no callable given");
        if (error) efree(error);
        return false;
    }
    handler.handshake = make_callback(argument, &cache);
    return true;
}

void release_handler(Handler& handler) {
    handler.open = handler.close = handler.pong = no_callback();
    zval target;
    ZVAL_COPY_VALUE(&target, &handler.target);
    ZVAL_UNDEF(&handler.target);
    if (zend_object* compression = handler.compression) {
        handler.compression = nullptr;
        OBJ_RELEASE(compression);
    }
    if (zend_string* page_end = handler.page_end) {
        handler.page_end = nullptr;
        zend_string_release(page_end);
    }
    release_callback(handler.handshake);
    release_callback(handler.message);
    zval_ptr_dtor(&target);
}

}  // namespace sluice::php
