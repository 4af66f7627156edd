#include "php/tasks/context_value_class.h"

#include "php/coroutine/current_scope.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

struct ContextValueObject {
    zend_ulong number;  ///< its key in every context: never reused, unlike an object's handle
    zval fallback;
    zend_object object;
};

zend_object_handlers handlers;
zend_ulong last_number = 0;

zend_object* create_context_value(zend_class_entry* class_entry) {
    auto* self = new_embedded<ContextValueObject>(class_entry, handlers);
    self->number = ++last_number;
    ZVAL_NULL(&self->fallback);
    return &self->object;
}

void free_context_value(zend_object* object) {
    zval_ptr_dtor(&embedded<ContextValueObject>(object)->fallback);
    zend_object_std_dtor(object);
}

HashTable* context_value_references(zend_object* object, zval** table, int* count) {
    *table = &embedded<ContextValueObject>(object)->fallback;
    *count = 1;
    return zend_std_get_properties(object);
}

const zval* find(const ContextValueObject* self) {
    const CoroutineScope& scope = current_scope();
    const zval* value = scope.context ? zend_hash_index_find(scope.context, self->number) : nullptr;
    return value ? value : &self->fallback;
}

/// Copies the value; UNDEF takes it away.
void set(const ContextValueObject* self, zval* value) {
    CoroutineScope& scope = current_scope();
    zend_array* before = scope.context;
    zval old;
    ZVAL_UNDEF(&old);
    if (!before) {
        scope.context = zend_new_array(0);
    } else if (GC_REFCOUNT(before) > 1) {
        scope.context = zend_array_dup(before);
        GC_DELREF(before);
    }
    // Destroy the old value last: its destructor may read the new one.
    if (zval* place = zend_hash_index_find(scope.context, self->number)) {
        ZVAL_COPY_VALUE(&old, place);
        ZVAL_NULL(place);
    }
    if (Z_TYPE_P(value) == IS_UNDEF) {
        zend_hash_index_del(scope.context, self->number);
    } else {
        Z_TRY_ADDREF_P(value);
        zend_hash_index_update(scope.context, self->number, value);
    }
    zval_ptr_dtor(&old);
}

}  // namespace

void init_context_value_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_context_value;
    init_handlers<ContextValueObject>(handlers, free_context_value);
    handlers.get_gc = context_value_references;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_ContextValue, __construct) {
    zval* fallback = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_ZVAL(fallback)
    ZEND_PARSE_PARAMETERS_END();
    if (!fallback) return;
    ContextValueObject* self = embedded<ContextValueObject>(ZEND_THIS);
    zval_ptr_dtor(&self->fallback);
    ZVAL_COPY(&self->fallback, fallback);
}

ZEND_METHOD(Sluice_Coroutine_ContextValue, get) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_COPY(const_cast<zval*>(find(embedded<ContextValueObject>(ZEND_THIS))));
}

ZEND_METHOD(Sluice_Coroutine_ContextValue, set) {
    zval* value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ZVAL(value)
    ZEND_PARSE_PARAMETERS_END();
    set(embedded<ContextValueObject>(ZEND_THIS), value);
}

ZEND_METHOD(Sluice_Coroutine_ContextValue, with) {
    zval* value;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_ZVAL(value)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    ContextValueObject* self = embedded<ContextValueObject>(ZEND_THIS);
    const CoroutineScope& scope = current_scope();
    zval before;
    ZVAL_UNDEF(&before);
    if (scope.context) {
        if (zval* present = zend_hash_index_find(scope.context, self->number)) ZVAL_COPY(&before, present);
    }
    set(self, value);
    info.retval = return_value;
    zend_call_function(&info, nullptr);
    set(self, &before);
    zval_ptr_dtor(&before);
}
