#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/unique_fd.h"
#include "io/body_pipe.h"
#include "io/body_ring.h"

namespace sluice {

/// The writing end of a BodyPipe: the first bytes go in packets, and those of a long body through a BodyRing.
class BodyWriter {
  public:
    /// A longer body gets a ring, which costs about as much as the packets up to here.
    static constexpr size_t kMostInPackets = 128 * 1024;

    /// `unread_bytes`: about how much may wait for the reader.
    bool begin(UniqueFd& reader, size_t unread_bytes);
    explicit operator bool() const { return static_cast<bool>(fd_); }
    int fd() const { return fd_.get(); }
    void end();

    /// As BodyPipe::send(). After kFull wait for awaited() on fd().
    BodyPipe::Sent send(std::span<const char>& bytes);
    /// After it nothing can be sent.
    BodyPipe::Sent send_end(uint16_t status) { return BodyPipe::send_end(fd_.get(), status); }
    /// Events of poll(2).
    short awaited() const;

    /// Where the next bytes may be received; empty: they have to be sent.
    std::span<char> window() const;
    /// The front of the window was received.
    void filled(size_t bytes);
    /// After window() has become empty: kFull when the reader has to read first.
    BodyPipe::Sent make_room();

  private:
    BodyPipe::Sent begin_ring();

    UniqueFd fd_;
    std::unique_ptr<BodyRing> ring_;
    size_t unread_bytes_ = 0;
    size_t in_packets_ = 0;
    bool may_have_ring_ = true;
};

}  // namespace sluice
