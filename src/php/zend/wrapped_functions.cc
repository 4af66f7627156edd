#include "php/zend/wrapped_functions.h"

#include <Zend/zend_extensions.h>

namespace sluice::php {

namespace {

int place_of_original() {
    static const int place = zend_get_resource_handle("sluice functions");
    return place;
}

}  // namespace

void wrap_function(zend_function* function, zif_handler handler) {
    const int place = place_of_original();
    if (place < 0 || function->type != ZEND_INTERNAL_FUNCTION ||
        function->internal_function.handler == handler || (function->common.fn_flags & ZEND_ACC_ABSTRACT) ||
        function->internal_function.reserved[place])
        return;
    function->internal_function.reserved[place] =
        reinterpret_cast<void*>(function->internal_function.handler);
    function->internal_function.handler = handler;
}

void unwrap_function(zend_function* function, zif_handler handler) {
    if (function->type != ZEND_INTERNAL_FUNCTION || function->internal_function.handler != handler) return;
    function->internal_function.handler = original_of(function);
    function->internal_function.reserved[place_of_original()] = nullptr;
}

zif_handler original_of(const zend_function* function) {
    return reinterpret_cast<zif_handler>(function->internal_function.reserved[place_of_original()]);
}

zend_class_entry* find_internal_class(const char* lower_name) {
    void* const found = zend_hash_str_find_ptr(CG(class_table), lower_name, strlen(lower_name));
    zend_class_entry* const class_entry = static_cast<zend_class_entry*>(found);
    return class_entry && class_entry->type == ZEND_INTERNAL_CLASS ? class_entry : nullptr;
}

}  // namespace sluice::php
