#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unique_fd.h"

namespace sluice {

/// Carries the body of a request to its handler while it arrives: a pair of sockets that keeps packets apart,
/// so that the end of the body can be told from the end of who sends it. Neither side ever blocks here.
class BodyPipe {
  public:
    static constexpr size_t kPacketBytes = 16384;  ///< the most in one packet
    static constexpr uint16_t kComplete = 0;

    /// `unread_bytes`: about what fits between the two; the kernel has an upper bound of its own
    /// (net.core.wmem_max).
    static bool create_pair(UniqueFd& writer, UniqueFd& reader, size_t unread_bytes);

    enum class Sent : uint8_t {
        kAll,
        kFull,    ///< some of it or nothing; wait until the descriptor can be written to
        kClosed,  ///< nobody reads any more
    };
    /// Sends the front of `bytes`, which then is what was not sent.
    static Sent send(int writer, std::span<const char>& bytes);
    /// `status`: kComplete, or why the body will never be.
    static Sent send_end(int writer, uint16_t status);

    enum class Received : uint8_t {
        kBytes,
        kEnd,
        kNothing,  ///< yet; wait until the descriptor can be read from
        kLost,     ///< who sent it is gone without an end
    };
    /// `buffer` has room for kPacketBytes. kBytes: `bytes` of it are filled; kEnd: `status` is set.
    static Received receive(int reader, std::span<char> buffer, size_t& bytes, uint16_t& status);
};

}  // namespace sluice
