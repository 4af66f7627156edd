#include "php/options/compression_class.h"

#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* compression_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kServerTakeover, kClientTakeover, kServerWindowBits, kClientWindowBits, kLevel, kMinBytes };

constexpr zend_long kMostMinBytes = zend_long{1} << 30;

zend_object_handlers handlers;

struct CompressionObject {
    zend_object object;
};

zend_object* create_compression(zend_class_entry* class_entry) {
    return &new_embedded<CompressionObject>(class_entry, handlers)->object;
}

bool check_range(Place place, zend_long value, zend_long least, zend_long most) {
    if (value >= least && value <= most) return true;
    zend_argument_value_error(static_cast<uint32_t>(place) + 1,
                              "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT
                              " given",
                              least, most, value);
    return false;
}

zend_long integer(zend_object* object, Place place) {
    return Z_LVAL_P(OBJ_PROP_NUM(object, place));
}
bool truth(zend_object* object, Place place) {
    return Z_TYPE_P(OBJ_PROP_NUM(object, place)) == IS_TRUE;
}

}  // namespace

void init_compression_class(zend_class_entry* class_entry) {
    compression_class = class_entry;
    class_entry->create_object = create_compression;
    init_handlers<CompressionObject>(handlers, zend_object_std_dtor);
}

websocket::DeflatePolicy compression_of(zend_object* object) {
    websocket::DeflatePolicy policy;
    policy.enabled = true;
    policy.server_takeover = truth(object, kServerTakeover);
    policy.client_takeover = truth(object, kClientTakeover);
    policy.server_window_bits = static_cast<uint8_t>(integer(object, kServerWindowBits));
    policy.client_window_bits = static_cast<uint8_t>(integer(object, kClientWindowBits));
    policy.level = static_cast<uint8_t>(integer(object, kLevel));
    policy.min_bytes = static_cast<uint32_t>(integer(object, kMinBytes));
    return policy;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_WebSocket_Compression, __construct) {
    const sluice::websocket::DeflatePolicy defaults;
    bool server_takeover = defaults.server_takeover, client_takeover = defaults.client_takeover;
    zend_long server_bits = defaults.server_window_bits, client_bits = defaults.client_window_bits;
    zend_long level = defaults.level, min_bytes = defaults.min_bytes;
    ZEND_PARSE_PARAMETERS_START(0, 6)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(server_takeover)
    Z_PARAM_BOOL(client_takeover)
    Z_PARAM_LONG(server_bits)
    Z_PARAM_LONG(client_bits)
    Z_PARAM_LONG(level)
    Z_PARAM_LONG(min_bytes)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, 0)) != IS_UNDEF) {
        zend_throw_error(nullptr,
                         "Sluice\\WebSocket\\Compression is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    using sluice::websocket::kMaxWindowBits, sluice::websocket::kMinWindowBits;
    if (!check_range(kServerWindowBits, server_bits, kMinWindowBits, kMaxWindowBits) ||
        !check_range(kClientWindowBits, client_bits, kMinWindowBits, kMaxWindowBits) ||
        !check_range(kLevel, level, 1, 9) || !check_range(kMinBytes, min_bytes, 0, kMostMinBytes)) {
        RETURN_THROWS();
    }
    init_property(self, kServerTakeover, server_takeover);
    init_property(self, kClientTakeover, client_takeover);
    init_property(self, kServerWindowBits, server_bits);
    init_property(self, kClientWindowBits, client_bits);
    init_property(self, kLevel, level);
    init_property(self, kMinBytes, min_bytes);
}
