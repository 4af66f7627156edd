#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

// For tests: `sluice.cancel_at` is the number of a suspension in which its coroutine is cancelled. Counts the
// suspensions of the coroutine that sets it, and of all that begin later. Afterwards the setting is 0 again.

extern uint32_t suspensions_until_cancel;  ///< 0: no coroutine is to be cancelled

bool is_cancelled_by_count(const Coroutine& self);
/// Whether the coroutine is to be cancelled in the suspension that begins.
inline bool is_cancelled_here(const Coroutine& self) {
    return UNEXPECTED(suspensions_until_cancel > 0) && is_cancelled_by_count(self);
}

ZEND_INI_MH(set_cancel_at);

}  // namespace sluice::php
