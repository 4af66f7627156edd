#pragma once

#include <cstdint>
#include <span>

#include "server/config/protocol_limits.h"

namespace sluice {

enum class LimitUnit : uint8_t {
    kCount,
    kBytes,
    kBytesPerSecond,
    kSeconds,  ///< a float in PHP; the member counts milliseconds
};

/// A group of limits: each has a class in PHP.
enum class LimitGroup : uint8_t { kServer, kHttp, kHttp2, kWebSocket, kTcp, kUdp };
inline constexpr LimitGroup kProtocolGroups[] = {LimitGroup::kHttp, LimitGroup::kHttp2,
                                                 LimitGroup::kWebSocket, LimitGroup::kTcp, LimitGroup::kUdp};
inline constexpr size_t kMostRulesOfProtocol = 19;
/// How many rules of kHttp a route may have, the first ones; the others are for a whole site.
inline constexpr size_t kHttpRulesOfRoutes = 9;

struct LimitRule {
    const char* name;  ///< of the parameter and the property in PHP
    uint16_t offset;   ///< of the member in the struct of its group
    uint8_t bytes;     ///< of the member
    LimitUnit unit;
    uint64_t least, most;  ///< in the member's unit
    const char* reason;    ///< what a client or an application could do without this limit

    /// `limits`: the struct of its group.
    uint64_t read(const void* limits) const;
    /// `value` has been checked.
    void write(void* limits, uint64_t value) const;
};

/// In the order of the constructor's parameters.
std::span<const LimitRule> limit_rules(LimitGroup group);

/// The struct of a group within `limits`; not for kServer.
void* limits_of_group(ProtocolLimits& limits, LimitGroup group);

}  // namespace sluice
