#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Something of the application to call, looked up once. A plain value; who keeps one keeps `callable`, or
/// the object that the method belongs to, alive.
struct Callback {
    zval callable;  ///< UNDEF for a method of a handler object
    zend_function*
        function;  ///< nullptr: `callable` is resolved at each call (__call), or there is nothing to call
    zend_object* object;
    zend_class_entry* called_scope;

    explicit operator bool() const { return function || Z_TYPE(callable) != IS_UNDEF; }
};

/// Nothing to call.
Callback no_callback();
/// A method that the object has.
Callback method_of(zend_object* object, const char* lower_name);
/// Takes a reference to `callable`, which `cache` was resolved from.
Callback make_callback(zval* callable, zend_fcall_info_cache* cache);
void release_callback(Callback& callback);

/// Calls, in the scope that is current, and drops what is returned. Afterwards EG(exception) may be set.
void call_in_scope(const Callback& callback, uint32_t argument_count, zval* arguments);
/// call_in_scope() in a scope of its own; `context`: see begin_call().
void call(const Callback& callback, uint32_t argument_count, zval* arguments, zend_array* context = nullptr);

}  // namespace sluice::php
