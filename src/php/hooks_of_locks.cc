#include "php/hooks_of_locks.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>

#include "php/hook.h"
#include "php/waiting.h"

// Nobody tells when a lock is free. A thread that waits for it would be a thread for each who waits, and
// could not be called back when that coroutine is cancelled.

namespace sluice::php {

namespace {

/// `attempt` must not wait; says so with EAGAIN or EACCES.
template <typename Attempt>
int until_free(Attempt&& attempt) {
    Repeated again;
    for (;;) {
        const int result = attempt();
        if (result == 0 || (errno != EAGAIN && errno != EACCES)) return result;
        if (is_interrupted()) return refuse_to_wait();
        Coroutine* self = hookable();
        if (!self || !again.pause(*self)) return -1;
    }
}

int hooked_flock(int fd, int operation) {
    const bool waits = !(operation & (LOCK_NB | LOCK_UN)) && (hookable() || is_interrupted());
    if (!waits) return flock(fd, operation);
    return until_free([=] { return flock(fd, operation | LOCK_NB); });
}

/// Whatever the third argument is - nothing, a number, a pointer - it fits, and goes on unseen.
int hooked_fcntl(int fd, int command, void* argument) {
    const bool waits = (command == F_SETLKW || command == F_OFD_SETLKW) && (hookable() || is_interrupted());
    if (!waits) return fcntl(fd, command, argument);
    const int without_waiting = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return until_free([=] { return fcntl(fd, without_waiting, argument); });
}

int hooked_fcntl64(int fd, int command, void* argument) {
    return hooked_fcntl(fd, command, argument);
}

const Redirection kHooks[] = {SLUICE_HOOK(flock), SLUICE_HOOK(fcntl), SLUICE_HOOK(fcntl64)};

}  // namespace

std::span<const Redirection> lock_hooks() {
    return kHooks;
}

}  // namespace sluice::php
