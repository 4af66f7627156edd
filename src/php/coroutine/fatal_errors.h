#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// After a fatal error of PHP - memory_limit is exceeded, a name is declared twice - the code that has made it
// cannot go on: PHP jumps to the end of the process. Of a worker that would take along all that waits there.
// Here it jumps to the call of the worker's that has led to the code, and no further.

/// Call them before the script begins, and before this extension is unloaded.
void watch_fatal_errors();
void release_fatal_errors();

/// From here on a fatal error ends the call that it is in alone; and no longer.
void survive_fatal_errors();
void die_of_fatal_errors();

/// Whether one has ended a call. What it leaves behind is lost until the process ends, which should be soon.
bool has_survived_fatal_error();

/// Ends what PHP keeps, as after a fatal error: without destructors.
void end_as_after_fatal_error();

/// Calls code that may call PHP code. False, with an exception set, when a fatal error has ended it: in a
/// script's request the one of exit(), otherwise an Error. C++ objects of `code` are lost then, and their
/// destructors are not called.
bool call_until_fatal_error(void (*code)(void* argument), void* argument);
template <typename Code>
bool call_until_fatal_error(const Code& code) {
    auto call = [&code] { code(); };
    return call_until_fatal_error([](void* argument) { (*static_cast<decltype(call)*>(argument))(); }, &call);
}

}  // namespace sluice::php
