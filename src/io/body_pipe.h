#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unique_fd.h"

namespace sluice {

/// Carries the body of a request to its handler while it arrives: a SOCK_SEQPACKET pair, so that the end of
/// the body differs from the sender's death. No call here blocks. BodyWriter and BodyReader are its ends.
class BodyPipe {
  public:
    /// The most in one packet: as much as a reactor receives at once.
    static constexpr size_t kPacketBytes = 64 * 1024;
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
        kRing,     ///< from here on bytes go through a BodyRing
        kWoken,    ///< the ring has bytes
        kStarved,  ///< no descriptor is left for the ring: the rest of the body is lost
    };
    /// `buffer` has room for kPacketBytes, or no more bytes come in packets. kBytes: `bytes` of it are
    /// filled; kEnd: `status` is set; kRing: `ring` is set.
    static Received receive(int reader, std::span<char> buffer, size_t& bytes, uint16_t& status,
                            UniqueFd& ring);

    // -- For a BodyRing

    /// `ring`: its descriptor.
    static Sent send_ring(int writer, int ring);
    /// Wakes the other end, which may be either. It needs no answer: an end that is woken already has
    /// something to receive, and one that has gone needs nothing.
    static void wake(int fd);
    /// The writer takes what has woken it: one packet, for there is one each time that it sleeps. False: the
    /// reader has gone.
    static bool drain(int writer);
};

}  // namespace sluice
