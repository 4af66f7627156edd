#include "php/waiting.h"

#include <cerrno>
#include <cstdlib>
#include <pthread.h>

#include "base/clock.h"

namespace sluice::php {

namespace {

/// More are rare, and come from the heap.
constexpr nfds_t kFewFds = 8;

pthread_t owner;
bool owned = false;

bool is_own_thread() {
    return owned && pthread_equal(owner, pthread_self());
}

}  // namespace

void own_this_thread() {
    owner = pthread_self();
    owned = true;
}

Coroutine* hookable() {
    return is_own_thread() ? suspendable() : nullptr;
}

bool is_interrupted() {
    if (!is_own_thread() || !EG(exception)) return false;
    const Coroutine* self = current_coroutine();
    return self && self->thrown == EG(exception);
}

int refuse_to_wait() {
    errno = ECANCELED;
    return -1;
}

int wait_in_poll(Coroutine& self, pollfd* fds, nfds_t count, int timeout_ms) {
    int ready = poll(fds, count, 0);
    if (ready != 0) return ready;
    const uint64_t due_ms = timeout_ms < 0 ? 0 : monotonic_ms() + static_cast<uint64_t>(timeout_ms) + 1;
    FdWait few[kFewFds];
    FdWait* waits = few;
    // Plain memory: should PHP jump past this, it is lost together with the process.
    if (count > kFewFds) waits = static_cast<FdWait*>(malloc(count * sizeof(FdWait)));
    if (!waits) return poll(fds, count, timeout_ms);
    for (nfds_t index = 0; index < count; ++index)
        waits[index] = {fds[index].fd, static_cast<uint32_t>(static_cast<unsigned short>(fds[index].events)),
                        &self, nullptr};
    Wake wake = Wake::kWoken;
    do {
        if (!scheduler()->suspend_for(self, {waits, count}, due_ms, wake)) {
            ready = poll(fds, count, timeout_ms);
            break;
        }
        ready = wake == Wake::kInterrupted ? refuse_to_wait() : poll(fds, count, 0);
        // Who is woken without anything being ready goes on waiting.
    } while (ready == 0 && wake == Wake::kWoken);
    if (waits != few) {
        const int error = errno;
        free(waits);
        errno = error;
    }
    return ready;
}

}  // namespace sluice::php
