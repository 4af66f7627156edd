#pragma once

#include <cstdint>
#include <optional>

#include "core/unique_fd.h"

namespace sluice {

/// Hands open files from one process to another: a pair of connected sockets beside a pair of rings. What
/// stands in a ring says a number, and the descriptor with that number is the next one in the channel. Never
/// blocks.
class FdChannel {
  public:
    FdChannel() = default;
    explicit FdChannel(UniqueFd fd) : fd_(std::move(fd)) {}

    static bool create_pair(FdChannel& a, FdChannel& b);

    /// Sends a duplicate of `fd`. False when the other side has too many to take, or is gone: send the ring's
    /// number only after this has succeeded.
    bool send(uint64_t number, int fd);

    struct Received {
        uint64_t number = 0;
        UniqueFd fd;  ///< none when this process has no room for a further descriptor
    };
    /// The next one; nothing when there is none, or when what has come is no such message.
    std::optional<Received> receive();

    int release_fd() { return fd_.release(); }
    int fd() const { return fd_.get(); }
    explicit operator bool() const { return static_cast<bool>(fd_); }

  private:
    UniqueFd fd_;
};

}  // namespace sluice
