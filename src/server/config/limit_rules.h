#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "server/config/limits.h"

namespace sluice {

enum class LimitUnit : uint8_t {
    kCount,
    kBytes,
    kBytesPerSecond,
    kSeconds,  ///< in PHP, a float; the member counts milliseconds
};

struct LimitRule {
    const char* name;  ///< of the parameter and the property in PHP
    std::variant<uint32_t Limits::*, uint64_t Limits::*> member;
    LimitUnit unit;
    uint64_t least, most;  ///< as the member counts
    const char* reason;    ///< why there is such a bound: what a client or an application could do without it

    uint64_t read(const Limits& limits) const {
        return std::visit([&](auto place) { return static_cast<uint64_t>(limits.*place); }, member);
    }
    /// `value` has been checked.
    void write(Limits& limits, uint64_t value) const;
};

/// In the order of the constructor's parameters.
std::span<const LimitRule> limit_rules();

}  // namespace sluice
