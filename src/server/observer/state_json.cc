#include "server/observer/state_json.h"

#include <unistd.h>

#include "core/clock.h"
#include "server/observer/health.h"
#include "server/observer/json_object.h"
#include "server/observer/observer.h"
#include "server/observer/pool_json.h"
#include "server/observer/process_figures.h"
#include "server/observer/reactor_json.h"
#include "server/observer/reactor_sums.h"
#include "server/observer/reload_json.h"
#include "server/observer/route_figures.h"
#include "server/seam/server_stats.h"

namespace sluice {

namespace {

std::string json_of(const HistogramFigures& figures) {
    JsonList counts;
    for (const uint64_t count : figures.counts)
        counts.add(std::to_string(count));
    return JsonObject()
        .raw("buckets", counts.text())
        .put("sum", static_cast<double>(figures.sum_us) / 1e6)
        .text();
}

std::string json_of(const RouteFigures& route) {
    JsonObject statuses;
    HistogramFigures first_byte;
    uint64_t classes[RequestCells::kClasses + 1] = {};
    for (const auto& [key, figures] : route.answered) {
        classes[key.second] += figures.total();
        first_byte.sum_us += figures.sum_us;
        for (size_t bucket = 0; bucket < figures.counts.size(); ++bucket)
            first_byte.counts[bucket] += figures.counts[bucket];
    }
    for (size_t one = 1; one <= RequestCells::kClasses; ++one)
        statuses.put(std::to_string(one) + "xx", classes[one]);
    return JsonObject()
        .put_text("site", route.site)
        .put_text("route", route.route)
        .raw("requests", statuses.text())
        .raw("firstByte", json_of(first_byte))
        .raw("wait", json_of(route.waited))
        .raw("handler", json_of(route.ran))
        .text();
}

std::string json_of_routes(const Observer& observer) {
    JsonList routes;
    for (const RouteFigures& route : route_figures(observer))
        routes.add(json_of(route));
    return routes.text();
}

std::string json_of_workers(const SharedLayout& layout) {
    JsonList workers;
    for (const WorkerStats& worker : worker_stats_of(layout)) {
        const ProcessFigures process = process_figures(worker.pid);
        workers.add(JsonObject()
                        .put("worker", uint64_t{worker.number})
                        .put("pid", static_cast<uint64_t>(worker.pid))
                        .put("generation", uint64_t{worker.generation})
                        .put("handled", worker.handled)
                        .put("inFlight", uint64_t{worker.handlers})
                        .put("waiting", uint64_t{worker.waiting})
                        .put("coroutines", uint64_t{worker.coroutines})
                        .put("heapBytes", worker.heap_bytes)
                        .put("residentBytes", process.resident_bytes)
                        .put("cpuSeconds", process.cpu_seconds)
                        .text());
    }
    return workers.text();
}

std::string_view name_of(ServerCell::State state) {
    switch (state) {
        case ServerCell::State::kStarting: return "starting";
        case ServerCell::State::kServing: return "serving";
        case ServerCell::State::kDraining: return "draining";
    }
    return "starting";
}

std::string json_of_server(const Observer& observer, const ReactorSums& sums) {
    const SharedLayout& layout = observer.layout();
    const ServerCell& cell = layout.server();
    const ServerStats stats = stats_of(layout);
    return JsonObject()
        .put_text("version", SLUICE_VERSION)
        .put_text("mode", layout.shape().is_base() ? "base" : "process")
        .put_text("script", observer.config().script)
        .put_text("state", name_of(cell.state.load(std::memory_order_relaxed)))
        .put("pid", static_cast<uint64_t>(getppid()))
        .put("began", static_cast<double>(cell.began_us.load(std::memory_order_relaxed)) / 1e6)
        .put("generation", uint64_t{cell.generation.load(std::memory_order_relaxed)})
        .put("pendingGeneration", uint64_t{cell.pending_generation.load(std::memory_order_relaxed)})
        .raw("canary", cell.canary.load(std::memory_order_relaxed) ? "true" : "false")
        .put("reloads", cell.reloads.load(std::memory_order_relaxed))
        .put("reloadFailures", cell.reload_failures.load(std::memory_order_relaxed))
        .put("workers", stats.workers)
        .put("workersWanted", uint64_t{cell.workers_wanted.load(std::memory_order_relaxed)})
        .put("workersKilled",
             cell.worker_ends[static_cast<size_t>(WorkerEnd::kKilled)].load(std::memory_order_relaxed))
        .put("services", stats.services)
        .put("serviceRestarts", stats.service_restarts)
        .put("connections", stats.connections)
        .put("connectionsAccepted", sums.connections_accepted)
        .put("connectionsRefused", sums.connections_refused)
        .put("requestsCancelled", sums.requests_cancelled)
        .put("messagesReceived", stats.messages_received)
        .put("receivedBytes", stats.bytes_received)
        .put("sentBytes", stats.bytes_sent)
        .put("queuedBytes", stats.queued_bytes)
        .put("arenaBytes", stats.arena_bytes)
        .put("lentBytes", stats.lent_bytes)
        .put("subscriptionBytes", stats.subscription_bytes)
        .put("temporaryFileBytes", stats.temporary_file_bytes)
        .put("datagramsDropped", stats.datagrams_dropped)
        .put("coroutines", stats.coroutines)
        .put("stalls", stats.stalls)
        .text();
}

std::string json_of_bounds() {
    JsonList bounds;
    for (const uint32_t bound_us : HistogramCell::kBoundsUs)
        bounds.add(number_text(bound_us / 1e6));
    return bounds.text();
}

}  // namespace

AdminAnswer answer_state(Observer& observer, const AdminRequest&) {
    const ReactorSums sums = reactor_sums(observer.layout());
    return AdminResponse::json(200, JsonObject()
                                            .put("time", static_cast<double>(monotonic_us()) / 1e6)
                                            .put("actions", uint64_t{!observer.config().admin.token.empty()})
                                            .raw("server", json_of_server(observer, sums))
                                            .raw("reload", json_of_reloads(observer))
                                            .raw("traffic", json_of(sums))
                                            .raw("pools", json_of_pools(observer))
                                            .raw("checks", json_of(readiness_of(observer)))
                                            .raw("bounds", json_of_bounds())
                                            .raw("routes", json_of_routes(observer))
                                            .raw("workers", json_of_workers(observer.layout()))
                                            .text() +
                                        "\n");
}

}  // namespace sluice
