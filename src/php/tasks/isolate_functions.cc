// Sluice\Coroutine\isolate() and asRequest().

#include "php/coroutine/isolation.h"
#include "php/zend/php_api.h"

namespace sluice::php {

namespace {

/// A class whose static properties can be isolated; nullptr when it has thrown.
zend_class_entry* class_to_isolate(zend_string* name) {
    zend_class_entry* const found = zend_lookup_class(name);
    if (EG(exception)) return nullptr;
    if (!found) {
        zend_argument_value_error(1, "must be a class that can be loaded, \"%s\" given", ZSTR_VAL(name));
        return nullptr;
    }
    const char* what = nullptr;
    if (found->type == ZEND_INTERNAL_CLASS)
        what = "a class of PHP or of an extension, whose state is not in static properties";
    if (found->ce_flags & ZEND_ACC_INTERFACE) what = "an interface, which has no properties";
    if (found->ce_flags & ZEND_ACC_ENUM) what = "an enum, which has no properties";
    if (found->ce_flags & ZEND_ACC_TRAIT)
        what = "a trait: each class that uses it has properties of its own, so name these classes";
    if (!what) return found;
    zend_argument_value_error(1, "must be a class with static properties, but %s is %s",
                              ZSTR_VAL(found->name), what);
    return nullptr;
}

/// False when it has thrown.
bool isolate_property(zend_class_entry* owner, zend_property_info* property, zend_string* name) {
    // In the class's own scope, so that private properties are found.
    zend_class_entry* const scope_before = EG(fake_scope);
    EG(fake_scope) = property->ce;
    zval* const place = zend_std_get_static_property_with_info(owner, name, BP_VAR_IS, &property);
    EG(fake_scope) = scope_before;
    if (place) isolate_place(place, property);
    return !EG(exception);
}

bool isolate_named(zend_class_entry* owner, uint32_t number, zval* name) {
    if (Z_TYPE_P(name) != IS_STRING) {
        zend_argument_type_error(number, "must be of type string, %s given", zend_zval_type_name(name));
        return false;
    }
    auto* const property =
        static_cast<zend_property_info*>(zend_hash_find_ptr(&owner->properties_info, Z_STR_P(name)));
    if (!property || !(property->flags & ZEND_ACC_STATIC)) {
        zend_argument_value_error(number, "must be the name of a static property of %s, but $%s is %s",
                                  ZSTR_VAL(owner->name), Z_STRVAL_P(name),
                                  property ? "not static" : "no property of it");
        return false;
    }
    return isolate_property(owner, property, Z_STR_P(name));
}

void isolate_all(zend_class_entry* owner) {
    zend_string* name;
    void* found;
    ZEND_HASH_FOREACH_STR_KEY_PTR(&owner->properties_info, name, found) {
        auto* const property = static_cast<zend_property_info*>(found);
        if ((property->flags & ZEND_ACC_STATIC) && !isolate_property(owner, property, name)) return;
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace

}  // namespace sluice::php

using namespace sluice::php;

ZEND_FUNCTION(Sluice_Coroutine_isolate) {
    zend_string* class_name;
    zval* names;
    uint32_t count;
    ZEND_PARSE_PARAMETERS_START(1, -1)
    Z_PARAM_STR(class_name)
    Z_PARAM_VARIADIC('*', names, count)
    ZEND_PARSE_PARAMETERS_END();
    if (const char* refusal = isolation_refusal()) {
        zend_throw_error(nullptr, "Sluice\\Coroutine\\isolate() comes too late, for %s", refusal);
        RETURN_THROWS();
    }
    zend_class_entry* const owner = class_to_isolate(class_name);
    if (!owner) RETURN_THROWS();
    if (count == 0) isolate_all(owner);
    for (uint32_t index = 0; index < count; ++index)
        if (!isolate_named(owner, index + 2, &names[index])) RETURN_THROWS();
}

ZEND_FUNCTION(Sluice_Coroutine_asRequest) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    Isolation* const outer = begin_isolation();
    info.retval = return_value;
    zend_call_function(&info, &cache);
    end_isolation(outer);
}
