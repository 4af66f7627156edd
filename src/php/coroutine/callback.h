#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// A callable of the application, looked up once. A plain value; its owner keeps `callable`, or the object
/// that the method belongs to, alive.
struct Callback {
    zval callable;            ///< UNDEF for a method of a handler object
    zend_function* function;  ///< nullptr: `callable` is resolved at each call (__call), or empty
    zend_object* object;
    zend_class_entry* called_scope;

    explicit operator bool() const { return function || Z_TYPE(callable) != IS_UNDEF; }
};

/// An empty callback.
Callback no_callback();
/// A callback of a method that the object has.
Callback method_of(zend_object* object, const char* lower_name);
/// Takes a reference to `callable`, which `cache` was resolved from.
Callback make_callback(zval* callable, zend_fcall_info_cache* cache);
void release_callback(Callback& callback);

/// Calls it in the current scope, and drops the returned value. Afterwards EG(exception) may be set, also by
/// call_until_fatal_error().
void call_in_scope(const Callback& callback, uint32_t argument_count, zval* arguments);
/// call_in_scope() in a scope of its own; `context`: see begin_call().
void call(const Callback& callback, uint32_t argument_count, zval* arguments, zend_array* context = nullptr);

}  // namespace sluice::php
