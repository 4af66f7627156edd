#pragma once

#include <cstdint>

namespace sluice {

/// Of Limits::queued_total_bytes, what messages may take: whoever fills it with them does not stop HTTP.
constexpr uint64_t message_share(uint64_t queued_total_bytes) {
    return queued_total_bytes / 2;
}

}  // namespace sluice
