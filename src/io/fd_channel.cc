#include "io/fd_channel.h"

#include <sys/socket.h>

#include "io/fd_passing.h"

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
    iovec part{&number, sizeof number};
    return send_with_fds(fd_.get(), {&part, 1}, {&fd, 1}, MSG_NOSIGNAL | MSG_DONTWAIT) ==
           static_cast<ssize_t>(sizeof number);
}

std::optional<FdChannel::Received> FdChannel::receive() {
    if (!fd_) return std::nullopt;
    Received result;
    iovec part{&result.number, sizeof result.number};
    PassedFds passed;
    const ssize_t got = receive_with_fds(fd_.get(), {&part, 1}, MSG_DONTWAIT, passed);
    if (got != static_cast<ssize_t>(sizeof result.number) || passed.fds.size() > 1 ||
        (passed.flags & MSG_TRUNC))
        return std::nullopt;
    if (!passed.fds.empty()) result.fd = std::move(passed.fds.front());
    return result;
}

}  // namespace sluice
