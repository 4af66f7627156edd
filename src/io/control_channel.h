#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/unique_fd.h"

namespace sluice {

/// A pair of connected sockets for whole messages with file descriptors, between processes of one server.
/// End of file tells that the other process is gone.
class ControlChannel {
  public:
    static constexpr size_t kMaxMessage = 16 << 20;
    static constexpr size_t kMaxFds = 250;

    ControlChannel() = default;
    explicit ControlChannel(UniqueFd fd) : fd_(std::move(fd)) {}

    static bool create_pair(ControlChannel& a, ControlChannel& b);

    struct Message {
        std::string bytes;
        std::vector<UniqueFd> fds;
    };

    /// Blocks while the other side's buffer is full. False when it is gone, or when this is more than the
    /// limits above, which is logged: nothing of it is sent then.
    bool send(std::string_view bytes, std::span<const int> fds = {});
    /// The next message, or nothing: `eof()` tells whether there will ever be one, `lacks_descriptors()`
    /// whether one is there for whose descriptors this process has no room; it is worth asking again later.
    /// Without `wait` it does not block.
    std::optional<Message> receive(bool wait = false);

    bool eof() const { return eof_; }
    bool lacks_descriptors() const { return lacks_descriptors_; }
    int fd() const { return fd_.get(); }
    int release_fd() { return fd_.release(); }
    explicit operator bool() const { return static_cast<bool>(fd_); }
    void close() { fd_.reset(); }

  private:
    /// What does not fit into the socket travels in a memory file that is sealed, so that nobody can change
    /// it while it is read.
    enum class Place : uint8_t { kHere, kInFile };
    static constexpr size_t kMostHere = 65536;

    UniqueFd fd_;
    bool eof_ = false;
    bool lacks_descriptors_ = false;
};

}  // namespace sluice
