#pragma once

#include <cstdint>

namespace sluice {

struct Connection;

/// How much of what is sent to a client the kernel takes beyond what is on its way (TCP_NOTSENT_LOWAT):
/// little at first, and twice as much each time the client has read. A socket's buffer takes megabytes for a
/// client that reads nothing, and all sockets of a machine share the kernel's memory for TCP (tcp_mem of
/// tcp(7)): when that is full, it drops segments and connections of anybody. What the kernel does not take
/// waits in this process, where it is counted (Limits::queued_total_bytes).
namespace unsent_room {

inline constexpr uint32_t kFirstBytes = 64 * 1024;
inline constexpr uint8_t kDoublings = 5;

/// For a listener: sockets that it accepts inherit it.
void begin(int listener);
/// The client has read what its room held.
void grow(Connection& connection);

}  // namespace unsent_room

}  // namespace sluice
