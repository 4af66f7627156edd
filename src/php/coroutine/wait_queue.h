#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

/// One coroutine in one queue. Stands on the coroutine's stack while that is suspended.
struct Waiter {
    Coroutine* coroutine;
    Waiter* next = nullptr;
    Waiter* previous = nullptr;
    /// The coroutine was given what it waits for, and has left the queue. When it is cancelled at that very
    /// moment, it passes on what it was given.
    bool served = false;
};

/// Coroutines that wait for one thing, the longest waiting first. Zero bytes are an empty queue.
struct WaitQueue {
    Waiter* first;
    Waiter* last;

    void add(Waiter& waiter) {
        waiter.next = nullptr;
        waiter.previous = last;
        (last ? last->next : first) = &waiter;
        last = &waiter;
    }
    void remove(Waiter& waiter) {
        (waiter.previous ? waiter.previous->next : first) = waiter.next;
        (waiter.next ? waiter.next->previous : last) = waiter.previous;
    }
    /// Wakes all waiters. They stay in the queue until they run and remove themselves.
    void wake_all() const {
        for (Waiter* waiter = first; waiter; waiter = waiter->next)
            scheduler()->wake(*waiter->coroutine);
    }
    /// Serves and wakes the longest waiting one, and takes it out; nullptr when nobody waits.
    Waiter* serve_first() {
        Waiter* waiter = first;
        if (!waiter) return nullptr;
        remove(*waiter);
        waiter->served = true;
        scheduler()->wake(*waiter->coroutine);
        return waiter;
    }
    void serve_all() {
        while (serve_first()) {
        }
    }
    /// Waits to be served: `waiter.served` tells, whatever is returned. The waiter is in the queue no more.
    Wake wait(Waiter& waiter, uint64_t due_ms) {
        add(waiter);
        const Wake wake = scheduler()->suspend(*waiter.coroutine, due_ms);
        if (!waiter.served) remove(waiter);
        return wake;
    }
};

}  // namespace sluice::php
