#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// set_error_handler(), set_exception_handler() and error_reporting(): what a coroutine sets is its
// own. It begins with what was set outside of all coroutines, or with the error handler of its
// parent.

struct ErrorHandlers {
    zval error;
    int error_levels;
    zval exception;
    zend_stack errors_before;  ///< for restore_error_handler()
    zend_stack levels_before;
    zend_stack exceptions_before;
};

/// Call it before the first coroutine: each begins with the current error_reporting().
void note_error_reporting();

/// Call them at the beginning and the end of a coroutine's job.
void begin_error_handlers();
void end_error_handlers();

/// False when the running coroutine and the code outside have set no handlers, as usual: there is nothing to
/// save.
extern bool has_error_handlers_outside;
inline bool error_handlers_are_at_rest() {
    return !has_error_handlers_outside && Z_TYPE(EG(user_error_handler)) == IS_UNDEF &&
           Z_TYPE(EG(user_exception_handler)) == IS_UNDEF && !EG(user_error_handlers).elements &&
           !EG(user_exception_handlers).elements;
}
/// Restores the outside handlers while the coroutine waits; `kept` holds its own.
void set_error_handlers_aside(ErrorHandlers& kept);
/// Restores a coroutine's handlers; nullptr: it had none.
void put_error_handlers_back(const ErrorHandlers* kept);

/// Called in a coroutine: its handlers become those of the code outside as well.
void keep_error_handlers();

/// Gives the running coroutine's handler to one that it spawns: a reference; UNDEF: as outside.
void inherit_error_handler(zval* handler, int* levels);
/// Called in the spawned coroutine: takes over the reference.
void adopt_error_handler(zval* handler, int levels);

}  // namespace sluice::php
