#pragma once

#include <cstdint>

namespace sluice {

/// Every bound of a server with its default; PHP's `Sluice\Limits` has the same. limit_rules() says for each
/// which values it may have and what it does; docs/limits.md says it to users, and tests hold the three
/// together. Who only hands it on declares it: a new limit is to compile anew what uses limits, and no more.
struct Limits {
    uint32_t connections = 65536;
    uint32_t connections_per_address = 0;             ///< 0: none
    uint32_t connections_per_address_per_second = 0;  ///< 0: none
    uint64_t arena_bytes = 256u << 20;
    uint64_t ring_bytes = 1u << 20;
    uint64_t out_bytes = 64u << 20;
    uint64_t lent_bytes = 32u << 20;
    uint64_t message_bytes = 16u << 20;
    uint64_t body_bytes = 16u << 20;
    uint64_t body_file_bytes = 4u << 20;
    uint64_t temporary_file_bytes = 1u << 30;
    uint32_t body_streams = 1000;
    uint64_t body_stream_bytes = 128u << 10;
    uint32_t head_bytes = 16384;
    uint32_t header_fields = 100;
    uint32_t message_fragments = 1024;
    uint64_t queued_bytes = 16u << 20;
    uint64_t high_water_bytes = 1u << 20;
    uint64_t low_water_bytes = 256u << 10;
    uint64_t queued_total_bytes = 512u << 20;
    uint32_t keep_alive_requests = 10'000;
    uint32_t form_fields = 1000;
    uint64_t form_bytes = 16u << 20;
    uint32_t part_head_bytes = 8192;
    uint64_t compression_bytes = 64u << 20;
    uint64_t encoding_bytes = 64u << 20;
    uint64_t access_log_bytes = 1u << 20;
    uint32_t handshakes = 1000;
    uint32_t open_files = 1024;
    uint32_t subscriptions = 1000;
    uint32_t datagrams = 4096;
    uint32_t coroutines = 10'000;
    uint32_t pooled_stacks = 256;
    uint32_t concurrent_streams = 128;
    uint32_t stream_resets = 200;
    uint32_t pings = 100;
    uint32_t settings_frames = 100;
    uint32_t empty_frames = 200;
    uint32_t continuations = 7;
    uint32_t handshake_ms = 10'000;
    uint32_t head_ms = 10'000;
    uint32_t body_ms = 30'000;
    uint64_t body_bytes_per_second = 240;
    uint32_t write_ms = 30'000;
    uint64_t write_bytes_per_second = 240;
    uint32_t keep_alive_ms = 75'000;
    uint32_t idle_ms = 0;  ///< 0: none
    uint32_t close_ms = 5'000;
    uint32_t shutdown_ms = 10'000;
    uint32_t boot_ms = 60'000;
    uint32_t request_ms = 0;   ///< 0: none; of endpoints that have none of their own
    uint32_t stall_ms = 1000;   ///< 0: nobody is told
    uint32_t kill_ms = 60'000;  ///< 0: nothing is ended

    /// The longest body that is kept in the arena.
    uint64_t slot_body_bytes() const {
        return temporary_file_bytes && body_file_bytes < body_bytes ? body_file_bytes : body_bytes;
    }
    /// From here on whoever can wait does, until no more than low_water_bytes are queued.
    uint64_t high_water() const { return high_water_bytes < queued_bytes ? high_water_bytes : queued_bytes; }

    bool operator==(const Limits&) const = default;
};

}  // namespace sluice
