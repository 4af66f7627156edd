#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct Coroutine;

// Static properties that are swapped at a switch of Fibers. A handler and all coroutines that it spawns form
// one isolation: they share values that no other code sees. All other code is outside (nullptr); its values
// are those that handlers begin with.

/// One reference for each coroutine and timer that belongs to it.
struct Isolation;

/// PHP's globals of one request: superglobals, headers, output. One request's are installed at a time, or the
/// outside's.
class RequestGlobals {
  public:
    virtual void put_in_place() = 0;
    virtual void set_aside() = 0;
    /// Takes output of PHP code that has passed all output buffers.
    virtual size_t write(const char* text, size_t size) = 0;
    /// A fatal error has ended the code that they belong to: objects get no destructor called any more.
    virtual void note_fatal_error() = 0;

  protected:
    ~RequestGlobals() = default;
};

/// Whether anything is isolated. While false, this file costs nothing.
extern bool isolation_in_use;

/// Why nothing can be isolated any more, as a sentence; nullptr when it still can be.
const char* isolation_refusal();
/// Call it before a worker's handlers begin: nothing more can be isolated.
void close_isolation();
/// Isolates a static property by its place, which must not move while the script runs. False when it was
/// isolated already.
bool isolate_place(zval* place, const zend_property_info* property);

/// Begins an isolation for the running code, and ends it, which restores the former one. Destructors of its
/// values still see its values. Without isolated places there is no isolation: returns nullptr (outside).
Isolation* begin_isolation();
void end_isolation(Isolation* before);

/// Gives the running code's isolation globals of its own, and installs them. Begins another isolation where
/// there is none, or it has globals already. Returns the argument for take_request_globals().
struct GivenGlobals {
    Isolation* before;
    bool begun;
};
GivenGlobals give_request_globals(RequestGlobals* globals);
/// Removes the globals for good; code that still runs in the isolation sees the outside's.
void take_request_globals(const GivenGlobals& given);
/// The running code's globals; nullptr when it sees the outside's.
RequestGlobals* request_globals();

/// A new reference to the running code's isolation, for a coroutine or a timer.
Isolation* inherit_isolation();
/// As begin_isolation(), with an inherited one; adds a reference to it.
Isolation* adopt_isolation(Isolation* inherited);
void release_isolation(Isolation* inherited);

/// Call it at each switch of Fibers while there are isolated places: installs the isolation of `to`.
void switch_isolation(const zend_fiber_context* to);
/// Call it after the last coroutine.
void return_outside();

/// Call it before PHP destroys the script's classes.
void forget_isolations();

}  // namespace sluice::php
