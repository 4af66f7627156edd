#include "io/fd_passing.h"

#include <cassert>
#include <cerrno>
#include <cstring>

namespace sluice {

namespace {
constexpr size_t kMostBytesOfFds = CMSG_SPACE(sizeof(int) * kMostPassedFds);

msghdr message_of(std::span<iovec> parts) {
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    return message;
}
}  // namespace

ssize_t send_with_fds(int socket, std::span<iovec> parts, std::span<const int> fds, int flags) {
    assert(fds.size() <= kMostPassedFds);
    alignas(cmsghdr) char control[kMostBytesOfFds];
    msghdr message = message_of(parts);
    if (!fds.empty()) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(fds.size_bytes());
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(fds.size_bytes());
        memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, flags);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t receive_with_fds(int socket, std::span<iovec> parts, int flags, PassedFds& passed) {
    alignas(cmsghdr) char control[kMostBytesOfFds + CMSG_SPACE(sizeof(ucred))];
    msghdr message = message_of(parts);
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    passed = {};
    ssize_t got;
    // A peer that has gone without reading all: the kernel says so once, before the messages that are there.
    do {
        got = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    } while (got < 0 && (errno == EINTR || errno == ECONNRESET));
    if (got < 0) return got;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS) {
            ucred sender;
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
            passed.sender = sender.pid;
        }
        if (header->cmsg_type != SCM_RIGHTS) continue;
        const size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; ++i) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            passed.fds.emplace_back(fd);
        }
    }
    passed.flags = message.msg_flags;
    return got;
}

}  // namespace sluice
