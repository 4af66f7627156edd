#pragma once

#include <cstdint>

#include "server/seam/connection_id.h"

namespace sluice {

/// A reactor's poller token: what an event concerns. A connection's id is its own token: no id has the
/// highest bit. With that bit set, seven bits are the kind, and the rest is a number of that kind.
class PollToken {
  public:
    enum class Kind : uint8_t {
        kConnection,  ///< its id
        kDoorbell,
        kWatched,     ///< Reactor::watch
        kListener,    ///< place in Accepting
        kUdp,         ///< place in UdpListeners
        kBodyWriter,  ///< descriptor, see BodyStreams
        kDescriptor,  ///< descriptor, see Reactor::watch_once
    };

    explicit constexpr PollToken(uint64_t bits) : bits_(bits) {}
    constexpr PollToken(Kind kind, uint64_t number)
        : bits_(kSpecial | static_cast<uint64_t>(kind) << kNumberBits | number) {}

    constexpr uint64_t bits() const { return bits_; }
    constexpr Kind kind() const {
        return bits_ & kSpecial ? static_cast<Kind>(bits_ >> kNumberBits & 0x7f) : Kind::kConnection;
    }
    constexpr uint64_t number() const {
        return bits_ & kSpecial ? bits_ & ((uint64_t{1} << kNumberBits) - 1) : bits_;
    }
    constexpr ConnectionId connection() const { return bits_; }

  private:
    static constexpr unsigned kNumberBits = 56;
    static constexpr uint64_t kSpecial = uint64_t{1} << 63;

    uint64_t bits_;
};

}  // namespace sluice
