#include "server/observer/reactor_json.h"

#include "core/clock.h"
#include "server/observer/json_object.h"

namespace sluice {

namespace {

std::string json_of_connections(const ReactorSums& sums) {
    JsonObject protocols;
    for (size_t protocol = 0; protocol < kConnectionProtocols.size(); ++protocol) {
        JsonObject states;
        for (size_t state = 0; state < kConnectionStates.size(); ++state)
            states.put(kConnectionStates[state], sums.connections[protocol][state]);
        protocols.raw(kConnectionProtocols[protocol], states.text());
    }
    return protocols.text();
}

std::string json_of_queues(const ReactorSums& sums) {
    const uint64_t now_us = monotonic_us();
    JsonObject resources;
    for (size_t resource = 0; resource < kAwaitedResources.size(); ++resource)
        resources.raw(kAwaitedResources[resource],
                      JsonObject()
                          .put("waiting", sums.waiting[resource])
                          .put("oldestSeconds", oldest_wait_seconds(sums, resource, now_us))
                          .text());
    return resources.text();
}

std::string json_of_refusals(const ReactorSums& sums) {
    JsonObject limits;
    for (size_t limit = 0; limit < kRefusingLimits.size(); ++limit)
        limits.put(kRefusingLimits[limit], sums.refused[limit]);
    return limits.text();
}

}  // namespace

std::string json_of(const ReactorSums& sums) {
    return JsonObject()
        .raw("connections", json_of_connections(sums))
        .put("streams", sums.streams)
        .put("tlsHandshakes", sums.tls_handshakes)
        .put("tlsHandshakeFailures", sums.tls_handshake_failures)
        .raw("queues", json_of_queues(sums))
        .raw("refused", json_of_refusals(sums))
        .put("topics", sums.topics)
        .put("subscriptions", sums.subscriptions)
        .text();
}

}  // namespace sluice
