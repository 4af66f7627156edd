#include "server/observer/reactor_metrics.h"

#include "core/clock.h"
#include "server/observer/metrics_text.h"
#include "server/observer/reactor_sums.h"
#include "server/seam/shared_layout.h"

namespace sluice {

namespace {

using Kind = MetricsText::Kind;

void one(MetricsText& text, std::string_view name, Kind kind, std::string_view help, uint64_t value) {
    text.family(name, kind, {}, help);
    text.value({}, value);
}

void write_connections(MetricsText& text, const ReactorSums& sums) {
    text.family("sluice_connections", Kind::kGauge, {},
                "Open connections of clients, by protocol and state.");
    for (size_t protocol = 0; protocol < kConnectionProtocols.size(); ++protocol)
        for (size_t state = 0; state < kConnectionStates.size(); ++state)
            text.value(MetricsText::label("protocol", kConnectionProtocols[protocol]) + ',' +
                           MetricsText::label("state", kConnectionStates[state]),
                       sums.connections[protocol][state]);
    one(text, "sluice_http2_streams", Kind::kGauge, "Open streams of HTTP/2 connections.", sums.streams);
    text.family("sluice_http2_stream_resets", Kind::kCounter, {},
                "Streams of HTTP/2 that were reset (RST_STREAM), by who did.");
    text.value("by=\"client\"", sums.stream_resets_received);
    text.value("by=\"server\"", sums.stream_resets_sent);
    text.family("sluice_tls_handshakes", Kind::kCounter, {}, "TLS handshakes that have ended.");
    text.value("result=\"success\"", sums.tls_handshakes);
    text.value("result=\"failure\"", sums.tls_handshake_failures);
}

void write_queues(MetricsText& text, const ReactorSums& sums) {
    text.family("sluice_queue_connections", Kind::kGauge, {},
                "Connections and streams that wait for their turn, by what they wait for.");
    for (size_t resource = 0; resource < kAwaitedResources.size(); ++resource)
        text.value(MetricsText::label("resource", kAwaitedResources[resource]), sums.waiting[resource]);
    text.family("sluice_queue_oldest_wait_seconds", Kind::kGauge, "seconds",
                "How long the one has waited that has waited longest, by what it waits for.");
    const uint64_t now_us = monotonic_us();
    for (size_t resource = 0; resource < kAwaitedResources.size(); ++resource)
        text.value(MetricsText::label("resource", kAwaitedResources[resource]),
                   oldest_wait_seconds(sums, resource, now_us));
}

}  // namespace

void write_reactors(MetricsText& text, const ReactorSums& sums) {
    write_connections(text, sums);
    write_queues(text, sums);
    text.family("sluice_refused", Kind::kCounter, {},
                "Connections, requests, streams and messages that were refused or ended, by the limit.");
    for (size_t limit = 0; limit < kRefusingLimits.size(); ++limit)
        text.value(MetricsText::label("limit", kRefusingLimits[limit]), sums.refused[limit]);
    one(text, "sluice_topics", Kind::kGauge,
        "Topics and prefixes that somebody has subscribed to; one counts in each reactor that has a "
        "subscriber.",
        sums.topics);
    one(text, "sluice_subscriptions", Kind::kGauge, "Subscriptions of connections to topics.",
        sums.subscriptions);
}

void write_rings(MetricsText& text, const SharedLayout& layout) {
    struct Direction {
        std::string_view label;
        bool is_inbound;
        uint64_t bytes = 0, fullest = 0;
    };
    Direction directions[] = {{"direction=\"to_worker\"", true}, {"direction=\"from_worker\"", false}};
    uint64_t share = UINT64_MAX;
    for (unsigned reactor = 0; reactor < layout.shape().reactors; ++reactor) {
        // Of a reactor that has not begun there is none.
        if (const uint64_t own = layout.reactor(reactor).share_bytes.load(std::memory_order_relaxed))
            share = std::min(share, own);
        for (unsigned slot = 0; slot < layout.shape().worker_slots; ++slot) {
            if (!layout.worker(slot).alive.load(std::memory_order_relaxed)) continue;
            for (Direction& direction : directions) {
                const RingHeader& ring = *layout.ring(direction.is_inbound, reactor, slot).header;
                // The consumer goes on between the two.
                const uint64_t consumed = ring.consumed.load(std::memory_order_acquire);
                const uint64_t produced = ring.produced.load(std::memory_order_acquire);
                const uint64_t bytes =
                    produced > consumed ? std::min(produced - consumed, layout.shape().ring_bytes) : 0;
                direction.bytes += bytes;
                direction.fullest = std::max(direction.fullest, bytes);
            }
        }
    }
    text.family("sluice_ring_bytes", Kind::kGauge, "bytes",
                "Bytes of messages in the rings between reactors and workers.");
    for (const Direction& direction : directions)
        text.value(direction.label, direction.bytes);
    text.family("sluice_ring_fullest_bytes", Kind::kGauge, "bytes",
                "Bytes of messages in the ring that has most of them.");
    for (const Direction& direction : directions)
        text.value(direction.label, direction.fullest);
    text.family("sluice_client_share_bytes", Kind::kGauge, "bytes",
                "What may wait for one client while the memory for all is short, by the limit.");
    text.value("limit=\"queuedTotalBytes\"", share == UINT64_MAX ? 0 : share);
}

}  // namespace sluice
