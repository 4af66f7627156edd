#include "php/server/site_class.h"

#include "php/options/compression_class.h"
#include "php/options/heartbeat_class.h"
#include "php/options/origins_class.h"
#include "php/options/protocol_limits_class.h"
#include "php/options/server_enums.h"
#include "php/server/server_object.h"
#include "php/server/site_object.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"

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

/// The arguments of webSocket() that make a route; each may be nullptr but the handler.
struct WebSocketRoute {
    zval* handler;
    zval* handshake;
    zend_object* compression;
    HashTable* protocols;
    zend_object* origins;
    zend_object* heartbeat;
    zend_object* slow_client;
    zend_object* limits;
};

bool check_protocols(HashTable* protocols) {
    constexpr uint32_t kNumber = 4, kMost = 64;
    if (!protocols) return true;
    if (zend_hash_num_elements(protocols) > kMost) {
        zend_argument_value_error(kNumber, "must hold at most %u names, %u given", kMost,
                                  zend_hash_num_elements(protocols));
        return false;
    }
    zval* item;
    ZEND_HASH_FOREACH_VAL(protocols, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) == IS_STRING && http::is_token(view(Z_STR_P(item)))) continue;
        if (Z_TYPE_P(item) != IS_STRING) {
            zend_argument_type_error(kNumber, "must be a list of string, %s found in it",
                                     zend_zval_type_name(item));
        } else {
            zend_argument_value_error(
                kNumber, "must hold tokens: letters, digits and !#$%%&'*+-.^_`|~, \"%.200s\" given",
                Z_STRVAL_P(item));
        }
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/// What was compressed with a context cannot be left out afterwards: the next message refers to it.
bool check_slow_client(const WebSocketRoute& route) {
    if (!route.slow_client || !route.compression) return true;
    if (slow_client_of(route.slow_client) != SlowClient::kDropOldest) return true;
    if (!compression_of(route.compression).server_takeover) return true;
    zend_argument_value_error(8,
                              "must not be SlowClient::DropOldest with compression that has serverTakeover");
    return false;
}

/// No exception of PHP's can come out of this.
void fill_endpoint(const WebSocketRoute& route, EndpointSpec& endpoint) {
    if (route.compression) endpoint.compression = compression_of(route.compression);
    if (route.slow_client) endpoint.slow_client = slow_client_of(route.slow_client);
    if (route.origins) endpoint.websocket.origins = origins_of(route.origins);
    if (route.heartbeat) set_heartbeat(endpoint.websocket, route.heartbeat);
    if (!route.protocols) return;
    zval* item;
    ZEND_HASH_FOREACH_VAL(route.protocols, item) {
        ZVAL_DEREF(item);
        endpoint.websocket.protocols.emplace_back(view(Z_STR_P(item)));
    }
    ZEND_HASH_FOREACH_END();
}

/// False when it has thrown; all but the handlers was checked.
bool add_websocket(SiteObject* site, zend_string* path, const WebSocketRoute& route) {
    if (!open_setup(Z_OBJ(site->server))) return false;
    Handler handler;
    if (!make_handler(handler, route.handler, 2, EndpointKind::kWebSocket)) return false;
    if (!set_handshake(handler, route.handshake, 6)) {
        release_handler(handler);
        return false;
    }
    EndpointSpec endpoint;
    endpoint.kind = EndpointKind::kWebSocket;
    endpoint.path = view(path);
    endpoint.dispatch = Dispatch::kSticky;
    fill_endpoint(route, endpoint);
    endpoint.websocket.asks_handler = static_cast<bool>(handler.handshake);
    endpoint.websocket.wants_pongs = static_cast<bool>(handler.pong);
    return add_route(site, std::move(endpoint), handler,
                     {.path_number = 1, .limits = route.limits, .limits_number = 9});
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
    zend_string* path;
    WebSocketRoute route = {};
    ZEND_PARSE_PARAMETERS_START(2, 9)
    Z_PARAM_STR(path)
    Z_PARAM_ZVAL(route.handler)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.compression, compression_class)
    Z_PARAM_ARRAY_HT(route.protocols)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.origins, origins_class)
    Z_PARAM_ZVAL(route.handshake)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.heartbeat, heartbeat_class)
    Z_PARAM_OBJ_OF_CLASS(route.slow_client, slow_client_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.limits, websocket_limits_class)
    ZEND_PARSE_PARAMETERS_END();

    SiteObject* self = embedded<SiteObject>(ZEND_THIS);
    if (!check_pattern(path, 1) || !check_protocols(route.protocols) || !check_slow_client(route)) {
        RETURN_THROWS();
    }
    if (!add_websocket(self, path, route)) RETURN_THROWS();
    RETURN_OBJ_COPY(&self->object);
}
