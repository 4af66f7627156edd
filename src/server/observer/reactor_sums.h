#pragma once

#include <array>
#include <cstdint>

#include "server/seam/reactor_figures.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// The figures of all reactors together; see ReactorFigures.
struct ReactorSums {
    std::array<std::array<uint64_t, kConnectionStates.size()>, kConnectionProtocols.size()> connections = {};
    uint64_t connections_accepted = 0, connections_refused = 0, requests_cancelled = 0;
    uint64_t streams = 0;
    std::array<uint64_t, kAwaitedResources.size()> waiting = {};
    std::array<uint64_t, kAwaitedResources.size()> waits_since_us = {};  ///< the earliest; 0: nobody waits
    uint64_t topics = 0, subscriptions = 0;
    std::array<uint64_t, kRefusingLimits.size()> refused = {};
    uint64_t tls_handshakes = 0, tls_handshake_failures = 0;
    uint64_t stream_resets_received = 0, stream_resets_sent = 0;
    uint64_t messages_dropped = 0;
};

/// How long the one has waited that has waited longest for a resource, by its place in kAwaitedResources.
double oldest_wait_seconds(const ReactorSums& sums, size_t resource, uint64_t now_us);

ReactorSums reactor_sums(const SharedLayout& layout);

}  // namespace sluice
