#pragma once

#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"
#include "php/coroutine/wait_queue.h"

namespace sluice::php {

/// Waits to be served by `queue`. False when it has thrown: `complaint` says what has not
/// happened in time. A coroutine that is cancelled and served at once calls `pass_on`, for the
/// next one.
template <typename PassOn>
bool wait_for_turn(WaitQueue& queue, const Timeout& timeout, const char* complaint, PassOn&& pass_on) {
    Coroutine* self = require_coroutine();
    if (!self) return false;
    Waiter waiter{self};
    const Wake wake = queue.wait(waiter, timeout.due_ms());
    if (wake == Wake::kInterrupted) {
        if (waiter.served) pass_on();
        return false;
    }
    if (!waiter.served) timeout.expire(complaint);
    return waiter.served;
}

}  // namespace sluice::php
