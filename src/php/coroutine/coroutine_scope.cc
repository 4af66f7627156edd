#include "php/coroutine/coroutine_scope.h"

#include "php/zend/exceptions.h"

namespace sluice::php {

namespace {

void call_deferred(zval* callable) {
    zend_object* pending = EG(exception);
    // Set the exception aside, as `finally` does.
    EG(exception) = nullptr;
    zval result;
    zend_fcall_info info = {};
    info.size = sizeof info;
    ZVAL_COPY_VALUE(&info.function_name, callable);
    info.retval = &result;
    ZVAL_UNDEF(&result);
    zend_call_function(&info, nullptr);
    zval_ptr_dtor(&result);
    if (!pending) return;
    if (!EG(exception)) {
        EG(exception) = pending;
    } else if (zend_is_graceful_exit(pending) || is_exit(EG(exception))) {
        OBJ_RELEASE(pending);
    } else {
        zend_exception_set_previous(EG(exception), pending);
    }
}

}  // namespace

void release_context(zend_array* context) {
    if (context) zend_array_release(context);
}

void add_deferred(CoroutineScope& scope, zval* callable) {
    if (!scope.deferred) scope.deferred = zend_new_array(0);
    Z_TRY_ADDREF_P(callable);
    zend_hash_next_index_insert_new(scope.deferred, callable);
}

void run_deferred(CoroutineScope& scope) {
    // Deferred callables may defer more.
    while (scope.deferred && zend_hash_num_elements(scope.deferred) > 0) {
        if (EG(exception) && zend_is_unwind_exit(EG(exception))) return;
        const zend_ulong last = scope.deferred->nNumOfElements - 1;
        zval callable;
        ZVAL_COPY(&callable, zend_hash_index_find(scope.deferred, last));
        zend_hash_index_del(scope.deferred, last);
        scope.deferred->nNextFreeElement = static_cast<zend_long>(last);
        call_deferred(&callable);
        zval_ptr_dtor(&callable);
    }
}

void clear_scope(CoroutineScope& scope) {
    zend_array* context = scope.context;
    zend_array* deferred = scope.deferred;
    scope = {};
    release_context(context);
    if (deferred) zend_array_release(deferred);
}

}  // namespace sluice::php
