#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct Coroutine;

// Static properties that are set aside at a switch. A handler and all that it spawns see the same values, and
// nobody else sees them: these are one isolation. Everything else is outside, where the values are what
// handlers begin with; nullptr stands for that.

/// One reference for each coroutine and timer that belongs to it.
struct Isolation;

/// How many places are isolated. While there are none nothing here costs anything.
extern size_t isolated_places;

/// Why nothing can be isolated any more, as a sentence; nullptr when it can. Those that exist began without.
const char* isolation_refusal();
/// From here on each worker's handlers begin.
void close_isolation();
/// Adds the place of a static property, which stays where it is for as long as the script runs. False when it
/// was isolated already.
bool isolate_place(zval* place, const zend_property_info* property);

/// The running code begins an isolation of its own, and ends it: what it saw before comes back. Destructors
/// of what ends with it see its values. Without isolated places there is none, and nullptr is outside.
Isolation* begin_isolation();
void end_isolation(Isolation* before);

/// One more reference to the running code's, for a coroutine or a timer.
Isolation* inherit_isolation();
/// begin_isolation() with one that was inherited, by a reference of its own.
Isolation* adopt_isolation(Isolation* inherited);
void release_isolation(Isolation* inherited);

/// At each switch of Fibers while there are isolated places: what `to` runs in sees its values.
void switch_isolation(const zend_fiber_context* to);
/// After the last coroutine.
void return_outside();

/// Before PHP destroys the script's classes.
void forget_isolations();

}  // namespace sluice::php
