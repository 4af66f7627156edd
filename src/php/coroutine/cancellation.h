#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

/// Sluice\Coroutine\CancelledError: thrown where a cancelled coroutine waits.
extern zend_class_entry* cancelled_error_class;

/// How long a cancelled coroutine may wait for what it cleans up.
constexpr uint64_t kCleanUpMs = 3000;

// A coroutine that has caught its CancelledError and still waits after that time is ended: an exception is
// thrown that runs `finally` blocks and that no `catch` gets.

/// Notes that `self` gets its CancelledError.
void note_cancelled(Coroutine& self);
/// Whether its time to clean up is over.
bool is_overdue(const Coroutine& self);
/// The exception that ends a coroutine; says so in the log, once for each place.
zend_object* end_overdue(Coroutine& self);
/// Call it where the application's code has returned to C++: the exception becomes a CancelledError.
void settle_end_of_overdue();
/// Whether EG(exception) ends the running coroutine, and not PHP.
bool ends_overdue();

/// Around waiting for children that were cancelled, whose own time bounds it.
class AwaitsChildren {
  public:
    explicit AwaitsChildren(Coroutine& self) : self_(self) { ++self_.awaits_children; }
    ~AwaitsChildren();

  private:
    Coroutine& self_;
};

/// Whether it is a CancelledError, or has one among its previous ones, as drivers wrap it.
bool comes_of_cancellation(zend_object* exception);

}  // namespace sluice::php
