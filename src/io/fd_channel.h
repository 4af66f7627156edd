#pragma once

#include <cstdint>
#include <optional>

#include "core/unique_fd.h"

namespace sluice {

/// Hands open files from one process to another: a pair of connected sockets beside a pair of rings.
/// A record in a ring gives a number; the next descriptor in the channel has this number. Never
/// blocks.
class FdChannel {
  public:
    FdChannel() = default;
    explicit FdChannel(UniqueFd fd) : fd_(std::move(fd)) {}

    static bool create_pair(FdChannel& a, FdChannel& b);

    /// Sends a duplicate of `fd`. False when the channel is full or the peer gone. Put the number into the
    /// ring only after this has succeeded.
    bool send(uint64_t number, int fd);

    struct Received {
        uint64_t number = 0;
        UniqueFd fd;  ///< empty when this process has no room for another descriptor
    };
    /// The next descriptor; nothing when there is none, or an invalid message came.
    std::optional<Received> receive();

    int release_fd() { return fd_.release(); }
    int fd() const { return fd_.get(); }
    explicit operator bool() const { return static_cast<bool>(fd_); }

  private:
    UniqueFd fd_;
};

}  // namespace sluice
