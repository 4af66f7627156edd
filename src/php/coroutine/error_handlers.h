#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// set_error_handler(), set_exception_handler() and error_reporting(): what a coroutine sets is its own. It
// begins with what was set outside of all coroutines, or with the error handler of the coroutine that has
// spawned it.

struct ErrorHandlers {
    zval error;
    int error_levels;
    zval exception;
    zend_stack errors_before;  ///< for restore_error_handler()
    zend_stack levels_before;
    zend_stack exceptions_before;
};

/// Before the first coroutine: what error_reporting() is now, each of them begins with.
void note_error_reporting();

/// At the beginning of a coroutine's job, and at its end.
void begin_error_handlers();
void end_error_handlers();

/// Neither the running coroutine nor the code outside has set any, which is how most are: nothing to set
/// aside.
extern bool has_error_handlers_outside;
inline bool error_handlers_are_at_rest() {
    return !has_error_handlers_outside && Z_TYPE(EG(user_error_handler)) == IS_UNDEF &&
           Z_TYPE(EG(user_exception_handler)) == IS_UNDEF && !EG(user_error_handlers).elements &&
           !EG(user_exception_handlers).elements;
}
/// While it waits, those outside are in force again; `kept` holds its own.
void set_error_handlers_aside(ErrorHandlers& kept);
/// nullptr: it had none.
void put_error_handlers_back(const ErrorHandlers* kept);

/// In a coroutine: what it has set holds outside as well, from here on.
void keep_error_handlers();

/// Of the running coroutine, if it is not the one outside, for one that it spawns: a reference, or UNDEF.
void inherit_error_handler(zval* handler, int* levels);
/// In the one that was spawned: takes over the reference.
void adopt_error_handler(zval* handler, int levels);

}  // namespace sluice::php
