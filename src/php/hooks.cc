#include "php/hooks.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/import_table.h"
#include "php/coroutine_scheduler.h"
#include "php/hooks_of_sockets.h"
#include "php/waiting.h"

extern "C" int __poll_chk(pollfd* fds, nfds_t count, int timeout_ms, size_t room);

namespace sluice::php {

namespace {

bool installed = false;
unsigned long long libraries_seen = 0;

// -- The calls that only pass time

bool sleep_until(uint64_t due_ms) {
    Coroutine* self = hookable();
    if (!self) return false;
    scheduler()->suspend(*self, due_ms);
    return true;
}

int hooked_usleep(useconds_t us) {
    // One more, for the current millisecond has begun already.
    if (!sleep_until(monotonic_ms() + (us + 999) / 1000 + 1)) return usleep(us);
    return 0;
}

unsigned hooked_sleep(unsigned seconds) {
    const uint64_t due_ms = monotonic_ms() + uint64_t{seconds} * 1000 + 1;
    if (!sleep_until(due_ms)) return sleep(seconds);
    const uint64_t now_ms = monotonic_ms();
    return now_ms >= due_ms ? 0 : static_cast<unsigned>((due_ms - now_ms + 999) / 1000);
}

int hooked_nanosleep(const timespec* wanted, timespec* left) {
    if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= 1'000'000'000)
        return nanosleep(wanted, left);
    const uint64_t due_ms = monotonic_ms() + static_cast<uint64_t>(wanted->tv_sec) * 1000 +
                            static_cast<uint64_t>(wanted->tv_nsec + 999'999) / 1'000'000 + 1;
    if (!sleep_until(due_ms)) return nanosleep(wanted, left);
    const uint64_t now_ms = monotonic_ms();
    if (now_ms >= due_ms) return 0;
    if (left) {
        left->tv_sec = static_cast<time_t>((due_ms - now_ms) / 1000);
        left->tv_nsec = static_cast<long>((due_ms - now_ms) % 1000) * 1'000'000;
    }
    errno = EINTR;
    return -1;
}

// -- Those that wait for descriptors

int hooked_poll(pollfd* fds, nfds_t count, int timeout_ms) {
    if (timeout_ms == 0) return poll(fds, count, 0);
    if (is_interrupted()) return refuse_to_wait();
    Coroutine* self = hookable();
    if (!self) return poll(fds, count, timeout_ms);
    return wait_in_poll(*self, fds, count, timeout_ms);
}

/// What it is named where the compiler has added a check of the array's size.
int hooked___poll_chk(pollfd* fds, nfds_t count, int timeout_ms, size_t room) {
    return count > room / sizeof(pollfd) ? __poll_chk(fds, count, timeout_ms, room)
                                         : hooked_poll(fds, count, timeout_ms);
}

int hooked_select(int count, fd_set* readable, fd_set* writable, fd_set* exceptional, timeval* timeout) {
    Coroutine* self = hookable();
    const bool only_looks = timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0;
    if (is_interrupted() && !only_looks) return refuse_to_wait();
    if (!self || only_looks || count < 0 || count > FD_SETSIZE)
        return select(count, readable, writable, exceptional, timeout);

    pollfd fds[FD_SETSIZE];
    nfds_t used = 0;
    for (int fd = 0; fd < count; ++fd) {
        short events = 0;
        if (readable && FD_ISSET(fd, readable)) events |= POLLIN;
        if (writable && FD_ISSET(fd, writable)) events |= POLLOUT;
        if (exceptional && FD_ISSET(fd, exceptional)) events |= POLLPRI;
        if (events) fds[used++] = {fd, events, 0};
    }
    int timeout_ms = -1;
    if (timeout) {
        const int64_t ms = int64_t{timeout->tv_sec} * 1000 + (timeout->tv_usec + 999) / 1000;
        timeout_ms = static_cast<int>(ms > INT32_MAX ? INT32_MAX : ms);
    }
    if (wait_in_poll(*self, fds, used, timeout_ms) < 0) return -1;
    // The kernel says it in its own terms, and finds what is no descriptor.
    timeval none = {0, 0};
    return select(count, readable, writable, exceptional, &none);
}

#define SLUICE_HOOK(name) \
    { #name, reinterpret_cast < void*>(&::name), reinterpret_cast < void*>(&hooked_##name) }

const Redirection kHooks[] = {SLUICE_HOOK(usleep), SLUICE_HOOK(sleep),      SLUICE_HOOK(nanosleep),
                              SLUICE_HOOK(poll),   SLUICE_HOOK(__poll_chk), SLUICE_HOOK(select)};

#undef SLUICE_HOOK

}  // namespace

void install_hooks() {
    if (!INI_BOOL("sluice.hooks")) return;
    own_this_thread();
    installed = true;
    libraries_seen = loaded_libraries();
    redirect_imports(kHooks);
    redirect_imports(socket_hooks());
}

void hook_new_libraries() {
    if (installed && loaded_libraries() != libraries_seen) install_hooks();
}

void remove_hooks() {
    if (!installed) return;
    installed = false;
    restore_imports(kHooks);
    restore_imports(socket_hooks());
}

}  // namespace sluice::php
