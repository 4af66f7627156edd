#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct Coroutine;

// Static properties that are set aside at a switch. A handler and all that it spawns see the same values, and
// nobody else sees them: these are one isolation. Everything else is outside, where the values are what
// handlers begin with; nullptr stands for that.

/// One reference for each coroutine and timer that belongs to it.
struct Isolation;

/// What of PHP's globals one request has for itself: superglobals, headers, output. One of them is in place
/// at a time, or those of the code outside.
class RequestGlobals {
  public:
    virtual void put_in_place() = 0;
    virtual void set_aside() = 0;
    /// What PHP code has put out, once it has passed all output buffers.
    virtual size_t write(const char* text, size_t size) = 0;

  protected:
    ~RequestGlobals() = default;
};

/// Whether anything is isolated. Until then nothing here costs anything.
extern bool isolation_in_use;

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

/// The running code's isolation gets globals of its own, which are put in their places. Where there is no
/// isolation, or it has some already, another one is begun. Returns what take_request_globals() wants.
struct GivenGlobals {
    Isolation* before;
    bool begun;
};
GivenGlobals give_request_globals(RequestGlobals* globals);
/// They are set aside for good; what still runs in the isolation sees those outside.
void take_request_globals(const GivenGlobals& given);
/// Of the running code; nullptr when it has those of the code outside.
RequestGlobals* request_globals();

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
