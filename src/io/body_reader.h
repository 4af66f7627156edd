#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "io/body_pipe.h"
#include "io/body_ring.h"

namespace sluice {

/// The reading end of a BodyPipe, to which a BodyWriter writes.
class BodyReader {
  public:
    /// `fd` stays the caller's.
    explicit BodyReader(int fd) : fd_(fd) {}

    /// The least room that receive() needs.
    size_t least_room() const { return ring_ ? 1 : BodyPipe::kPacketBytes; }
    /// As BodyPipe::receive().
    BodyPipe::Received receive(std::span<char> buffer, size_t& bytes, uint16_t& status);

  private:
    int fd_;
    std::unique_ptr<BodyRing> ring_;
    bool is_called_ = false;  ///< has said that it sleeps: a packet comes, or has come
    BodyPipe::Received ended_ = BodyPipe::Received::kNothing;  ///< kEnd or kLost, once that has come
    uint16_t status_ = 0;
};

}  // namespace sluice
