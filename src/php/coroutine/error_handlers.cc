#include "php/coroutine/error_handlers.h"

#include "php/coroutine/coroutine.h"

namespace sluice::php {

bool has_error_handlers_outside = false;

namespace {

/// While a coroutine runs: the handlers of the code outside. Valid only if has_error_handlers_outside.
ErrorHandlers outside;
int reporting_outside = 0;

ErrorHandlers in_force() {
    ErrorHandlers handlers;
    ZVAL_COPY_VALUE(&handlers.error, &EG(user_error_handler));
    handlers.error_levels = EG(user_error_handler_error_reporting);
    ZVAL_COPY_VALUE(&handlers.exception, &EG(user_exception_handler));
    handlers.errors_before = EG(user_error_handlers);
    handlers.levels_before = EG(user_error_handlers_error_reporting);
    handlers.exceptions_before = EG(user_exception_handlers);
    return handlers;
}

void put_in_force(const ErrorHandlers& handlers) {
    ZVAL_COPY_VALUE(&EG(user_error_handler), &handlers.error);
    EG(user_error_handler_error_reporting) = handlers.error_levels;
    ZVAL_COPY_VALUE(&EG(user_exception_handler), &handlers.exception);
    EG(user_error_handlers) = handlers.errors_before;
    EG(user_error_handlers_error_reporting) = handlers.levels_before;
    EG(user_exception_handlers) = handlers.exceptions_before;
}

/// Replaces before it frees: a destructor may set handlers.
void replace(zval* place, zval* value) {
    zval before;
    ZVAL_COPY_VALUE(&before, place);
    ZVAL_COPY_VALUE(place, value);
    zval_ptr_dtor(&before);
}

void release(zend_stack& stack) {
    while (!zend_stack_is_empty(&stack)) {
        zval handler;
        ZVAL_COPY_VALUE(&handler, static_cast<zval*>(zend_stack_top(&stack)));
        zend_stack_del_top(&stack);
        zval_ptr_dtor(&handler);
    }
    zend_stack_destroy(&stack);
}

ErrorHandlers no_handlers() {
    ErrorHandlers none = {};
    zend_stack_init(&none.errors_before, sizeof(zval));
    zend_stack_init(&none.levels_before, sizeof(int));
    zend_stack_init(&none.exceptions_before, sizeof(zval));
    return none;
}

void set_outside(const ErrorHandlers& handlers) {
    outside = handlers;
    has_error_handlers_outside = Z_TYPE(handlers.error) != IS_UNDEF ||
                                 Z_TYPE(handlers.exception) != IS_UNDEF || handlers.errors_before.elements ||
                                 handlers.exceptions_before.elements;
}

bool is_same(const zval& left, const zval& right) {
    return Z_TYPE(left) == Z_TYPE(right) && (Z_TYPE(left) == IS_UNDEF || Z_PTR(left) == Z_PTR(right));
}

}  // namespace

void note_error_reporting() {
    reporting_outside = EG(error_reporting);
    set_outside(in_force());
}

void begin_error_handlers() {
    // PHP begins a Fiber with the INI setting, which a call of error_reporting() elsewhere may have changed.
    EG(error_reporting) = reporting_outside;
    if (EXPECTED(error_handlers_are_at_rest())) return;
    set_outside(in_force());
    if (EXPECTED(error_handlers_are_at_rest())) return;
    Z_TRY_ADDREF(EG(user_error_handler));
    Z_TRY_ADDREF(EG(user_exception_handler));
    zend_stack_init(&EG(user_error_handlers), sizeof(zval));
    zend_stack_init(&EG(user_error_handlers_error_reporting), sizeof(int));
    zend_stack_init(&EG(user_exception_handlers), sizeof(zval));
}

void end_error_handlers() {
    if (EXPECTED(error_handlers_are_at_rest())) return;
    ErrorHandlers own = in_force();
    put_in_force(outside);
    zval_ptr_dtor(&own.error);
    zval_ptr_dtor(&own.exception);
    release(own.errors_before);
    zend_stack_destroy(&own.levels_before);
    release(own.exceptions_before);
}

void set_error_handlers_aside(ErrorHandlers& kept) {
    kept = in_force();
    put_in_force(outside);
}

void put_error_handlers_back(const ErrorHandlers* kept) {
    set_outside(in_force());
    put_in_force(kept ? *kept : no_handlers());
}

void keep_error_handlers() {
    reporting_outside = EG(error_reporting);
    zval error, exception;
    ZVAL_COPY(&error, &EG(user_error_handler));
    ZVAL_COPY(&exception, &EG(user_exception_handler));
    outside.error_levels = EG(user_error_handler_error_reporting);
    replace(&outside.error, &error);
    replace(&outside.exception, &exception);
    set_outside(ErrorHandlers(outside));
}

void inherit_error_handler(zval* handler, int* levels) {
    ZVAL_UNDEF(handler);
    if (!enclosing_coroutine() || is_same(EG(user_error_handler), outside.error)) return;
    ZVAL_COPY(handler, &EG(user_error_handler));
    *levels = EG(user_error_handler_error_reporting);
}

void adopt_error_handler(zval* handler, int levels) {
    if (Z_TYPE_P(handler) == IS_UNDEF) return;
    EG(user_error_handler_error_reporting) = levels;
    replace(&EG(user_error_handler), handler);
    ZVAL_UNDEF(handler);
}

}  // namespace sluice::php
