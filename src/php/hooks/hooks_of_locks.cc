#include "php/hooks/hooks_of_locks.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"

// There is no notification for a free lock or semaphore, or for a message. Threads would be needed one for
// each waiting coroutine, and could not be stopped when that is cancelled. So these calls poll.

namespace sluice::php {

namespace {

/// `attempt` must not wait; says so with EAGAIN or `other`.
template <typename Attempt>
auto until_free(Attempt&& attempt, int other) {
    Repeated again;
    for (;;) {
        const auto result = attempt();
        if (result >= 0 || (errno != EAGAIN && errno != other)) return result;
        if (is_interrupted()) {
            refuse_to_wait();
            return result;
        }
        Coroutine* self = hookable();
        if (!self || !again.pause(*self)) return result;
    }
}

int hooked_flock(int fd, int operation) {
    const bool waits = !(operation & (LOCK_NB | LOCK_UN)) && (hookable() || is_interrupted());
    if (!waits) return flock(fd, operation);
    return until_free([=] { return flock(fd, operation | LOCK_NB); }, EAGAIN);
}

/// The third argument - nothing, a number or a pointer - fits into a pointer, and is passed on as it is.
int hooked_fcntl(int fd, int command, void* argument) {
    const bool waits = (command == F_SETLKW || command == F_OFD_SETLKW) && (hookable() || is_interrupted());
    if (!waits) return fcntl(fd, command, argument);
    const int without_waiting = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return until_free([=] { return fcntl(fd, without_waiting, argument); }, EACCES);
}

int hooked_fcntl64(int fd, int command, void* argument) {
    return hooked_fcntl(fd, command, argument);
}

// -- System V's semaphores and messages

/// Calls with more operations block as usual.
constexpr size_t kMostOperations = 16;

int hooked_semop(int semaphores, sembuf* operations, size_t count) {
    // One operation with IPC_NOWAIT decides for all.
    const bool waits = count <= kMostOperations && (hookable() || is_interrupted()) &&
                       std::none_of(operations, operations + count,
                                    [](const sembuf& one) { return one.sem_flg & IPC_NOWAIT; });
    if (!waits) return semop(semaphores, operations, count);
    sembuf without_waiting[kMostOperations];
    std::copy_n(operations, count, without_waiting);
    for (size_t index = 0; index < count; ++index)
        without_waiting[index].sem_flg |= IPC_NOWAIT;
    return until_free([&] { return semop(semaphores, without_waiting, count); }, EAGAIN);
}

ssize_t hooked_msgrcv(int queue, void* message, size_t size, long type, int flags) {
    const bool waits = !(flags & IPC_NOWAIT) && (hookable() || is_interrupted());
    if (!waits) return msgrcv(queue, message, size, type, flags);
    return until_free([=] { return msgrcv(queue, message, size, type, flags | IPC_NOWAIT); }, ENOMSG);
}

int hooked_msgsnd(int queue, const void* message, size_t size, int flags) {
    const bool waits = !(flags & IPC_NOWAIT) && (hookable() || is_interrupted());
    if (!waits) return msgsnd(queue, message, size, flags);
    return until_free([=] { return msgsnd(queue, message, size, flags | IPC_NOWAIT); }, EAGAIN);
}

const Redirection kHooks[] = {SLUICE_HOOK(flock), SLUICE_HOOK(fcntl),  SLUICE_HOOK(fcntl64),
                              SLUICE_HOOK(semop), SLUICE_HOOK(msgrcv), SLUICE_HOOK(msgsnd)};

}  // namespace

std::span<const Redirection> lock_hooks() {
    return kHooks;
}

}  // namespace sluice::php
