#include "php/hooks_of_sockets.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "php/waiting.h"

extern "C" {
ssize_t __recv_chk(int fd, void* data, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void* data, size_t size, size_t room, int flags, sockaddr* from,
                       socklen_t* from_size);
ssize_t __read_chk(int fd, void* data, size_t size, size_t room);
}

namespace sluice::php {

namespace {

bool is_blocking(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && !(flags & O_NONBLOCK);
}

/// What setsockopt() has set for the socket; -1: for ever.
int socket_timeout_ms(int fd, int option) {
    timeval time = {0, 0};
    socklen_t size = sizeof time;
    if (getsockopt(fd, SOL_SOCKET, option, &time, &size) != 0 || (time.tv_sec == 0 && time.tv_usec == 0))
        return -1;
    return static_cast<int>(time.tv_sec * 1000 + (time.tv_usec + 999) / 1000);
}

/// After a call that would have waited: waits for it. True to make it once more; otherwise errno says what it
/// is to answer.
bool wait_for_socket(Coroutine& self, int fd, short events, int option) {
    pollfd one = {fd, events, 0};
    const int ready = wait_in_poll(self, &one, 1, socket_timeout_ms(fd, option));
    if (ready == 0) errno = EAGAIN;
    return ready > 0;
}

bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

/// Makes the call so that it does not wait, and does the waiting itself. `attempt` is given further flags.
template <typename Attempt>
ssize_t in_turns(int fd, int flags, short events, int option, Attempt&& attempt) {
    Coroutine* self = (flags & MSG_DONTWAIT) ? nullptr : hookable();
    if (!self) {
        if (!(flags & MSG_DONTWAIT) && is_interrupted() && is_blocking(fd)) return refuse_to_wait();
        return attempt(0);
    }
    for (;;) {
        const ssize_t done = attempt(MSG_DONTWAIT);
        if (done >= 0 || !would_block() || !is_blocking(fd)) return done;
        errno = EAGAIN;
        if (!wait_for_socket(*self, fd, events, option)) return -1;
    }
}

ssize_t hooked_recv(int fd, void* data, size_t size, int flags) {
    return in_turns(fd, flags, POLLIN, SO_RCVTIMEO,
                    [&](int more) { return recv(fd, data, size, flags | more); });
}

ssize_t hooked_recvfrom(int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* from_size) {
    return in_turns(fd, flags, POLLIN, SO_RCVTIMEO,
                    [&](int more) { return recvfrom(fd, data, size, flags | more, from, from_size); });
}

ssize_t hooked_recvmsg(int fd, msghdr* message, int flags) {
    return in_turns(fd, flags, POLLIN, SO_RCVTIMEO,
                    [&](int more) { return recvmsg(fd, message, flags | more); });
}

/// A blocking send() takes everything before it returns, and who calls it counts on that.
ssize_t hooked_send(int fd, const void* data, size_t size, int flags) {
    size_t sent = 0;
    do {
        const ssize_t part = in_turns(fd, flags, POLLOUT, SO_SNDTIMEO, [&](int more) {
            return send(fd, static_cast<const char*>(data) + sent, size - sent, flags | more);
        });
        if (part < 0) return sent > 0 ? static_cast<ssize_t>(sent) : -1;
        sent += static_cast<size_t>(part);
    } while (sent < size && !(flags & MSG_DONTWAIT) && is_blocking(fd));
    return static_cast<ssize_t>(sent);
}

ssize_t hooked_sendto(int fd, const void* data, size_t size, int flags, const sockaddr* to,
                      socklen_t to_size) {
    if (!to) return hooked_send(fd, data, size, flags);
    return in_turns(fd, flags, POLLOUT, SO_SNDTIMEO,
                    [&](int more) { return sendto(fd, data, size, flags | more, to, to_size); });
}

/// Of a stream it may take less than all, as the kernel may when a signal comes: who calls it must look.
ssize_t hooked_sendmsg(int fd, const msghdr* message, int flags) {
    return in_turns(fd, flags, POLLOUT, SO_SNDTIMEO,
                    [&](int more) { return sendmsg(fd, message, flags | more); });
}

ssize_t hooked_read(int fd, void* data, size_t size) {
    Coroutine* self = hookable();
    if (!self) return is_interrupted() && is_blocking(fd) ? refuse_to_wait() : read(fd, data, size);
    const ssize_t got = recv(fd, data, size, MSG_DONTWAIT);
    if (got >= 0) return got;
    if (errno == ENOTSOCK) {
        // A pipe or a terminal; for files the poll says at once that they are ready.
        pollfd one = {fd, POLLIN, 0};
        if (poll(&one, 1, 0) == 0 && is_blocking(fd) && !wait_for_socket(*self, fd, POLLIN, 0)) return -1;
        return read(fd, data, size);
    }
    return would_block() ? hooked_recv(fd, data, size, 0) : got;
}

ssize_t hooked_write(int fd, const void* data, size_t size) {
    if (!hookable()) return write(fd, data, size);
    // Without a size a datagram would be sent, which write() does as well; a stream takes nothing.
    const ssize_t sent = send(fd, data, size, MSG_DONTWAIT);
    if (sent < 0 && errno == ENOTSOCK) return write(fd, data, size);
    if (sent < 0 && !would_block()) return sent;
    const size_t done = sent < 0 ? 0 : static_cast<size_t>(sent);
    if (done == size || !is_blocking(fd)) return sent;
    const ssize_t rest = hooked_send(fd, static_cast<const char*>(data) + done, size - done, 0);
    return rest < 0 ? (done > 0 ? static_cast<ssize_t>(done) : -1) : static_cast<ssize_t>(done) + rest;
}

int hooked_connect(int fd, const sockaddr* address, socklen_t size) {
    Coroutine* self = hookable();
    if (!self || !is_blocking(fd) || address->sa_family == AF_UNIX) return connect(fd, address, size);
    const int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    int result = connect(fd, address, size);
    int error = errno;
    if (result != 0 && error == EINPROGRESS) {
        if (wait_for_socket(*self, fd, POLLOUT, SO_SNDTIMEO)) {
            socklen_t error_size = sizeof error;
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size);
            result = error ? -1 : 0;
        } else {
            error = errno == EAGAIN ? EINPROGRESS : errno;
        }
    }
    fcntl(fd, F_SETFL, flags);
    errno = error;
    return result;
}

// What the same calls are named where the compiler has added a check of the buffer's size.

ssize_t hooked___recv_chk(int fd, void* data, size_t size, size_t room, int flags) {
    return size > room ? __recv_chk(fd, data, size, room, flags) : hooked_recv(fd, data, size, flags);
}

ssize_t hooked___recvfrom_chk(int fd, void* data, size_t size, size_t room, int flags, sockaddr* from,
                              socklen_t* from_size) {
    return size > room ? __recvfrom_chk(fd, data, size, room, flags, from, from_size)
                       : hooked_recvfrom(fd, data, size, flags, from, from_size);
}

ssize_t hooked___read_chk(int fd, void* data, size_t size, size_t room) {
    return size > room ? __read_chk(fd, data, size, room) : hooked_read(fd, data, size);
}

#define SLUICE_HOOK(name) \
    { #name, reinterpret_cast < void*>(&::name), reinterpret_cast < void*>(&hooked_##name) }

const Redirection kSocketHooks[] = {
    SLUICE_HOOK(recv),    SLUICE_HOOK(recvfrom),   SLUICE_HOOK(recvmsg),        SLUICE_HOOK(send),
    SLUICE_HOOK(sendto),  SLUICE_HOOK(sendmsg),    SLUICE_HOOK(read),           SLUICE_HOOK(write),
    SLUICE_HOOK(connect), SLUICE_HOOK(__recv_chk), SLUICE_HOOK(__recvfrom_chk), SLUICE_HOOK(__read_chk),
};

#undef SLUICE_HOOK

}  // namespace

std::span<const Redirection> socket_hooks() {
    return kSocketHooks;
}

}  // namespace sluice::php
