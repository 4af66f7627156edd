#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace sluice {

/// A pair of connected sockets for whole messages with file descriptors, between processes of one server.
/// End of file tells that the other process is gone.
class ControlChannel {
  public:
    static constexpr size_t kMaxMessage = 65536;
    static constexpr size_t kMaxFds = 250;

    ControlChannel() = default;
    explicit ControlChannel(UniqueFd fd) : fd_(std::move(fd)) {}

    static bool create_pair(ControlChannel& a, ControlChannel& b);

    struct Message {
        std::string bytes;
        std::vector<UniqueFd> fds;
    };

    /// Blocks while the other side's buffer is full. False when it is gone, or when this is more than the
    /// limits above: nothing of it is sent then.
    bool send(std::string_view bytes, std::span<const int> fds = {});
    /// The next message, or nothing: `eof()` tells whether there will ever be one. Without `wait` it does not
    /// block.
    std::optional<Message> receive(bool wait = false);

    bool eof() const { return eof_; }
    int fd() const { return fd_.get(); }
    int release_fd() { return fd_.release(); }
    explicit operator bool() const { return static_cast<bool>(fd_); }
    void close() { fd_.reset(); }

  private:
    UniqueFd fd_;
    bool eof_ = false;
};

}  // namespace sluice
