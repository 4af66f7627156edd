#pragma once

#include <cstdint>

namespace sluice {

/// Names one client connection for ever. The top byte below the sign is the reactor that owns it, the rest is
/// a serial that starts at the microseconds of the wall clock when the reactor began and only grows, so an id
/// is never given to another client, not even across a restart. Fits PHP's int; 0 names nothing.
using ConnectionId = uint64_t;

inline constexpr unsigned kSerialBits = 55;
inline constexpr unsigned kMaxReactors = 256;
inline constexpr ConnectionId kNoConnection = 0;
/// Serials from this one to this one plus the greatest endpoint number are reserved: they stand for a
/// reactor's UDP sockets, which have no connections.
inline constexpr uint64_t kUdpSerial = 1;

constexpr ConnectionId make_connection_id(unsigned reactor, uint64_t serial) {
    return (static_cast<uint64_t>(reactor) << kSerialBits) | (serial & ((uint64_t{1} << kSerialBits) - 1));
}
constexpr ConnectionId udp_id(unsigned reactor, uint16_t endpoint) {
    return make_connection_id(reactor, kUdpSerial + endpoint);
}
constexpr unsigned reactor_of(ConnectionId id) {
    return static_cast<unsigned>(id >> kSerialBits);
}
constexpr uint64_t serial_of(ConnectionId id) {
    return id & ((uint64_t{1} << kSerialBits) - 1);
}
constexpr bool is_udp_id(ConnectionId id) {
    return serial_of(id) - kUdpSerial <= UINT16_MAX;
}
/// The endpoint of a udp_id().
constexpr uint16_t udp_endpoint_of(ConnectionId id) {
    return static_cast<uint16_t>(serial_of(id) - kUdpSerial);
}

}  // namespace sluice
