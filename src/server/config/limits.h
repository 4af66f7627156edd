#pragma once

#include <cstdint>

#include "server/config/protocol_limits.h"

namespace sluice {

/// Every limit of the server as a whole, with its default; PHP's class is `Sluice\Limits`. limit_rules()
/// gives each one's range and reason, docs/limits.md describes them to users, and tests compare the
/// three. Code that only hands Limits on declares the struct: a new limit should recompile only its
/// users.
struct Limits {
    uint32_t connections = 65536;
    uint32_t connections_per_address = 0;             ///< 0: none
    uint32_t connections_per_address_per_second = 0;  ///< 0: none
    uint64_t arena_bytes = 256u << 20;
    uint64_t ring_bytes = 1u << 20;
    uint64_t out_bytes = 64u << 20;
    uint64_t lent_bytes = 32u << 20;
    uint64_t temporary_file_bytes = 1u << 30;
    uint32_t body_streams = 1000;
    SendLimits sending;  ///< for UDP, and for protocols without limits of their own
    uint64_t queued_total_bytes = 512u << 20;
    uint64_t compression_bytes = 64u << 20;
    uint32_t attached_bytes = 4096;
    uint64_t attached_total_bytes = 64u << 20;
    uint64_t encoding_bytes = 64u << 20;
    uint64_t access_log_bytes = 1u << 20;
    uint32_t handshakes = 1000;
    uint32_t open_files = 1024;
    uint64_t subscription_bytes = 256u << 20;
    uint32_t coroutines = 10'000;
    uint32_t pooled_stacks = 256;
    uint32_t handshake_ms = 10'000;
    uint32_t shutdown_ms = 10'000;
    uint32_t boot_ms = 60'000;
    uint32_t stall_ms = 1000;    ///< 0: stalls are not reported
    uint32_t kill_ms = 60'000;   ///< 0: stalls are not ended
    uint32_t queue_ms = 10'000;  ///< least wait above which requests are refused; 0: none are

    bool operator==(const Limits&) const = default;
};

}  // namespace sluice
