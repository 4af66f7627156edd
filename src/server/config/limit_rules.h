#pragma once

#include <cstdint>
#include <span>

#include "server/config/protocol_limits.h"

namespace sluice {

enum class LimitUnit : uint8_t {
    kCount,
    kBytes,
    kBytesPerSecond,
    kSeconds,  ///< in PHP, a float; the member counts milliseconds
};

/// Whose limits: each has a class in PHP.
enum class LimitGroup : uint8_t { kServer, kHttp, kHttp2, kWebSocket, kTcp, kUdp };
inline constexpr LimitGroup kProtocolGroups[] = {LimitGroup::kHttp, LimitGroup::kHttp2,
                                                 LimitGroup::kWebSocket, LimitGroup::kTcp, LimitGroup::kUdp};
inline constexpr size_t kMostRulesOfProtocol = 19;
/// Of HttpLimits, those that a route may have; the further ones are a whole site's.
inline constexpr size_t kHttpRulesOfRoutes = 9;

struct LimitRule {
    const char* name;  ///< of the parameter and the property in PHP
    uint16_t offset;   ///< of the member in the struct of its group
    uint8_t bytes;     ///< that it has there
    LimitUnit unit;
    uint64_t least, most;  ///< as the member counts
    const char* reason;    ///< why there is such a bound: what a client or an application could do without it

    /// `limits`: the struct of its group.
    uint64_t read(const void* limits) const;
    /// `value` has been checked.
    void write(void* limits, uint64_t value) const;
};

/// In the order of the constructor's parameters.
std::span<const LimitRule> limit_rules(LimitGroup group);

/// The part of them that is a group's; not of kServer.
void* limits_of_group(ProtocolLimits& limits, LimitGroup group);

}  // namespace sluice
