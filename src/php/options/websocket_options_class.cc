#include "php/options/websocket_options_class.h"

#include "php/options/compression_class.h"
#include "php/options/heartbeat_class.h"
#include "php/options/origins_class.h"
#include "php/options/server_enums.h"
#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

zend_class_entry* websocket_options_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kProtocols, kOrigins, kCompression, kHeartbeat, kSlowClient };

zend_object_handlers handlers;

struct WebSocketOptionsObject {
    zend_object object;
};

zend_object* create_options(zend_class_entry* class_entry) {
    return &new_embedded<WebSocketOptionsObject>(class_entry, handlers)->object;
}

uint32_t number_of(Place place) {
    return static_cast<uint32_t>(place) + 1;
}

bool check_protocols(HashTable* protocols) {
    constexpr uint32_t kMost = 64;
    if (!protocols) return true;
    if (zend_hash_num_elements(protocols) > kMost) {
        zend_argument_value_error(number_of(kProtocols), "must hold at most %u names, %u given", kMost,
                                  zend_hash_num_elements(protocols));
        return false;
    }
    zval* item;
    ZEND_HASH_FOREACH_VAL(protocols, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) == IS_STRING && http::is_token(view(Z_STR_P(item)))) continue;
        if (Z_TYPE_P(item) != IS_STRING) {
            zend_argument_type_error(number_of(kProtocols), "must be a list of string, %s found in it",
                                     zend_zval_type_name(item));
        } else {
            zend_argument_value_error(
                number_of(kProtocols),
                "must hold tokens: letters, digits and !#$%%&'*+-.^_`|~, \"%.200s\" given", Z_STRVAL_P(item));
        }
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/// A message compressed with a context cannot be dropped: the next message refers to it.
bool check_slow_client(zend_object* slow_client, zend_object* compression) {
    if (!slow_client || !compression) return true;
    if (slow_client_of(slow_client) != SlowClient::kDropOldest) return true;
    if (!compression_of(compression).server_takeover) return true;
    zend_argument_value_error(number_of(kSlowClient),
                              "must not be SlowClient::DropOldest with compression that has serverTakeover");
    return false;
}

/// Copies the list: the argument may hold references, which change with a variable.
void keep_protocols(zend_object* self, HashTable* protocols) {
    zval* property = OBJ_PROP_NUM(self, kProtocols);
    array_init(property);
    Z_PROP_FLAG_P(property) = 0;
    if (!protocols) return;
    zval* item;
    ZEND_HASH_FOREACH_VAL(protocols, item) {
        ZVAL_DEREF(item);
        add_next_index_str(property, zend_string_copy(Z_STR_P(item)));
    }
    ZEND_HASH_FOREACH_END();
}

void keep(zend_object* self, Place place, zend_object* argument) {
    if (!argument) return init_property_null(self, place);
    GC_ADDREF(argument);
    init_property(self, place, argument);
}

zend_object* object_at(zend_object* self, Place place) {
    zval* property = OBJ_PROP_NUM(self, place);
    return Z_TYPE_P(property) == IS_OBJECT ? Z_OBJ_P(property) : nullptr;
}

}  // namespace

void init_websocket_options_class(zend_class_entry* class_entry) {
    websocket_options_class = class_entry;
    class_entry->create_object = create_options;
    init_handlers<WebSocketOptionsObject>(handlers, zend_object_std_dtor);
}

void apply_websocket_options(zend_object* options, EndpointSpec& endpoint) {
    if (!options) return;
    if (zend_object* origins = object_at(options, kOrigins)) endpoint.websocket.origins = origins_of(origins);
    if (zend_object* compression = object_at(options, kCompression))
        endpoint.compression = compression_of(compression);
    if (zend_object* heartbeat = object_at(options, kHeartbeat)) set_heartbeat(endpoint.websocket, heartbeat);
    endpoint.slow_client = slow_client_of(object_at(options, kSlowClient));
    zval* item;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(OBJ_PROP_NUM(options, kProtocols)), item) {
        endpoint.websocket.protocols.emplace_back(view(Z_STR_P(item)));
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_WebSocket_Options, __construct) {
    HashTable* protocols = nullptr;
    zend_object *origins = nullptr, *compression = nullptr, *heartbeat = nullptr, *slow_client = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 5)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT(protocols)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(origins, origins_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(compression, compression_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(heartbeat, heartbeat_class)
    Z_PARAM_OBJ_OF_CLASS(slow_client, slow_client_class)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, kProtocols)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\WebSocket\\Options is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!check_protocols(protocols) || !check_slow_client(slow_client, compression)) RETURN_THROWS();
    keep_protocols(self, protocols);
    keep(self, kOrigins, origins);
    keep(self, kCompression, compression);
    keep(self, kHeartbeat, heartbeat);
    keep(self, kSlowClient,
         slow_client ? slow_client : zend_enum_get_case_cstr(slow_client_class, "DropNewest"));
}
