#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Chains are short; a longer one is a loop or a mistake.
inline constexpr int kMostPreviousExceptions = 8;

/// Whether it is no exception, but exit() on its way out: nothing of the script may run any more.
inline bool is_exit(const zend_object* exception) {
    return zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception);
}

/// nullptr when it has none.
zend_object* previous_of(zend_object* exception);

/// Takes the exception that is set out of the way; the reference is the caller's.
zend_object* take_exception();
/// Sets it again. exit() on its way out, which has come meanwhile, goes before it.
void put_back_exception(zend_object* exception);

/// Called with each exception that was logged, and may call the application; nullptr: nobody is told.
extern void (*when_exception_is_logged)(zend_object* exception);

enum class Telling : uint8_t { kObserver, kNobody };

/// Writes the exception that has come out of `where` ("an HTTP handler") to the log, with its trace and those
/// before it, clears it, and tells the observer. False when exit() is on its way out: then nothing is done,
/// unless it was the observer who called that.
bool log_exception(const char* where, Telling telling = Telling::kObserver);

}  // namespace sluice::php
