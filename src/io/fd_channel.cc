#include "io/fd_channel.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace sluice {

bool FdChannel::create_pair(FdChannel& a, FdChannel& b) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) return false;
    a = FdChannel(UniqueFd(fds[0]));
    b = FdChannel(UniqueFd(fds[1]));
    return true;
}

bool FdChannel::send(uint64_t number, int fd) {
    if (!fd_) return false;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
    iovec part{&number, sizeof number};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    ssize_t sent;
    do {
        sent = sendmsg(fd_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof number);
}

std::optional<FdChannel::Received> FdChannel::receive() {
    if (!fd_) return std::nullopt;
    Received result;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    iovec part{&result.number, sizeof result.number};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t got;
    do {
        got = recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return std::nullopt;
    // The space for one descriptor is padded, so that two may fit: a message with two is refused.
    size_t count = 0;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < here; ++i, ++count) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            result.fd.reset(fd);
        }
    }
    if (got != static_cast<ssize_t>(sizeof result.number) || count > 1 || (message.msg_flags & MSG_TRUNC))
        return std::nullopt;
    return result;
}

}  // namespace sluice
