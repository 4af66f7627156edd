#include "php/coroutine/waiting.h"

#include <cerrno>
#include <cstdlib>
#include <pthread.h>

#include "core/clock.h"
#include "php/coroutine/concurrent_use.h"

namespace sluice::php {

namespace {

/// Waits for more descriptors are rare, and use the heap.
constexpr nfds_t kFewFds = 8;
/// Some callers retry before they give up.
constexpr int kMostTurnsBeforeClosing = 100;

pthread_t owner;
bool owned = false;

/// The compiler and opcache do not support another compilation in between.
bool is_including() {
    const zend_execute_data* frame = EG(current_execute_data);
    return frame && frame->func && ZEND_USER_CODE(frame->func->type) && frame->opline &&
           frame->opline->opcode == ZEND_INCLUDE_OR_EVAL;
}

}  // namespace

bool is_own_thread() {
    return owned && pthread_equal(owner, pthread_self());
}

void own_this_thread() {
    static bool first = true;
    // A forked child shares its parent's epoll descriptor, and must not wait by it.
    if (first) pthread_atfork(nullptr, nullptr, [] { owned = false; });
    first = false;
    owner = pthread_self();
    owned = true;
}

Coroutine* hookable() {
    // One that was interrupted waits no more.
    if (!is_own_thread() || is_interrupted()) return nullptr;
    Coroutine* self = suspendable_in_c();
    return self && !is_including() ? self : nullptr;
}

bool is_interrupted() {
    if (!is_own_thread() || !EG(exception)) return false;
    const Coroutine* self = enclosing_coroutine();
    return self && self->thrown == EG(exception);
}

int refuse_to_wait() {
    errno = ECANCELED;
    return -1;
}

int wait_in_poll(Coroutine& self, pollfd* fds, nfds_t count, int timeout_ms) {
    for (nfds_t index = 0; index < count; ++index)
        if (is_used_by_another(self, fds[index].fd, fds[index].events)) return -1;
    int ready = poll(fds, count, 0);
    if (ready != 0) return ready;
    const uint64_t due_ms = timeout_ms < 0 ? 0 : monotonic_ms() + static_cast<uint64_t>(timeout_ms) + 1;
    FdWait few[kFewFds];
    FdWait* waits = few;
    // Plain memory: if PHP jumps past this (bailout), it is lost together with the process.
    if (count > kFewFds) waits = static_cast<FdWait*>(malloc(count * sizeof(FdWait)));
    if (!waits) return poll(fds, count, timeout_ms);
    for (nfds_t index = 0; index < count; ++index)
        waits[index] = {fds[index].fd, static_cast<uint32_t>(static_cast<unsigned short>(fds[index].events)),
                        &self, nullptr};
    auto was_closed = [&] {
        for (nfds_t index = 0; index < count; ++index)
            if (waits[index].closed) return true;
        return false;
    };
    Wake wake = Wake::kWoken;
    do {
        if (!scheduler()->suspend_for(self, {waits, count}, due_ms, wake)) {
            ready = poll(fds, count, timeout_ms);
            break;
        }
        if (wake == Wake::kInterrupted) {
            ready = refuse_to_wait();
        } else if (was_closed()) {
            errno = EBADF;
            ready = -1;
        } else {
            ready = poll(fds, count, 0);
        }
        // A wake-up without a ready descriptor: go on waiting.
    } while (ready == 0 && wake == Wake::kWoken);
    if (waits != few) {
        const int error = errno;
        free(waits);
        errno = error;
    }
    return ready;
}

void send_away_from(int fd) {
    if (!is_own_thread() || !scheduler()) return;
    for (int turn = 0; turn < kMostTurnsBeforeClosing && scheduler()->end_waits_for(fd); ++turn) {
        Coroutine* self = hookable();
        if (!self) return;
        scheduler()->suspend(*self, monotonic_ms());
    }
}

bool wait_for_job(Coroutine& self, ThreadJob& job) {
    if (!ThreadPool::of_process().give(job)) return false;
    pollfd done = {job.done_fd(), POLLIN, 0};
    return wait_in_poll(self, &done, 1, -1) > 0;
}

bool Repeated::pause(Coroutine& self) {
    const Wake wake = scheduler()->suspend(self, monotonic_ms() + next_ms_);
    next_ms_ = next_ms_ * 2 < kLongestMs ? next_ms_ * 2 : kLongestMs;
    if (wake == Wake::kInterrupted) refuse_to_wait();
    return wake != Wake::kInterrupted;
}

}  // namespace sluice::php
