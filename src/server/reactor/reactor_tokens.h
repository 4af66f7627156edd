#pragma once

#include <cstdint>

namespace sluice {

// What a reactor's poller reports: a connection's id, or one of these, which no id can be.
inline constexpr uint64_t kSpecialToken = uint64_t{1} << 63;
inline constexpr uint64_t kDoorbellToken = kSpecialToken;
inline constexpr uint64_t kWatchToken = kSpecialToken + 1;
inline constexpr uint64_t kListenerToken = kSpecialToken + 2;                  // + index
inline constexpr uint64_t kUdpToken = kSpecialToken + (uint64_t{1} << 60);     // + index
inline constexpr uint64_t kWriterToken = kSpecialToken + (uint64_t{1} << 61);  // + fd
inline constexpr uint64_t kFdToken = kSpecialToken + (uint64_t{1} << 62);      // + fd

}  // namespace sluice
