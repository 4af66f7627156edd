#include "php/options/origins_class.h"

#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* origins_class = nullptr;

namespace {

zend_object_handlers handlers;

struct OriginsObject {
    websocket::OriginPolicy* policy;  ///< nullptr until constructed
    zend_object object;
};

void free_origins(zend_object* object) {
    delete embedded<OriginsObject>(object)->policy;
    zend_object_std_dtor(object);
}

zend_object* create_origins(zend_class_entry* class_entry) {
    return &new_embedded<OriginsObject>(class_entry, handlers)->object;
}

bool check_allowed(HashTable* allowed) {
    zval* item;
    ZEND_HASH_FOREACH_VAL(allowed, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) != IS_STRING) {
            zend_argument_type_error(1, "must be a list of string, %s found in it",
                                     zend_zval_type_name(item));
            return false;
        }
        if (websocket::is_origin_pattern(view(Z_STR_P(item)))) continue;
        zend_argument_value_error(
            1,
            "must hold origins like \"https://example.com\", \"http://localhost:8080\", "
            "\"https://*.example.com\" or \"null\", \"%.200s\" given",
            Z_STRVAL_P(item));
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

}  // namespace

void init_origins_class(zend_class_entry* class_entry) {
    origins_class = class_entry;
    class_entry->create_object = create_origins;
    init_handlers<OriginsObject>(handlers, free_origins);
}

const websocket::OriginPolicy& origins_of(zend_object* object) {
    return *embedded<OriginsObject>(object)->policy;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_WebSocket_Origins, __construct) {
    HashTable* allowed = nullptr;
    bool same_origin = true, without_origin = true;
    ZEND_PARSE_PARAMETERS_START(0, 3)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT(allowed)
    Z_PARAM_BOOL(same_origin)
    Z_PARAM_BOOL(without_origin)
    ZEND_PARSE_PARAMETERS_END();

    OriginsObject* self = embedded<OriginsObject>(ZEND_THIS);
    if (self->policy) {
        zend_throw_error(nullptr, "Sluice\\WebSocket\\Origins is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (allowed && !check_allowed(allowed)) RETURN_THROWS();
    self->policy = new sluice::websocket::OriginPolicy;
    self->policy->enabled = true;
    self->policy->same_origin = same_origin;
    self->policy->without_origin = without_origin;
    if (!allowed) return;
    zval* item;
    ZEND_HASH_FOREACH_VAL(allowed, item) {
        ZVAL_DEREF(item);
        self->policy->allowed.emplace_back(view(Z_STR_P(item)));
    }
    ZEND_HASH_FOREACH_END();
}

ZEND_METHOD(Sluice_WebSocket_Origins, allows) {
    zend_string *origin, *host;
    bool secure = false;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR_OR_NULL(origin)
    Z_PARAM_STR(host)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(secure)
    ZEND_PARSE_PARAMETERS_END();
    const OriginsObject* self = embedded<OriginsObject>(ZEND_THIS);
    RETURN_BOOL(self->policy &&
                self->policy->allows(origin ? view(origin) : std::string_view(), view(host), secure));
}
