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

    /// Blocks while the peer's buffer is full. False, with nothing sent, when the peer is gone or the message
    /// exceeds a limit above; the latter is logged.
    bool send(std::string_view bytes, std::span<const int> fds = {});
    /// The next message, or nothing. Then `eof()` tells that none will come; `lacks_descriptors()` that one
    /// waits until this process has room for its descriptors: ask again later. Without `wait` it does not
    /// block.
    std::optional<Message> receive(bool wait = false);

    bool eof() const { return eof_; }
    bool lacks_descriptors() const { return lacks_descriptors_; }
    /// For a loop that the message which waits would wake at once: if there is one, says so in the log, once,
    /// and sleeps for a short time.
    void rest_if_starved();
    int fd() const { return fd_.get(); }
    int release_fd() { return fd_.release(); }
    explicit operator bool() const { return static_cast<bool>(fd_); }
    void close() { fd_.reset(); }

  private:
    /// A message too long for the socket travels in a memory file, which is sealed so that nobody changes it
    /// while it is read.
    enum class Place : uint8_t { kHere, kInFile };
    static constexpr size_t kMostHere = 65536;

    UniqueFd fd_;
    bool eof_ = false;
    bool lacks_descriptors_ = false;
    bool is_told_ = false;  ///< that it lacks descriptors
};

}  // namespace sluice
