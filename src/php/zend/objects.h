#pragma once

#include <cstddef>

#include "php/zend/php_api.h"

namespace sluice::php {

// A PHP object with C++ data in front of it: a plain struct whose last member is `zend_object object`. It
// starts as zero bytes, has no constructor, and its free handler undoes what its methods did.

template <typename T>
T* embedded(zend_object* object) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(object) - offsetof(T, object));
}
template <typename T>
T* embedded(zval* value) {
    return embedded<T>(Z_OBJ_P(value));
}

template <typename T>
T* new_embedded(zend_class_entry* class_entry, const zend_object_handlers& handlers) {
    T* self = static_cast<T*>(zend_object_alloc(sizeof(T), class_entry));
    zend_object_std_init(&self->object, class_entry);
    object_properties_init(&self->object, class_entry);
    self->object.handlers = &handlers;
    return self;
}

/// Handlers for such objects: freed by `free`, not to be cloned.
template <typename T>
void init_handlers(zend_object_handlers& handlers, void (*free)(zend_object*)) {
    handlers = *zend_get_std_object_handlers();
    handlers.offset = offsetof(T, object);
    handlers.free_obj = free;
    handlers.clone_obj = nullptr;
}

/// Sets a declared read-only property, by its place in the declaration; takes over a string's reference.
inline void init_property(zend_object* object, int place, zend_long value) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_LONG(property, value);
    Z_PROP_FLAG_P(property) = 0;
}
inline void init_property(zend_object* object, int place, zend_string* value) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_STR(property, value);
    Z_PROP_FLAG_P(property) = 0;
}
inline void init_property_null(zend_object* object, int place) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_NULL(property);
    Z_PROP_FLAG_P(property) = 0;
}
/// Takes over a reference.
inline void init_property(zend_object* object, int place, zend_object* value) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_OBJ(property, value);
    Z_PROP_FLAG_P(property) = 0;
}
inline void init_property(zend_object* object, int place, bool value) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_BOOL(property, value);
    Z_PROP_FLAG_P(property) = 0;
}
inline void init_property(zend_object* object, int place, double value) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_DOUBLE(property, value);
    Z_PROP_FLAG_P(property) = 0;
}

}  // namespace sluice::php
