#pragma once

#include <span>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <vector>

#include "core/unique_fd.h"

namespace sluice {

/// The most descriptors that the kernel passes with one message (SCM_MAX_FD).
inline constexpr size_t kMostPassedFds = 253;

/// sendmsg() to a Unix socket, with duplicates of `fds` (SCM_RIGHTS, unix(7)); goes on after signals.
ssize_t send_with_fds(int socket, std::span<iovec> parts, std::span<const int> fds, int flags);

/// What came beside the bytes of a message.
struct PassedFds {
    std::vector<UniqueFd> fds;  ///< without those for which this process has no room
    pid_t sender = 0;           ///< as the kernel says, to a socket with SO_PASSCRED; 0: it says nothing
    int flags = 0;              ///< MSG_TRUNC: the bytes had no room; MSG_CTRUNC: descriptors had none
};

/// recvmsg() that takes all descriptors of the message, however many the peer has sent: one that nobody takes
/// would stay open in this process for good. Goes on after signals. What a peer has sent before it left is
/// received, also when it left something unread (ECONNRESET).
ssize_t receive_with_fds(int socket, std::span<iovec> parts, int flags, PassedFds& passed);

}  // namespace sluice
