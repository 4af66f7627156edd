#include "php/options/listener_class.h"

#include "io/listen_address.h"
#include "php/options/proxies_class.h"
#include "php/options/tls_class.h"
#include "php/zend/objects.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

zend_class_entry* listener_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kAddress, kTls, kProxies, kSocketMode };

constexpr uint32_t kModeNumber = kSocketMode + 1;
constexpr zend_long kMostMode = 0777;

zend_object_handlers handlers;

struct ListenerObject {
    zend_object object;
};

zend_object* create_listener(zend_class_entry* class_entry) {
    return &new_embedded<ListenerObject>(class_entry, handlers)->object;
}

bool is_address(zend_string* text) {
    return ListenAddress::parse(view(text)).has_value();
}

bool check_socket_mode(zend_string* address, zend_long mode) {
    if (!view(address).starts_with("unix:")) {
        zend_argument_value_error(kModeNumber,
                                  "must be null for an IP address: only a Unix socket has a file");
        return false;
    }
    if (mode >= 0 && mode <= kMostMode) return true;
    zend_argument_value_error(kModeNumber, "must be between 0 and 0777 (511), " ZEND_LONG_FMT " given", mode);
    return false;
}

void keep(zend_object* self, Place place, zend_object* argument) {
    if (!argument) return init_property_null(self, place);
    GC_ADDREF(argument);
    init_property(self, place, argument);
}

}  // namespace

void init_listener_class(zend_class_entry* class_entry) {
    listener_class = class_entry;
    class_entry->create_object = create_listener;
    init_handlers<ListenerObject>(handlers, zend_object_std_dtor);
}

zend_string* address_of(zend_object* listener) {
    return Z_STR_P(OBJ_PROP_NUM(listener, kAddress));
}

void apply_listener(zend_object* listener, EndpointSpec& endpoint) {
    const zval* tls = OBJ_PROP_NUM(listener, kTls);
    const zval* proxies = OBJ_PROP_NUM(listener, kProxies);
    const zval* mode = OBJ_PROP_NUM(listener, kSocketMode);
    if (Z_TYPE_P(tls) == IS_OBJECT) endpoint.tls = tls_of(Z_OBJ_P(tls));
    if (Z_TYPE_P(proxies) == IS_OBJECT) endpoint.proxies = proxies_of(Z_OBJ_P(proxies));
    if (Z_TYPE_P(mode) == IS_LONG) endpoint.socket_mode = static_cast<uint16_t>(Z_LVAL_P(mode));
}

void refuse_address(zend_string* given) {
    zend_argument_value_error(1,
                              "must be an IP address or localhost, and a port: \"127.0.0.1:8080\", "
                              "\"[::1]:8080\" or \"0.0.0.0:0\"; or a short absolute path: "
                              "\"unix:/run/app.sock\"; \"%s\" given",
                              ZSTR_VAL(given));
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Listener, __construct) {
    zend_string* address;
    zend_object *tls = nullptr, *proxies = nullptr;
    zend_long socket_mode = 0;
    bool socket_mode_null = true;
    ZEND_PARSE_PARAMETERS_START(1, 4)
    Z_PARAM_PATH_STR(address)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(tls, tls_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(proxies, proxies_class)
    Z_PARAM_LONG_OR_NULL(socket_mode, socket_mode_null)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, kAddress)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\Listener is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!is_address(address)) {
        refuse_address(address);
        RETURN_THROWS();
    }
    if (!socket_mode_null && !check_socket_mode(address, socket_mode)) RETURN_THROWS();
    init_property(self, kAddress, zend_string_copy(address));
    keep(self, kTls, tls);
    keep(self, kProxies, proxies);
    if (socket_mode_null) {
        init_property_null(self, kSocketMode);
    } else {
        init_property(self, kSocketMode, socket_mode);
    }
}
