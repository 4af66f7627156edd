#include "php/server/site_class.h"

#include "php/options/protocol_limits_class.h"
#include "php/options/websocket_options_class.h"
#include "php/server/server_object.h"
#include "php/server/site_object.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_class_entry* site_class;
zend_object_handlers handlers;

void free_site(zend_object* object) {
    delete embedded<SiteObject>(object)->routes;
    zval_ptr_dtor(&embedded<SiteObject>(object)->server);
    zend_object_std_dtor(object);
}

HashTable* site_references(zend_object* object, zval** table, int* count) {
    *table = &embedded<SiteObject>(object)->server;
    *count = 1;
    return zend_std_get_properties(object);
}

zend_object* create_site(zend_class_entry* class_entry) {
    SiteObject* self = new_embedded<SiteObject>(class_entry, handlers);
    ZVAL_UNDEF(&self->server);
    return &self->object;
}

/// The arguments of webSocket(); each may be nullptr but the first two.
struct WebSocketRoute {
    zend_string* path;
    zval* handler;
    zend_object* options;
    zend_object* limits;
    zval* handshake;
};

/// False when it has thrown; the path was checked.
bool add_websocket(SiteObject* site, const WebSocketRoute& route) {
    if (!open_setup(Z_OBJ(site->server))) return false;
    Handler handler;
    if (!make_handler(handler, route.handler, 2, EndpointKind::kWebSocket)) return false;
    if (!set_handshake(handler, route.handshake, 5)) {
        release_handler(handler);
        return false;
    }
    EndpointSpec endpoint;
    endpoint.kind = EndpointKind::kWebSocket;
    endpoint.path = view(route.path);
    endpoint.dispatch = Dispatch::kSticky;
    apply_websocket_options(route.options, endpoint);
    endpoint.websocket.asks_handler = static_cast<bool>(handler.handshake);
    endpoint.websocket.wants_pongs = static_cast<bool>(handler.pong);
    return add_route(site, std::move(endpoint), handler,
                     {.path_number = 1, .limits = route.limits, .limits_number = 4});
}

}  // namespace

void init_site_class(zend_class_entry* class_entry) {
    site_class = class_entry;
    class_entry->create_object = create_site;
    init_handlers<SiteObject>(handlers, free_site);
    handlers.get_gc = site_references;
}

zend_object* new_site(zend_object* server, size_t endpoint) {
    SiteObject* self = embedded<SiteObject>(create_site(site_class));
    ZVAL_OBJ_COPY(&self->server, server);
    self->endpoint = endpoint;
    self->routes = new http::RouteTable;
    return &self->object;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Site, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Http_Site, webSocket) {
    WebSocketRoute route = {};
    ZEND_PARSE_PARAMETERS_START(2, 5)
    Z_PARAM_STR(route.path)
    Z_PARAM_ZVAL(route.handler)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.options, websocket_options_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.limits, websocket_limits_class)
    Z_PARAM_ZVAL(route.handshake)
    ZEND_PARSE_PARAMETERS_END();

    SiteObject* self = embedded<SiteObject>(ZEND_THIS);
    if (!check_pattern(route.path, 1) || !add_websocket(self, route)) RETURN_THROWS();
    RETURN_OBJ_COPY(&self->object);
}
