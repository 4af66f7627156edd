#include "php/hooks/hooks_of_sockets.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/clock.h"
#include "php/coroutine/concurrent_use.h"
#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"
#include "php/hooks/hook_groups.h"
#include "php/hooks/hooks_of_files.h"

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

bool is_stream(int fd) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

/// The socket's timeout (SO_RCVTIMEO, SO_SNDTIMEO); -1: none.
int socket_timeout_ms(int fd, int option) {
    timeval time = {0, 0};
    socklen_t size = sizeof time;
    if (option == 0 || getsockopt(fd, SOL_SOCKET, option, &time, &size) != 0 ||
        (time.tv_sec == 0 && time.tv_usec == 0))
        return -1;
    const int64_t ms = int64_t{time.tv_sec} * 1000 + (time.tv_usec + 999) / 1000;
    return static_cast<int>(std::min<int64_t>(ms, INT_MAX));
}

/// After EAGAIN: waits for the descriptor. True: repeat the call; false: fail with errno. `option`: the
/// socket's timeout option; 0 when it is no socket.
bool wait_for_fd(Coroutine& self, int fd, short events, int option) {
    pollfd one = {fd, events, 0};
    const int ready = wait_in_poll(self, &one, 1, socket_timeout_ms(fd, option));
    if (ready == 0) errno = EAGAIN;
    return ready > 0;
}

bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

/// Makes the call without blocking, and waits itself. `attempt` gets additional flags.
template <typename Attempt>
ssize_t in_turns(int fd, int flags, short events, int option, Attempt&& attempt) {
    Coroutine* self = (flags & MSG_DONTWAIT) ? nullptr : hookable();
    if (!self) {
        if (!(flags & MSG_DONTWAIT) && is_interrupted() && is_blocking(fd)) return refuse_to_wait();
        return attempt(0);
    }
    if (is_used_by_another(*self, fd, events)) return -1;
    for (;;) {
        const ssize_t done = attempt(MSG_DONTWAIT);
        if (done >= 0 || !would_block() || !is_blocking(fd)) return done;
        errno = EAGAIN;
        if (!wait_for_fd(*self, fd, events, option)) return -1;
    }
}

// -- Receiving

ssize_t receive(int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* from_size) {
    return in_turns(fd, flags, POLLIN, SO_RCVTIMEO,
                    [&](int more) { return recvfrom(fd, data, size, flags | more, from, from_size); });
}

ssize_t hooked_recvfrom(int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* from_size) {
    const bool takes_all = (flags & MSG_WAITALL) && !(flags & (MSG_DONTWAIT | MSG_PEEK)) && hookable();
    if (!takes_all || !is_stream(fd)) return receive(fd, data, size, flags, from, from_size);
    size_t got = 0;
    while (got < size) {
        const ssize_t part = receive(fd, static_cast<char*>(data) + got, size - got, flags, from, from_size);
        if (part <= 0) return got > 0 ? static_cast<ssize_t>(got) : part;
        got += static_cast<size_t>(part);
        if (!is_blocking(fd)) break;
    }
    return static_cast<ssize_t>(got);
}

ssize_t hooked_recv(int fd, void* data, size_t size, int flags) {
    return hooked_recvfrom(fd, data, size, flags, nullptr, nullptr);
}

/// With MSG_WAITALL it may return less, as the kernel does at a signal: callers must check.
ssize_t hooked_recvmsg(int fd, msghdr* message, int flags) {
    return in_turns(fd, flags, POLLIN, SO_RCVTIMEO,
                    [&](int more) { return recvmsg(fd, message, flags | more); });
}

// -- Sending. A blocking call returns when all is taken, and callers rely on that.

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

size_t size_of(const iovec* parts, size_t count) {
    size_t size = 0;
    for (size_t index = 0; index < count; ++index)
        size += parts[index].iov_len;
    return size;
}

/// Sends the rest of a list of parts behind the first `sent` bytes, one part at a time.
ssize_t send_rest(int fd, const iovec* parts, size_t count, size_t sent, int flags) {
    size_t done = sent;
    for (size_t index = 0; index < count; ++index) {
        if (sent >= parts[index].iov_len) {
            sent -= parts[index].iov_len;
            continue;
        }
        const char* data = static_cast<const char*>(parts[index].iov_base) + sent;
        const size_t size = parts[index].iov_len - sent;
        sent = 0;
        const int more = index + 1 < count ? MSG_MORE : 0;
        const ssize_t part = hooked_send(fd, data, size, flags | more);
        if (part < 0) break;
        done += static_cast<size_t>(part);
        if (static_cast<size_t>(part) < size) break;
    }
    return static_cast<ssize_t>(done);
}

