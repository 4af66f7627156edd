#include "php/options/http_options_class.h"

#include "php/options/http_compression_class.h"
#include "php/options/server_enums.h"
#include "php/zend/objects.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

zend_class_entry* http_options_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kDispatch, kStreamBodies, kCancelOnDisconnect, kCompression };

zend_object_handlers handlers;

struct HttpOptionsObject {
    zend_object object;
};

zend_object* create_options(zend_class_entry* class_entry) {
    return &new_embedded<HttpOptionsObject>(class_entry, handlers)->object;
}

void keep(zend_object* self, Place place, zval* argument) {
    zval* property = OBJ_PROP_NUM(self, place);
    if (argument) {
        ZVAL_COPY(property, argument);
    } else {
        ZVAL_NULL(property);
    }
    Z_PROP_FLAG_P(property) = 0;
}

void apply_bool(zend_object* options, Place place, bool& value) {
    const zval* given = OBJ_PROP_NUM(options, place);
    if (Z_TYPE_P(given) != IS_NULL) value = Z_TYPE_P(given) == IS_TRUE;
}

}  // namespace

void init_http_options_class(zend_class_entry* class_entry) {
    http_options_class = class_entry;
    class_entry->create_object = create_options;
    init_handlers<HttpOptionsObject>(handlers, zend_object_std_dtor);
}

void apply_options(zend_object* options, EndpointSpec& endpoint, zend_object*& compression) {
    if (!options) return;
    const zval* dispatch = OBJ_PROP_NUM(options, kDispatch);
    if (Z_TYPE_P(dispatch) == IS_OBJECT) endpoint.dispatch = dispatch_of(Z_OBJ_P(dispatch));
    apply_bool(options, kStreamBodies, endpoint.stream_bodies);
    apply_bool(options, kCancelOnDisconnect, endpoint.cancel_on_disconnect);
    const zval* compress = OBJ_PROP_NUM(options, kCompression);
    if (Z_TYPE_P(compress) == IS_OBJECT) compression = Z_OBJ_P(compress);
    if (Z_TYPE_P(compress) == IS_FALSE) compression = nullptr;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Options, __construct) {
    zval *dispatch = nullptr, *compression = nullptr;
    bool stream_bodies = false, stream_bodies_null = true;
    bool cancel_on_disconnect = false, cancel_on_disconnect_null = true;
    ZEND_PARSE_PARAMETERS_START(0, 4)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(dispatch, dispatch_class)
    Z_PARAM_BOOL_OR_NULL(stream_bodies, stream_bodies_null)
    Z_PARAM_BOOL_OR_NULL(cancel_on_disconnect, cancel_on_disconnect_null)
    Z_PARAM_ZVAL(compression)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, 0)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\Http\\Options is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (compression && Z_TYPE_P(compression) > IS_FALSE &&
        (Z_TYPE_P(compression) != IS_OBJECT || Z_OBJCE_P(compression) != http_compression_class)) {
        zend_argument_type_error(4, "must be of type Sluice\\Http\\Compression|false|null, %s given",
                                 zend_zval_type_name(compression));
        RETURN_THROWS();
    }
    zval truth;
    keep(self, kDispatch, dispatch);
    ZVAL_BOOL(&truth, stream_bodies);
    keep(self, kStreamBodies, stream_bodies_null ? nullptr : &truth);
    ZVAL_BOOL(&truth, cancel_on_disconnect);
    keep(self, kCancelOnDisconnect, cancel_on_disconnect_null ? nullptr : &truth);
    keep(self, kCompression, compression);
}
