#include "server/observer/reactor_sums.h"

#include <algorithm>

namespace sluice {

namespace {

void add(uint64_t& sum, const std::atomic<uint64_t>& value) {
    sum += value.load(std::memory_order_relaxed);
}

void add(ReactorSums& sums, const ReactorFigures& figures) {
    for (size_t protocol = 0; protocol < kConnectionProtocols.size(); ++protocol)
        for (size_t state = 0; state < kConnectionStates.size(); ++state)
            add(sums.connections[protocol][state], figures.connections[protocol][state]);
    for (size_t resource = 0; resource < kAwaitedResources.size(); ++resource) {
        add(sums.waiting[resource], figures.waiting[resource]);
        uint64_t& earliest = sums.waits_since_us[resource];
        const uint64_t since_us = figures.waits_since_us[resource].load(std::memory_order_relaxed);
        if (since_us) earliest = earliest ? std::min(earliest, since_us) : since_us;
    }
    for (size_t limit = 0; limit < kRefusingLimits.size(); ++limit)
        add(sums.refused[limit], figures.refused[limit]);
    add(sums.streams, figures.streams);
    add(sums.topics, figures.topics);
    add(sums.subscriptions, figures.subscriptions);
    add(sums.tls_handshakes, figures.tls_handshakes);
    add(sums.tls_handshake_failures, figures.tls_handshake_failures);
    add(sums.stream_resets_received, figures.stream_resets_received);
    add(sums.stream_resets_sent, figures.stream_resets_sent);
    add(sums.messages_dropped, figures.messages_dropped);
}

}  // namespace

double oldest_wait_seconds(const ReactorSums& sums, size_t resource, uint64_t now_us) {
    const uint64_t since_us = sums.waits_since_us[resource];
    // A reactor's stamps may be ahead of the clock.
    return since_us ? static_cast<double>(now_us - std::min(now_us, since_us)) / 1e6 : 0;
}

ReactorSums reactor_sums(const SharedLayout& layout) {
    ReactorSums sums;
    for (unsigned reactor = 0; reactor < layout.shape().reactors; ++reactor) {
        add(sums, layout.figures(reactor));
        const ReactorCell& cell = layout.reactor(reactor);
        add(sums.connections_accepted, cell.connections_accepted);
        add(sums.connections_refused, cell.connections_refused);
        add(sums.requests_cancelled, cell.requests_cancelled);
    }
    return sums;
}

}  // namespace sluice
