#include "server/config/limit_rules.h"

#include <cstddef>

#include "server/config/limits.h"

namespace sluice {

namespace {

constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;
constexpr uint64_t kLeastMs = 1, kMostMs = 1'000'000'000;

using enum LimitUnit;

// One row for each limit; tests/repo/test_limits.py parses them.
// clang-format off
#define SLUICE_LIMIT(group, member) offsetof(group, member), sizeof(group::member)
constexpr LimitRule kServerRules[] = {
    {"connections", SLUICE_LIMIT(Limits, connections), kCount, 1, 1'000'000, "descriptors and the table of connections"},
    {"connectionsPerAddress", SLUICE_LIMIT(Limits, connections_per_address), kCount, 0, 1'000'000, "one client that takes all"},
    {"connectionsPerAddressPerSecond", SLUICE_LIMIT(Limits, connections_per_address_per_second), kCount, 0, 1'000'000, "one client that comes again and again"},
    {"arenaBytes", SLUICE_LIMIT(Limits, arena_bytes), kBytes, kMiB, 64 * kGiB, "memory for what clients send"},
    {"ringBytes", SLUICE_LIMIT(Limits, ring_bytes), kBytes, 512 * kKiB, 64 * kMiB, "what may wait for one worker"},
    {"outBytes", SLUICE_LIMIT(Limits, out_bytes), kBytes, kMiB, 64 * kGiB, "memory for what a worker sends"},
    {"lentBytes", SLUICE_LIMIT(Limits, lent_bytes), kBytes, 0, 64 * kGiB, "a worker that keeps every message"},
    {"temporaryFileBytes", SLUICE_LIMIT(Limits, temporary_file_bytes), kBytes, 0, 16'384 * kGiB, "a disk that is full"},
    {"bodyStreams", SLUICE_LIMIT(Limits, body_streams), kCount, 1, 1'000'000, "a pair of descriptors for each body"},
    {"queuedBytes", SLUICE_LIMIT(Limits, sending.queued_bytes), kBytes, 64 * kKiB, 4 * kGiB, "a client that does not read"},
    {"highWaterBytes", SLUICE_LIMIT(Limits, sending.high_water_bytes), kBytes, kKiB, 4 * kGiB, "a fast producer"},
    {"lowWaterBytes", SLUICE_LIMIT(Limits, sending.low_water_bytes), kBytes, 0, 4 * kGiB, "waking for each byte"},
    {"queuedTotalBytes", SLUICE_LIMIT(Limits, queued_total_bytes), kBytes, kMiB, 64 * kGiB, "many clients that do not read"},
    {"compressionBytes", SLUICE_LIMIT(Limits, compression_bytes), kBytes, 0, 64 * kGiB, "a window for each connection"},
    {"attachedBytes", SLUICE_LIMIT(Limits, attached_bytes), kBytes, 0, 65'535, "a connection that carries a file"},
    {"attachedTotalBytes", SLUICE_LIMIT(Limits, attached_total_bytes), kBytes, 0, 64 * kGiB, "something attached to each connection"},
    {"encodingBytes", SLUICE_LIMIT(Limits, encoding_bytes), kBytes, 0, 64 * kGiB, "an encoder for each streamed response"},
    {"accessLogBytes", SLUICE_LIMIT(Limits, access_log_bytes), kBytes, 4 * kKiB, kGiB, "a disk that does not keep up"},
    {"handshakes", SLUICE_LIMIT(Limits, handshakes), kCount, 1, 1'000'000, "coroutines that decide on handshakes"},
    {"openFiles", SLUICE_LIMIT(Limits, open_files), kCount, 1, 1'000'000, "a descriptor for each file being sent"},
    {"subscriptionBytes", SLUICE_LIMIT(Limits, subscription_bytes), kBytes, 0, 64 * kGiB, "many clients that subscribe to much"},
    {"coroutines", SLUICE_LIMIT(Limits, coroutines), kCount, 1, 1'000'000, "a stack for each handler that waits"},
    {"pooledStacks", SLUICE_LIMIT(Limits, pooled_stacks), kCount, 0, 1'000'000, "stacks kept after a rush"},
    {"handshakeSeconds", SLUICE_LIMIT(Limits, handshake_ms), kSeconds, kLeastMs, kMostMs, "a TLS client that stops"},
    {"writeSeconds", SLUICE_LIMIT(Limits, sending.write_ms), kSeconds, kLeastMs, kMostMs, "a client that stops reading"},
    {"writeBytesPerSecond", SLUICE_LIMIT(Limits, sending.write_bytes_per_second), kBytesPerSecond, 0, kGiB, "a client that sips"},
    {"shutdownSeconds", SLUICE_LIMIT(Limits, shutdown_ms), kSeconds, kLeastMs, kMostMs, "a stop that never ends"},
    {"bootSeconds", SLUICE_LIMIT(Limits, boot_ms), kSeconds, kLeastMs, kMostMs, "a start that never ends"},
    {"stallSeconds", SLUICE_LIMIT(Limits, stall_ms), kSeconds, 0, kMostMs, "a call that holds a worker, unknown to all"},
    {"killSeconds", SLUICE_LIMIT(Limits, kill_ms), kSeconds, 0, kMostMs, "a call that holds a worker for ever"},
    {"queueSeconds", SLUICE_LIMIT(Limits, queue_ms), kSeconds, 0, kMostMs, "more requests than the workers can handle"},
};
constexpr LimitRule kHttpRules[] = {
    {"bodyBytes", SLUICE_LIMIT(HttpLimits, body_bytes), kBytes, 0, 1024 * kGiB, "one body that fills the arena or the disk"},
    {"bodyFileBytes", SLUICE_LIMIT(HttpLimits, body_file_bytes), kBytes, 64 * kKiB, kGiB, "a few bodies that fill the arena"},
    {"bodyStreamBytes", SLUICE_LIMIT(HttpLimits, body_stream_bytes), kBytes, 64 * kKiB, 16 * kMiB, "bytes nobody reads"},
    {"bodySeconds", SLUICE_LIMIT(HttpLimits, body_ms), kSeconds, kLeastMs, kMostMs, "a body that stops"},
    {"bodyBytesPerSecond", SLUICE_LIMIT(HttpLimits, body_bytes_per_second), kBytesPerSecond, 0, kGiB, "a body that drips"},
    {"formFields", SLUICE_LIMIT(HttpLimits, form_fields), kCount, 1, 100'000, "arrays that outgrow the form"},
    {"formBytes", SLUICE_LIMIT(HttpLimits, form_bytes), kBytes, 1024, kGiB, "a field that outgrows PHP's memory"},
    {"partHeadBytes", SLUICE_LIMIT(HttpLimits, part_head_bytes), kBytes, 256, 65'536, "a part's head without end"},
    {"requestSeconds", SLUICE_LIMIT(HttpLimits, request_ms), kSeconds, 0, kMostMs, "a handler that never answers"},
    {"headBytes", SLUICE_LIMIT(HttpLimits, head_bytes), kBytes, 256, 65'535, "a head without end"},
    {"headerFields", SLUICE_LIMIT(HttpLimits, header_fields), kCount, 1, 1'000, "an index that outgrows its text"},
    {"headSeconds", SLUICE_LIMIT(HttpLimits, head_ms), kSeconds, kLeastMs, kMostMs, "a head that comes by the byte"},
    {"keepAliveSeconds", SLUICE_LIMIT(HttpLimits, keep_alive_ms), kSeconds, kLeastMs, kMostMs, "connections nobody uses"},
    {"keepAliveRequests", SLUICE_LIMIT(HttpLimits, keep_alive_requests), kCount, 1, 1'000'000'000, "a connection that stays for ever"},
    {"queuedBytes", SLUICE_LIMIT(HttpLimits, sending.queued_bytes), kBytes, 64 * kKiB, 4 * kGiB, "a client that does not read"},
    {"highWaterBytes", SLUICE_LIMIT(HttpLimits, sending.high_water_bytes), kBytes, kKiB, 4 * kGiB, "a fast producer"},
    {"lowWaterBytes", SLUICE_LIMIT(HttpLimits, sending.low_water_bytes), kBytes, 0, 4 * kGiB, "waking for each byte"},
    {"writeSeconds", SLUICE_LIMIT(HttpLimits, sending.write_ms), kSeconds, kLeastMs, kMostMs, "a client that stops reading"},
    {"writeBytesPerSecond", SLUICE_LIMIT(HttpLimits, sending.write_bytes_per_second), kBytesPerSecond, 0, kGiB, "a client that sips"},
};
constexpr LimitRule kHttp2Rules[] = {
    {"concurrentStreams", SLUICE_LIMIT(Http2Limits, concurrent_streams), kCount, 1, 10'000, "streams of one connection"},
    {"streamResets", SLUICE_LIMIT(Http2Limits, stream_resets), kCount, 1, 1'000'000, "requests begun only to be reset"},
    {"pings", SLUICE_LIMIT(Http2Limits, pings), kCount, 1, 1'000'000, "pings that want answers"},
    {"settingsFrames", SLUICE_LIMIT(Http2Limits, settings_frames), kCount, 1, 1'000'000, "settings that want answers"},
    {"emptyFrames", SLUICE_LIMIT(Http2Limits, empty_frames), kCount, 1, 1'000'000, "frames that only cost time"},
    {"continuations", SLUICE_LIMIT(Http2Limits, continuations), kCount, 1, 7, "a head that never ends"},
};
constexpr LimitRule kWebSocketRules[] = {
    {"messageBytes", SLUICE_LIMIT(WebSocketLimits, message_bytes), kBytes, 1, kGiB, "one message that fills the arena"},
    {"messageFragments", SLUICE_LIMIT(WebSocketLimits, message_fragments), kCount, 1, 1'000'000, "a message in frames without end"},
    {"messageSeconds", SLUICE_LIMIT(WebSocketLimits, message_ms), kSeconds, kLeastMs, kMostMs, "a message that stops in its middle"},
    {"messageBytesPerSecond", SLUICE_LIMIT(WebSocketLimits, message_bytes_per_second), kBytesPerSecond, 0, kGiB, "a message that drips"},
    {"handshakeSeconds", SLUICE_LIMIT(WebSocketLimits, handshake_ms), kSeconds, kLeastMs, kMostMs, "a handler that does not decide"},
    {"idleSeconds", SLUICE_LIMIT(WebSocketLimits, idle_ms), kSeconds, 0, kMostMs, "peers that have vanished"},
    {"closeSeconds", SLUICE_LIMIT(WebSocketLimits, close_ms), kSeconds, kLeastMs, kMostMs, "a close that is not answered"},
    {"subscriptions", SLUICE_LIMIT(WebSocketLimits, subscriptions), kCount, 1, 65'535, "a client that subscribes to everything"},
    {"queuedBytes", SLUICE_LIMIT(WebSocketLimits, sending.queued_bytes), kBytes, 64 * kKiB, 4 * kGiB, "a client that does not read"},
    {"highWaterBytes", SLUICE_LIMIT(WebSocketLimits, sending.high_water_bytes), kBytes, kKiB, 4 * kGiB, "a fast producer"},
    {"lowWaterBytes", SLUICE_LIMIT(WebSocketLimits, sending.low_water_bytes), kBytes, 0, 4 * kGiB, "waking for each byte"},
    {"writeSeconds", SLUICE_LIMIT(WebSocketLimits, sending.write_ms), kSeconds, kLeastMs, kMostMs, "a client that stops reading"},
    {"writeBytesPerSecond", SLUICE_LIMIT(WebSocketLimits, sending.write_bytes_per_second), kBytesPerSecond, 0, kGiB, "a client that sips"},
};
constexpr LimitRule kTcpRules[] = {
    {"messageBytes", SLUICE_LIMIT(TcpLimits, message_bytes), kBytes, 1, kGiB, "one message that fills the arena"},
    {"messageSeconds", SLUICE_LIMIT(TcpLimits, message_ms), kSeconds, kLeastMs, kMostMs, "a message that stops in its middle"},
    {"messageBytesPerSecond", SLUICE_LIMIT(TcpLimits, message_bytes_per_second), kBytesPerSecond, 0, kGiB, "a message that drips"},
    {"idleSeconds", SLUICE_LIMIT(TcpLimits, idle_ms), kSeconds, 0, kMostMs, "peers that have vanished"},
    {"queuedBytes", SLUICE_LIMIT(TcpLimits, sending.queued_bytes), kBytes, 64 * kKiB, 4 * kGiB, "a client that does not read"},
    {"highWaterBytes", SLUICE_LIMIT(TcpLimits, sending.high_water_bytes), kBytes, kKiB, 4 * kGiB, "a fast producer"},
    {"lowWaterBytes", SLUICE_LIMIT(TcpLimits, sending.low_water_bytes), kBytes, 0, 4 * kGiB, "waking for each byte"},
    {"writeSeconds", SLUICE_LIMIT(TcpLimits, sending.write_ms), kSeconds, kLeastMs, kMostMs, "a client that stops reading"},
    {"writeBytesPerSecond", SLUICE_LIMIT(TcpLimits, sending.write_bytes_per_second), kBytesPerSecond, 0, kGiB, "a client that sips"},
};
constexpr LimitRule kUdpRules[] = {
    {"datagrams", SLUICE_LIMIT(UdpLimits, datagrams), kCount, 1, 1'000'000, "a flood that nobody can be asked to slow down"},
};
#undef SLUICE_LIMIT
// clang-format on

}  // namespace

uint64_t LimitRule::read(const void* limits) const {
    const char* place = static_cast<const char*>(limits) + offset;
    if (bytes == sizeof(uint64_t)) return *reinterpret_cast<const uint64_t*>(place);
    return *reinterpret_cast<const uint32_t*>(place);
}

void LimitRule::write(void* limits, uint64_t value) const {
    char* place = static_cast<char*>(limits) + offset;
    if (bytes == sizeof(uint64_t)) {
        *reinterpret_cast<uint64_t*>(place) = value;
    } else {
        *reinterpret_cast<uint32_t*>(place) = static_cast<uint32_t>(value);
    }
}

std::span<const LimitRule> limit_rules(LimitGroup group) {
    switch (group) {
        case LimitGroup::kServer: return kServerRules;
        case LimitGroup::kHttp: return kHttpRules;
        case LimitGroup::kHttp2: return kHttp2Rules;
        case LimitGroup::kWebSocket: return kWebSocketRules;
        case LimitGroup::kTcp: return kTcpRules;
        case LimitGroup::kUdp: return kUdpRules;
    }
    return {};
}

void* limits_of_group(ProtocolLimits& limits, LimitGroup group) {
    switch (group) {
        case LimitGroup::kServer: break;
        case LimitGroup::kHttp: return &limits.http;
        case LimitGroup::kHttp2: return &limits.http2;
        case LimitGroup::kWebSocket: return &limits.websocket;
        case LimitGroup::kTcp: return &limits.tcp;
        case LimitGroup::kUdp: return &limits.udp;
    }
    return nullptr;
}

}  // namespace sluice
