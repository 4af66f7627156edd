#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unique_fd.h"

namespace sluice {

/// Carries the body of a request to its handler while it arrives: a SOCK_SEQPACKET pair, so that the end of
/// the body differs from the sender's death. No call here blocks.
class BodyPipe {
  public:
    /// The most in one packet, which with its kind takes 64 KiB.
    static constexpr size_t kPacketBytes = 64 * 1024 - 1;
    static constexpr uint16_t kComplete = 0;

    /// `unread_bytes`: about how much the pair holds; the kernel's upper bound is
    /// net.core.wmem_max.
    static bool create_pair(UniqueFd& writer, UniqueFd& reader, size_t unread_bytes);

    enum class Sent : uint8_t {
        kAll,
        kFull,    ///< some or nothing was sent; wait until the descriptor is writable
        kClosed,  ///< the reader has gone
    };
    /// Sends the front of `bytes`, and leaves in it what was not sent.
    static Sent send(int writer, std::span<const char>& bytes);
    /// `status`: kComplete, or why the body will never be complete.
    static Sent send_end(int writer, uint16_t status);

    enum class Received : uint8_t {
        kBytes,
        kEnd,
        kNothing,  ///< wait until the descriptor is readable
        kLost,     ///< the sender has gone without an end
    };
    /// `buffer` has room for kPacketBytes. kBytes: `bytes` of it are filled; kEnd: `status` is set.
    static Received receive(int reader, std::span<char> buffer, size_t& bytes, uint16_t& status);
};

}  // namespace sluice