ssize_t hooked_sendmsg(int fd, const msghdr* message, int flags) {
    const ssize_t sent = in_turns(fd, flags, POLLOUT, SO_SNDTIMEO,
                                  [&](int more) { return sendmsg(fd, message, flags | more); });
    if (sent < 0 || (flags & MSG_DONTWAIT) || !hookable()) return sent;
    const bool is_all = static_cast<size_t>(sent) >= size_of(message->msg_iov, message->msg_iovlen);
    if (is_all || !is_blocking(fd)) return sent;
    return send_rest(fd, message->msg_iov, message->msg_iovlen, static_cast<size_t>(sent), flags);
}

// -- Reading and writing, which are for pipes and files as well

/// Whether reads and writes may block, as of a pipe or terminal; not for sockets and files.
bool is_pipe_like(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode));
}

bool is_socket(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode);
}

/// Waits until a pipe-like descriptor is readable. False with errno set when the read must not be made.
bool wait_to_read(Coroutine& self, int fd) {
    pollfd one = {fd, POLLIN, 0};
    return poll(&one, 1, 0) != 0 || !is_blocking(fd) || wait_for_fd(self, fd, POLLIN, 0);
}

ssize_t hooked_read(int fd, void* data, size_t size) {
    Coroutine* self = hookable();
    if (self && !(installed_hooks() & kSocketHooks))
        return is_pipe_like(fd) || is_socket(fd) ? read(fd, data, size) : read_file(fd, data, size);
    if (!self)
        return is_interrupted() && is_blocking(fd) && is_pipe_like(fd) ? refuse_to_wait()
                                                                       : read(fd, data, size);
    if (is_used_by_another(*self, fd, POLLIN)) return -1;
    const ssize_t got = recv(fd, data, size, MSG_DONTWAIT);
    if (got >= 0) return got;
    if (errno != ENOTSOCK) return would_block() ? hooked_recv(fd, data, size, 0) : got;
    if (!is_pipe_like(fd)) return read_file(fd, data, size);
    return wait_to_read(*self, fd) ? read(fd, data, size) : -1;
}

ssize_t hooked_readv(int fd, const iovec* parts, int count) {
    Coroutine* self = hookable();
    if (!self || count <= 0) return readv(fd, parts, count);
    if (is_used_by_another(*self, fd, POLLIN)) return -1;
    msghdr message = {};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = static_cast<size_t>(count);
    const ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT);
    if (got >= 0) return got;
    if (errno != ENOTSOCK) return would_block() ? hooked_recvmsg(fd, &message, 0) : got;
    return !is_pipe_like(fd) || wait_to_read(*self, fd) ? readv(fd, parts, count) : -1;
}

/// A writable pipe takes this much without blocking.
constexpr size_t kPipeBytes = PIPE_BUF;

ssize_t write_to_pipe(Coroutine& self, int fd, const char* data, size_t size) {
    size_t written = 0;
    do {
        pollfd one = {fd, POLLOUT, 0};
        if (poll(&one, 1, 0) == 0 && !wait_for_fd(self, fd, POLLOUT, 0)) break;
        const ssize_t part = write(fd, data + written, std::min(size - written, kPipeBytes));
        if (part < 0) break;
        written += static_cast<size_t>(part);
    } while (written < size);
    return written > 0 ? static_cast<ssize_t>(written) : -1;
}

ssize_t hooked_write(int fd, const void* data, size_t size) {
    Coroutine* self = hookable();
    if (!self) return write(fd, data, size);
    if (is_used_by_another(*self, fd, POLLOUT)) return -1;
    // With size 0 a datagram socket sends an empty datagram, as write() does; a stream sends nothing.
    const ssize_t sent = send(fd, data, size, MSG_DONTWAIT);
    if (sent < 0 && errno == ENOTSOCK) {
        if (size == 0 || !is_pipe_like(fd) || !is_blocking(fd)) return write(fd, data, size);
        return write_to_pipe(*self, fd, static_cast<const char*>(data), size);
    }
    if (sent < 0 && !would_block()) return sent;
    const size_t done = sent < 0 ? 0 : static_cast<size_t>(sent);
    if ((sent >= 0 && done == size) || !is_blocking(fd)) return sent;
    const ssize_t rest = hooked_send(fd, static_cast<const char*>(data) + done, size - done, 0);
    return rest < 0 ? (done > 0 ? static_cast<ssize_t>(done) : -1) : static_cast<ssize_t>(done) + rest;
}

