#pragma once

#include <cstdint>

namespace sluice {

/// The part of Limits::queued_total_bytes for messages: when they fill it, HTTP still goes on.
constexpr uint64_t message_share(uint64_t queued_total_bytes) {
    return queued_total_bytes / 2;
}

}  // namespace sluice
