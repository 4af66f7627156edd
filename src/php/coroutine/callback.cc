#include "php/coroutine/callback.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/current_scope.h"
#include "php/coroutine/fatal_errors.h"

namespace sluice::php {

Callback no_callback() {
    Callback callback = {};
    ZVAL_UNDEF(&callback.callable);
    return callback;
}

Callback method_of(zend_object* object, const char* lower_name) {
    Callback callback = no_callback();
    callback.function = static_cast<zend_function*>(
        zend_hash_str_find_ptr(&object->ce->function_table, lower_name, strlen(lower_name)));
    callback.object = object;
    callback.called_scope = object->ce;
    return callback;
}

Callback make_callback(zval* callable, zend_fcall_info_cache* cache) {
    Callback callback = no_callback();
    ZVAL_COPY(&callback.callable, callable);
    if (cache->function_handler->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) {
        // A trampoline function (__call) lives for one call only.
        zend_release_fcall_info_cache(cache);
        return callback;
    }
    callback.function = cache->function_handler;
    callback.object = cache->object;
    callback.called_scope = cache->called_scope;
    return callback;
}

void release_callback(Callback& callback) {
    zval callable;
    ZVAL_COPY_VALUE(&callable, &callback.callable);
    callback = no_callback();
    zval_ptr_dtor(&callable);
}

void call_in_scope(const Callback& callback, uint32_t argument_count, zval* arguments) {
    zval result;
    ZVAL_UNDEF(&result);
    call_until_fatal_error([&] {
        if (callback.function) {
            zend_call_known_function(callback.function, callback.object, callback.called_scope, &result,
                                     argument_count, arguments, nullptr);
        } else {
            zval callable;
            ZVAL_COPY_VALUE(&callable, &callback.callable);
            call_user_function(nullptr, nullptr, &callable, &result, argument_count, arguments);
        }
    });
    settle_end_of_overdue();
    zval_ptr_dtor(&result);
}

void call(const Callback& callback, uint32_t argument_count, zval* arguments, zend_array* context) {
    const CoroutineScope before = begin_call(context);
    call_in_scope(callback, argument_count, arguments);
    end_call(before);
}

}  // namespace sluice::php
