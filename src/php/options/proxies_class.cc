#include "php/options/proxies_class.h"

#include "php/zend/enum_cases.h"
#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* proxies_class = nullptr;
zend_class_entry* proxy_fields_class = nullptr;

namespace {

zend_object_handlers handlers;

struct ProxiesObject {
    http::TrustedProxies* proxies;  ///< nullptr until constructed
    zend_object object;
};

void free_proxies(zend_object* object) {
    delete embedded<ProxiesObject>(object)->proxies;
    zend_object_std_dtor(object);
}

zend_object* create_proxies(zend_class_entry* class_entry) {
    return &new_embedded<ProxiesObject>(class_entry, handlers)->object;
}

http::ProxyFields proxy_fields_of(zend_object* case_object) {
    if (is_case(case_object, "Forwarded")) return http::ProxyFields::kForwarded;
    return is_case(case_object, "XForwarded") ? http::ProxyFields::kXForwarded : http::ProxyFields::kNone;
}

bool check_addresses(HashTable* addresses) {
    if (zend_hash_num_elements(addresses) == 0) {
        zend_argument_value_error(1, "must not be empty; without proxies, give no TrustedProxies");
        return false;
    }
    zval* item;
    ZEND_HASH_FOREACH_VAL(addresses, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) != IS_STRING) {
            zend_argument_type_error(1, "must be a list of string, %s found in it",
                                     zend_zval_type_name(item));
            return false;
        }
        if (AddressRange::parse(view(Z_STR_P(item)))) continue;
        zend_argument_value_error(1,
                                  "must hold IP addresses, networks like \"10.0.0.0/8\" without bits behind "
                                  "their prefix, or \"unix\"; \"%.200s\" given",
                                  Z_STRVAL_P(item));
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

}  // namespace

void init_proxies_class(zend_class_entry* class_entry) {
    proxies_class = class_entry;
    class_entry->create_object = create_proxies;
    init_handlers<ProxiesObject>(handlers, free_proxies);
}

const http::TrustedProxies& proxies_of(zend_object* object) {
    return *embedded<ProxiesObject>(object)->proxies;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_TrustedProxies, __construct) {
    HashTable* addresses;
    zend_object* fields = nullptr;
    bool proxy_protocol = false;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_ARRAY_HT(addresses)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS(fields, proxy_fields_class)
    Z_PARAM_BOOL(proxy_protocol)
    ZEND_PARSE_PARAMETERS_END();

    ProxiesObject* self = embedded<ProxiesObject>(ZEND_THIS);
    if (self->proxies) {
        zend_throw_error(nullptr, "Sluice\\TrustedProxies is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!check_addresses(addresses)) RETURN_THROWS();
    self->proxies = new sluice::http::TrustedProxies;
    self->proxies->fields = fields ? proxy_fields_of(fields) : sluice::http::ProxyFields::kXForwarded;
    self->proxies->proxy_protocol = proxy_protocol;
    zval* item;
    ZEND_HASH_FOREACH_VAL(addresses, item) {
        ZVAL_DEREF(item);
        self->proxies->addresses.push_back(*sluice::AddressRange::parse(view(Z_STR_P(item))));
    }
    ZEND_HASH_FOREACH_END();
}
