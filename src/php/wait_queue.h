#pragma once

#include "php/coroutine_scheduler.h"

namespace sluice::php {

/// One coroutine in one queue. Stands on its stack while it is suspended.
struct Waiter {
    Coroutine* coroutine;
    Waiter* next;
};

/// Coroutines that wait for the same thing, the longest waiting first. Zero bytes are an empty one.
struct WaitQueue {
    Waiter* first;

    void add(Waiter& waiter) {
        Waiter** place = &first;
        while (*place)
            place = &(*place)->next;
        waiter.next = nullptr;
        *place = &waiter;
    }
    void remove(Waiter& waiter) {
        for (Waiter** place = &first; *place; place = &(*place)->next) {
            if (*place != &waiter) continue;
            *place = waiter.next;
            return;
        }
    }
    /// They stay in it until they run and remove themselves.
    void wake_all() const {
        for (Waiter* waiter = first; waiter; waiter = waiter->next)
            scheduler()->wake(*waiter->coroutine);
    }
};

}  // namespace sluice::php
