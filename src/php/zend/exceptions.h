#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Chains are short; a longer one is a loop or a mistake.
inline constexpr int kMostPreviousExceptions = 8;

/// Whether it is PHP's unwind-exit of exit(): no code of the script may run any more.
inline bool is_exit(const zend_object* exception) {
    return zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception);
}

/// nullptr when it has none.
zend_object* previous_of(zend_object* exception);

/// Takes the set exception; the reference is the caller's.
zend_object* take_exception();
/// Sets the exception again, unless exit() has come meanwhile.
void put_back_exception(zend_object* exception);

/// Called with each exception that was logged, and may call the application; nullptr: nobody is told.
extern void (*when_exception_is_logged)(zend_object* exception);

/// What log_exception() writes of the exception that is set: class, message, place and trace, and those
/// before it. It stays set. The text is the caller's; nullptr for exit() on its way out.
zend_string* describe_exception();

enum class Telling : uint8_t { kObserver, kNobody };

/// Logs the exception of `where` ("an HTTP handler") with its trace and its previous ones, clears it,
/// and tells the observer. False on exit(): then nothing was done, unless the observer has called
/// exit().
bool log_exception(const char* where, Telling telling = Telling::kObserver);

}  // namespace sluice::php
