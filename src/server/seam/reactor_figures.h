#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/seam/request_cells.h"

namespace sluice {

/// What a client's connection speaks.
enum class ConnectionProtocol : uint8_t { kHttp1, kHttp2, kWebSocket, kTcp };
inline constexpr std::array<std::string_view, 4> kConnectionProtocols = {"http1", "http2", "websocket",
                                                                         "tcp"};

/// What a client's connection does.
enum class ConnectionState : uint8_t {
    kHandshake,  ///< TLS, or the header of the PROXY protocol, is not complete
    kIdle,
    kReading,   ///< a part of a request or message has come
    kWaiting,   ///< for its turn, a worker, or memory
    kHandling,  ///< a worker has a request or message of it; HTTP/2: there are streams
    kWriting,   ///< bytes wait until the client takes some
    kClosing,
};
inline constexpr std::array<std::string_view, 7> kConnectionStates = {
    "handshake", "idle", "reading", "waiting", "handling", "writing", "closing"};

/// What connections wait for, as metrics name it; see Resource.
inline constexpr std::array<std::string_view, 5> kAwaitedResources = {"worker", "own_worker", "arena",
                                                                      "out_memory", "inflater"};

/// The limits by which a reactor refuses connections, requests, streams and messages, or ends
/// them: the parameters of PHP's classes of limits.
inline constexpr std::array<std::string_view, 29> kRefusingLimits = {
    "arenaBytes",
    "attachedTotalBytes",
    "bodyBytes",
    "bodySeconds",
    "bodyStreams",
    "concurrentStreams",
    "connections",
    "connectionsPerAddress",
    "connectionsPerAddressPerSecond",
    "continuations",
    "emptyFrames",
    "handshakes",
    "handshakeSeconds",
    "headBytes",
    "headSeconds",
    "headerFields",
    "idleSeconds",
    "killSeconds",
    "messageBytes",
    "messageFragments",
    "messageSeconds",
    "openFiles",
    "pings",
    "queueSeconds",
    "requestSeconds",
    "settingsFrames",
    "streamResets",
    "temporaryFileBytes",
    "writeSeconds",
};
/// The place of a limit's name; the array's size: there is none.
constexpr size_t refusing_limit(std::string_view name) {
    size_t place = 0;
    while (place < kRefusingLimits.size() && kRefusingLimits[place] != name)
        ++place;
    return place;
}

/// What one reactor tells of its connections, for the metrics. Only its thread writes.
struct alignas(64) ReactorFigures {
    // Gauges, which SharedLayout::reset_figures() knows, too
    std::atomic<uint64_t> connections[kConnectionProtocols.size()][kConnectionStates.size()];
    std::atomic<uint64_t> streams;  ///< of HTTP/2
    std::atomic<uint64_t> waiting[kAwaitedResources.size()];
    std::atomic<uint64_t> waits_since_us[kAwaitedResources.size()];  ///< who waits longest; 0: nobody waits
    std::atomic<uint64_t> topics;
    std::atomic<uint64_t> subscriptions;

    // Counters
    std::atomic<uint64_t> refused[kRefusingLimits.size()];
    std::atomic<uint64_t> tls_handshakes;
    std::atomic<uint64_t> tls_handshake_failures;
    std::atomic<uint64_t> stream_resets_received;
    std::atomic<uint64_t> stream_resets_sent;
    std::atomic<uint64_t> messages_dropped;  ///< to clients that do not read

    /// Something is refused, or ended, by the limit of this name.
    void count_refusal(std::string_view limit) {
        const size_t place = refusing_limit(limit);
        assert(place < kRefusingLimits.size());
        HistogramCell::add(refused[place], 1);
    }
};

}  // namespace sluice
