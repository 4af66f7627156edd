#include "php/hooks/hooks_of_polling.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"

extern "C" {
int __poll_chk(pollfd* fds, nfds_t count, int timeout_ms, size_t room);
int __ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask, size_t room);
}

namespace sluice::php {

namespace {

/// -1, no limit, for nullptr.
int timeout_ms_of(const timespec* timeout) {
    if (!timeout) return -1;
    const int64_t ms = int64_t{timeout->tv_sec} * 1000 + (timeout->tv_nsec + 999'999) / 1'000'000;
    return static_cast<int>(ms > INT_MAX ? INT_MAX : ms);
}

bool is_valid(const timespec* timeout) {
    return !timeout || (timeout->tv_sec >= 0 && timeout->tv_nsec >= 0 && timeout->tv_nsec < 1'000'000'000);
}

bool only_looks(const timespec* timeout) {
    return timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
}

int hooked_poll(pollfd* fds, nfds_t count, int timeout_ms) {
    if (timeout_ms == 0) return poll(fds, count, 0);
    if (is_interrupted()) return refuse_to_wait();
    Coroutine* self = hookable();
    if (!self) return poll(fds, count, timeout_ms);
    return wait_in_poll(*self, fds, count, timeout_ms);
}

/// With a signal mask it blocks: signals belong to the whole process.
int hooked_ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    if (only_looks(timeout) || mask || !is_valid(timeout)) return ppoll(fds, count, timeout, mask);
    if (is_interrupted()) return refuse_to_wait();
    Coroutine* self = hookable();
    if (!self) return ppoll(fds, count, timeout, mask);
    return wait_in_poll(*self, fds, count, timeout_ms_of(timeout));
}

/// select() and pselect() for a coroutine.
int select_with(Coroutine& self, int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                const timespec* timeout) {
    pollfd fds[FD_SETSIZE];
    nfds_t used = 0;
    for (int fd = 0; fd < count; ++fd) {
        short events = 0;
        if (readable && FD_ISSET(fd, readable)) events |= POLLIN;
        if (writable && FD_ISSET(fd, writable)) events |= POLLOUT;
        if (exceptional && FD_ISSET(fd, exceptional)) events |= POLLPRI;
        if (events) fds[used++] = {fd, events, 0};
    }
    if (wait_in_poll(self, fds, used, timeout_ms_of(timeout)) < 0) return -1;
    // Let the kernel fill in the sets.
    timeval none = {0, 0};
    return select(count, readable, writable, exceptional, &none);
}

int hooked_select(int count, fd_set* readable, fd_set* writable, fd_set* exceptional, timeval* timeout) {
    timespec limit;
    if (timeout) limit = {timeout->tv_sec, static_cast<long>(timeout->tv_usec) * 1000};
    const timespec* given = timeout ? &limit : nullptr;
    if (!only_looks(given) && is_interrupted()) return refuse_to_wait();
    const bool can = !only_looks(given) && is_valid(given) && count >= 0 && count <= FD_SETSIZE;
    Coroutine* self = can ? hookable() : nullptr;
    return self ? select_with(*self, count, readable, writable, exceptional, given)
                : select(count, readable, writable, exceptional, timeout);
}

int hooked_pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                   const timespec* timeout, const sigset_t* mask) {
    if (!only_looks(timeout) && is_interrupted()) return refuse_to_wait();
    const bool can = !only_looks(timeout) && is_valid(timeout) && !mask && count >= 0 && count <= FD_SETSIZE;
    Coroutine* self = can ? hookable() : nullptr;
    return self ? select_with(*self, count, readable, writable, exceptional, timeout)
                : pselect(count, readable, writable, exceptional, timeout, mask);
}

int hooked_epoll_wait(int epoll_fd, epoll_event* events, int most, int timeout_ms) {
    if (timeout_ms == 0) return epoll_wait(epoll_fd, events, most, 0);
    if (is_interrupted()) return refuse_to_wait();
    if (Coroutine* self = hookable()) {
        // An epoll descriptor is readable when it has something to tell.
        pollfd one = {epoll_fd, POLLIN, 0};
        const int ready = wait_in_poll(*self, &one, 1, timeout_ms);
        if (ready <= 0) return ready;
        timeout_ms = 0;
    }
    return epoll_wait(epoll_fd, events, most, timeout_ms);
}

// The names of these calls with _FORTIFY_SOURCE.

int hooked___poll_chk(pollfd* fds, nfds_t count, int timeout_ms, size_t room) {
    return count > room / sizeof(pollfd) ? __poll_chk(fds, count, timeout_ms, room)
                                         : hooked_poll(fds, count, timeout_ms);
}

int hooked___ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask,
                       size_t room) {
    return count > room / sizeof(pollfd) ? __ppoll_chk(fds, count, timeout, mask, room)
                                         : hooked_ppoll(fds, count, timeout, mask);
}

const Redirection kHooks[] = {
    SLUICE_HOOK(poll),   SLUICE_HOOK(__poll_chk), SLUICE_HOOK(ppoll),      SLUICE_HOOK(__ppoll_chk),
    SLUICE_HOOK(select), SLUICE_HOOK(pselect),    SLUICE_HOOK(epoll_wait),
};

}  // namespace

std::span<const Redirection> polling_hooks() {
    return kHooks;
}

}  // namespace sluice::php