ssize_t hooked_writev(int fd, const iovec* parts, int count) {
    Coroutine* self = hookable();
    if (!self || count <= 0) return writev(fd, parts, count);
    if (is_used_by_another(*self, fd, POLLOUT)) return -1;
    msghdr message = {};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = static_cast<size_t>(count);
    const ssize_t sent = sendmsg(fd, &message, MSG_DONTWAIT);
    if (sent < 0 && errno == ENOTSOCK) {
        if (!is_pipe_like(fd) || !is_blocking(fd)) return writev(fd, parts, count);
        size_t written = 0;
        for (int index = 0; index < count; ++index) {
            if (parts[index].iov_len == 0) continue;
            const ssize_t part = write_to_pipe(*self, fd, static_cast<const char*>(parts[index].iov_base),
                                               parts[index].iov_len);
            if (part < 0) return written > 0 ? static_cast<ssize_t>(written) : -1;
            written += static_cast<size_t>(part);
            if (static_cast<size_t>(part) < parts[index].iov_len) break;
        }
        return static_cast<ssize_t>(written);
    }
    if (sent < 0) return would_block() ? hooked_sendmsg(fd, &message, 0) : sent;
    const bool is_all = static_cast<size_t>(sent) >= size_of(parts, static_cast<size_t>(count));
    if (is_all || !is_blocking(fd)) return sent;
    return send_rest(fd, parts, static_cast<size_t>(count), static_cast<size_t>(sent), 0);
}

// -- Connecting and accepting

/// Makes a call with the descriptor set to non-blocking.
template <typename Attempt>
auto without_waiting(int fd, Attempt&& attempt) {
    const int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    const auto result = attempt();
    const int error = errno;
    fcntl(fd, F_SETFL, flags);
    errno = error;
    return result;
}

/// There is no event for room in a Unix listener's backlog: poll.
int connect_when_there_is_room(Coroutine& self, int fd, const sockaddr* address, socklen_t size) {
    const int limit_ms = socket_timeout_ms(fd, SO_SNDTIMEO);
    const uint64_t due_ms = limit_ms < 0 ? UINT64_MAX : monotonic_ms() + static_cast<uint64_t>(limit_ms);
    Repeated again;
    for (;;) {
        const int result = without_waiting(fd, [&] { return connect(fd, address, size); });
        if (result == 0 || errno != EAGAIN || monotonic_ms() >= due_ms) return result;
        if (!again.pause(self)) return -1;
    }
}

int hooked_connect(int fd, const sockaddr* address, socklen_t size) {
    Coroutine* self = hookable();
    if (!self) return is_interrupted() && is_blocking(fd) ? refuse_to_wait() : connect(fd, address, size);
    if (!is_blocking(fd)) return connect(fd, address, size);
    if (address && size >= sizeof(sa_family_t) && address->sa_family == AF_UNIX)
        return connect_when_there_is_room(*self, fd, address, size);
    const int result = without_waiting(fd, [&] { return connect(fd, address, size); });
    if (result == 0 || errno != EINPROGRESS) return result;
    if (!wait_for_fd(*self, fd, POLLOUT, SO_SNDTIMEO)) {
        if (errno == EAGAIN) errno = EINPROGRESS;  // the kernel's error when SO_SNDTIMEO is over
        return -1;
    }
    int error = 0;
    socklen_t error_size = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size) != 0) return -1;
    errno = error;
    return error ? -1 : 0;
}

template <typename Attempt>
int accept_with(int fd, Attempt&& attempt) {
    Coroutine* self = hookable();
    if (!self) return is_interrupted() && is_blocking(fd) ? refuse_to_wait() : attempt();
    if (!is_blocking(fd)) return attempt();
    for (;;) {
        const int accepted = without_waiting(fd, attempt);
        if (accepted >= 0 || !would_block()) return accepted;
        // Another process may accept first: then wait for the next connection.
        if (!wait_for_fd(*self, fd, POLLIN, SO_RCVTIMEO)) return -1;
    }
}

int hooked_accept(int fd, sockaddr* address, socklen_t* size) {
    return accept_with(fd, [=] { return accept(fd, address, size); });
}

int hooked_accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
    return accept_with(fd, [=] { return accept4(fd, address, size, flags); });
}

int hooked_close(int fd) {
    send_away_from(fd);
    return close(fd);
}

// The names of these calls with _FORTIFY_SOURCE.

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

const Redirection kHooks[] = {
    SLUICE_HOOK(recv),   SLUICE_HOOK(recvfrom),   SLUICE_HOOK(recvmsg),        SLUICE_HOOK(send),
    SLUICE_HOOK(sendto), SLUICE_HOOK(sendmsg),    SLUICE_HOOK(readv),          SLUICE_HOOK(write),
    SLUICE_HOOK(writev), SLUICE_HOOK(connect),    SLUICE_HOOK(accept),         SLUICE_HOOK(accept4),
    SLUICE_HOOK(close),  SLUICE_HOOK(__recv_chk), SLUICE_HOOK(__recvfrom_chk),
};

const Redirection kReadingHooks[] = {SLUICE_HOOK(read), SLUICE_HOOK(__read_chk)};

}  // namespace

std::span<const Redirection> socket_hooks() {
    return kHooks;
}

std::span<const Redirection> reading_hooks() {
    return kReadingHooks;
}

}  // namespace sluice::php
