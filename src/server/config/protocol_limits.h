#pragma once

#include <cstdint>

namespace sluice {

// The limits that a site, a route or a listener may have of its own, with their defaults; each struct has a
// PHP class of its name. limit_rules() and docs/limits.md describe them.

/// What may wait for one client, and how long; each protocol has its own, by default the server's.
struct SendLimits {
    uint64_t queued_bytes = 16u << 20;
    uint64_t high_water_bytes = 1u << 20;
    uint64_t low_water_bytes = 256u << 10;
    uint32_t write_ms = 30'000;
    uint64_t write_bytes_per_second = 240;

    /// The watermark at which senders begin to wait, until low_water_bytes or less are queued.
    uint64_t high_water() const { return high_water_bytes < queued_bytes ? high_water_bytes : queued_bytes; }
    bool operator==(const SendLimits&) const = default;
};

/// Limits of requests and their connections.
struct HttpLimits {
    uint64_t body_bytes = 16u << 20;
    uint64_t body_file_bytes = 4u << 20;
    uint64_t body_stream_bytes = 128u << 10;
    uint32_t body_ms = 30'000;
    uint64_t body_bytes_per_second = 240;
    uint32_t form_fields = 1000;
    uint64_t form_bytes = 16u << 20;
    uint32_t part_head_bytes = 8192;
    uint32_t request_ms = 60'000;  ///< 0: none
    // Only for a whole site, as a head is read before its route is known.
    uint32_t head_bytes = 16384;
    uint32_t header_fields = 100;
    uint32_t head_ms = 10'000;
    uint32_t keep_alive_ms = 75'000;
    uint32_t keep_alive_requests = 10'000;
    SendLimits sending;

    /// The longest body that is kept in the arena, given Limits::temporary_file_bytes.
    uint64_t memory_body_bytes(uint64_t temporary_file_bytes) const {
        return temporary_file_bytes && body_file_bytes < body_bytes ? body_file_bytes : body_bytes;
    }
    bool operator==(const HttpLimits&) const = default;
};

/// Limits of HTTP/2 connections.
struct Http2Limits {
    uint32_t concurrent_streams = 128;
    uint32_t stream_resets = 200;
    uint32_t pings = 100;
    uint32_t settings_frames = 100;
    uint32_t empty_frames = 200;
    uint32_t continuations = 7;

    bool operator==(const Http2Limits&) const = default;
};

struct WebSocketLimits {
    uint64_t message_bytes = 16u << 20;
    uint32_t message_fragments = 1024;
    uint32_t message_ms = 30'000;
    uint64_t message_bytes_per_second = 240;
    uint32_t handshake_ms = 10'000;
    uint32_t idle_ms = 0;  ///< 0: none
    uint32_t close_ms = 5'000;
    uint32_t subscriptions = 1000;
    SendLimits sending;

    bool operator==(const WebSocketLimits&) const = default;
};

struct TcpLimits {
    uint64_t message_bytes = 16u << 20;
    uint32_t message_ms = 30'000;
    uint64_t message_bytes_per_second = 240;
    uint32_t idle_ms = 0;  ///< 0: none
    SendLimits sending;

    bool operator==(const TcpLimits&) const = default;
};

struct UdpLimits {
    uint32_t datagrams = 4096;

    bool operator==(const UdpLimits&) const = default;
};

/// The limits of one endpoint: those of its kind, and for a listener those of its clients' protocols.
struct ProtocolLimits {
    HttpLimits http;
    Http2Limits http2;
    WebSocketLimits websocket;
    TcpLimits tcp;
    UdpLimits udp;

    bool operator==(const ProtocolLimits&) const = default;
};

}  // namespace sluice
