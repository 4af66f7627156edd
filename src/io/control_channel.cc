#include "io/control_channel.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace sluice {

bool ControlChannel::create_pair(ControlChannel& a, ControlChannel& b) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) return false;
    a = ControlChannel(UniqueFd(fds[0]));
    b = ControlChannel(UniqueFd(fds[1]));
    return true;
}

bool ControlChannel::send(std::string_view bytes, std::span<const int> fds) {
    if (bytes.size() > kMaxMessage || fds.size() > kMaxFds) return false;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)];
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!fds.empty()) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(fds.size_bytes());
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(fds.size_bytes());
        memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(bytes.size());
}

std::optional<ControlChannel::Message> ControlChannel::receive(bool wait) {
    Message result;
    result.bytes.resize(kMaxMessage);
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)];
    iovec part{result.bytes.data(), result.bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t got;
    do {
        got = recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    } while (got < 0 && errno == EINTR && wait);
    if (got <= 0) {
        // No message of ours is empty, so 0 is the end.
        if (got == 0 || (errno != EAGAIN && errno != EINTR)) eof_ = true;
        return std::nullopt;
    }
    result.bytes.resize(static_cast<size_t>(got));
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; ++i) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            result.fds.emplace_back(fd);
        }
    }
    return result;
}

}  // namespace sluice
