#include "server/observer/metrics.h"

#include <map>
#include <unistd.h>

#include "server/observer/application_metrics.h"
#include "server/observer/exemplars.h"
#include "server/observer/limit_metrics.h"
#include "server/observer/method_names.h"
#include "server/observer/metrics_text.h"
#include "server/observer/observer.h"
#include "server/observer/process_figures.h"
#include "server/observer/reactor_metrics.h"
#include "server/observer/reactor_sums.h"
#include "server/observer/route_figures.h"
#include "server/seam/server_stats.h"

namespace sluice {

namespace {

using Kind = MetricsText::Kind;

void one(MetricsText& text, std::string_view name, Kind kind, std::string_view unit, std::string_view help,
         uint64_t value) {
    text.family(name, kind, unit, help);
    text.value({}, value);
}

void histogram(MetricsText& text, std::string_view labels, const HistogramFigures& figures,
               const BucketExemplars& exemplars = {}) {
    uint64_t below = 0;
    for (size_t bucket = 0; bucket < figures.counts.size(); ++bucket) {
        below += figures.counts[bucket];
        const bool is_last = bucket == HistogramCell::kBoundsUs.size();
        std::optional<MetricsText::Exemplar> shown;
        if (const auto& exemplar = exemplars[bucket]; exemplar && figures.counts[bucket])
            shown = {exemplar->ids, static_cast<double>(exemplar->us) / 1e6,
                     static_cast<double>(exemplar->at_us) / 1e6};
        text.bucket(labels, is_last ? "+Inf" : number_text(HistogramCell::kBoundsUs[bucket] / 1e6), below,
                    shown ? &*shown : nullptr);
    }
    text.sum_and_count(labels, static_cast<double>(figures.sum_us) / 1e6, below);
}

std::string labels_of(const RouteFigures& route) {
    return MetricsText::label("site", route.site) + ',' + MetricsText::label("route", route.route);
}

std::string labels_of(const RouteFigures& route, http::Method method, unsigned status_class) {
    return labels_of(route) + ',' + MetricsText::label("method", name_of(method)) + ',' +
           MetricsText::label("status", std::to_string(status_class) + "xx");
}

void write_requests(MetricsText& text, MetricsText::Format format, const Observer& observer) {
    const std::vector<RouteFigures> routes = route_figures(observer);
    auto exemplars = format == MetricsText::Format::kOpenMetrics ? route_exemplars(observer)
                                                                 : decltype(route_exemplars(observer))();
    text.family("sluice_http_requests", Kind::kCounter, {},
                "Requests that were answered, by pattern of the route and class of the status.");
    for (const RouteFigures& route : routes)
        for (const auto& [key, figures] : route.answered)
            text.value(labels_of(route, key.first, key.second), figures.total());
    text.family("sluice_http_first_byte_seconds", Kind::kHistogram, "seconds",
                "Time from a request's arrival to the head of its response.");
    for (const RouteFigures& route : routes)
        for (const auto& [key, figures] : route.answered)
            histogram(text, labels_of(route, key.first, key.second), figures);
    text.family("sluice_http_wait_seconds", Kind::kHistogram, "seconds",
                "Time that requests have waited for a worker, once all of them had come.");
    for (const RouteFigures& route : routes)
        histogram(text, labels_of(route), route.waited, exemplars[{route.site, route.route}].waited);
    text.family("sluice_http_handler_seconds", Kind::kHistogram, "seconds",
                "Time that handlers of requests have taken.");
    for (const RouteFigures& route : routes)
        histogram(text, labels_of(route), route.ran, exemplars[{route.site, route.route}].ran);
}

void write_traffic(MetricsText& text, const ReactorSums& sums, const ServerStats& stats) {
    one(text, "sluice_http_requests_cancelled", Kind::kCounter, {},
        "Requests whose client left before they were answered.", sums.requests_cancelled);
    one(text, "sluice_connections_accepted", Kind::kCounter, {}, "Connections that were accepted.",
        sums.connections_accepted);
    one(text, "sluice_connections_refused", Kind::kCounter, {},
        "Connections that were closed at once, by a limit on connections.", sums.connections_refused);
    one(text, "sluice_messages_received", Kind::kCounter, {},
        "Requests, messages and datagrams that workers were given.", stats.messages_received);
    one(text, "sluice_received_bytes", Kind::kCounter, "bytes", "Bytes that came from clients.",
        stats.bytes_received);
    one(text, "sluice_sent_bytes", Kind::kCounter, "bytes", "Bytes that were sent to clients.",
        stats.bytes_sent);
    one(text, "sluice_datagrams_dropped", Kind::kCounter, {}, "Datagrams that were dropped.",
        stats.datagrams_dropped);
    one(text, "sluice_messages_dropped", Kind::kCounter, {},
        "Messages that were dropped as the clients do not read.", sums.messages_dropped);
    one(text, "sluice_queued_bytes", Kind::kGauge, "bytes", "Bytes that wait for clients.",
        stats.queued_bytes);
    one(text, "sluice_arena_bytes", Kind::kGauge, "bytes", "Bytes of the arena in use for what clients send.",
        stats.arena_bytes);
    one(text, "sluice_lent_bytes", Kind::kGauge, "bytes", "Bytes of the arena that PHP strings hold.",
        stats.lent_bytes);
    one(text, "sluice_compression_bytes", Kind::kGauge, "bytes", "Memory of compression contexts.",
        stats.compression_bytes);
    one(text, "sluice_attached_bytes", Kind::kGauge, "bytes", "Bytes that are attached to connections.",
        stats.attached_bytes);
    one(text, "sluice_subscription_bytes", Kind::kGauge, "bytes", "Memory of subscriptions to topics.",
        stats.subscription_bytes);
    one(text, "sluice_temporary_file_bytes", Kind::kGauge, "bytes", "Bytes of bodies in temporary files.",
        stats.temporary_file_bytes);
    one(text, "sluice_body_streams", Kind::kGauge, {}, "Bodies that handlers read while they arrive.",
        stats.body_streams);
    one(text, "sluice_websocket_handshakes", Kind::kGauge, {},
        "Handshakes of WebSockets that handlers decide on.", stats.handshakes);
    one(text, "sluice_open_files", Kind::kGauge, {}, "Files that are open to be sent.", stats.open_files);
}

/// Of all processes that have one number, as a reload has two of them for a while.
struct WorkerSums {
    uint64_t in_flight = 0, waiting = 0, handled = 0, coroutines = 0, heap_bytes = 0, resident_bytes = 0;
    double cpu_seconds = 0;
};

void write_workers(MetricsText& text, const SharedLayout& layout, const ServerStats& stats) {
    std::map<uint32_t, WorkerSums> workers;
    uint64_t busy = 0, in_flight = 0, waiting = 0;
    for (unsigned number = 0; number < layout.server().workers_wanted.load(std::memory_order_relaxed);
         ++number)
        workers[number];
    for (const WorkerStats& worker : worker_stats_of(layout)) {
        WorkerSums& sums = workers[worker.number];
        const ProcessFigures process = process_figures(worker.pid);
        sums.in_flight += worker.handlers;
        sums.waiting += worker.waiting;
        sums.handled += worker.handled;
        sums.coroutines += worker.coroutines;
        sums.heap_bytes += worker.heap_bytes;
        sums.resident_bytes += process.resident_bytes;
        sums.cpu_seconds += process.cpu_seconds;
        busy += worker.handlers > 0;
        in_flight += worker.handlers;
        waiting += worker.waiting;
    }
    one(text, "sluice_workers", Kind::kGauge, {}, "Workers that are ready.", stats.workers);
    one(text, "sluice_workers_busy", Kind::kGauge, {}, "Workers with a handler that has begun.", busy);
    one(text, "sluice_workers_wanted", Kind::kGauge, {}, "Workers that there are to be.",
        layout.server().workers_wanted.load(std::memory_order_relaxed));
    one(text, "sluice_handlers_in_flight", Kind::kGauge, {}, "Handlers that have begun and not ended.",
        in_flight);
    one(text, "sluice_handlers_waiting", Kind::kGauge, {},
        "Requests in workers that wait for their turn (concurrency).", waiting);
    one(text, "sluice_coroutines", Kind::kGauge, {}, "Coroutines.", stats.coroutines);
    one(text, "sluice_pooled_stacks", Kind::kGauge, {}, "Stacks that are kept for coroutines to come.",
        stats.pooled_stacks);
    one(text, "sluice_stalls", Kind::kCounter, {}, "Calls that have held a worker for too long.",
        stats.stalls);
    const auto each = [&](std::string_view name, std::string_view unit, std::string_view help,
                          auto WorkerSums::*member) {
        text.family(name, Kind::kGauge, unit, help);
        for (const auto& [number, sums] : workers)
            text.value(MetricsText::label("worker", std::to_string(number)), sums.*member);
    };
    each("sluice_worker_handlers_in_flight", {}, "Handlers of a worker.", &WorkerSums::in_flight);
    each("sluice_worker_handlers_waiting", {}, "Requests in a worker that wait for their turn (concurrency).",
         &WorkerSums::waiting);
    each("sluice_worker_handled", {}, "Handlers of the process that is this worker now that have ended.",
         &WorkerSums::handled);
    each("sluice_worker_coroutines", {}, "Coroutines of a worker.", &WorkerSums::coroutines);
    each("sluice_worker_heap_bytes", "bytes", "Memory that PHP has of the system.", &WorkerSums::heap_bytes);
    each("sluice_worker_resident_bytes", "bytes", "Resident memory, shared pages included.",
         &WorkerSums::resident_bytes);
    each("sluice_worker_cpu_seconds", "seconds", "CPU time of the process that is this worker now.",
         &WorkerSums::cpu_seconds);
    one(text, "sluice_services", Kind::kGauge, {}, "Processes of services and pools that are ready.",
        stats.services);
    one(text, "sluice_service_restarts", Kind::kCounter, {}, "Processes of services that were started again.",
        stats.service_restarts);
}

void write_server(MetricsText& text, const SharedLayout& layout) {
    constexpr std::string_view kEnds[kWorkerEnds] = {"exited", "killed", "not_ready", "replaced", "retired"};
    const ServerCell& cell = layout.server();
    text.family("sluice_build_info", Kind::kGauge, {}, "The version of Sluice.");
    text.value(MetricsText::label("version", SLUICE_VERSION) + ',' +
                   MetricsText::label("mode", layout.shape().is_base() ? "base" : "process"),
               uint64_t{1});
    text.family("sluice_start_time_seconds", Kind::kGauge, "seconds", "When the server began, since 1970.");
    text.value({}, static_cast<double>(cell.began_us.load(std::memory_order_relaxed)) / 1e6);
    one(text, "sluice_generation", Kind::kGauge, {},
        "How often the script was booted, until what serves now.",
        cell.generation.load(std::memory_order_relaxed));
    one(text, "sluice_reload_in_progress", Kind::kGauge, {},
        "Whether a new generation boots, or is tried out.",
        cell.pending_generation.load(std::memory_order_relaxed) != 0);
    one(text, "sluice_canary", Kind::kGauge, {},
        "Whether a new generation is tried out with a share of the requests.",
        cell.canary.load(std::memory_order_relaxed));
    one(text, "sluice_draining", Kind::kGauge, {}, "Whether the server finishes what has begun, and ends.",
        cell.state.load(std::memory_order_relaxed) == ServerCell::State::kDraining);
    text.family("sluice_reloads", Kind::kCounter, {}, "Reloads that have ended.");
    text.value("result=\"success\"", cell.reloads.load(std::memory_order_relaxed));
    text.value("result=\"failure\"", cell.reload_failures.load(std::memory_order_relaxed));
    text.family("sluice_worker_ends", Kind::kCounter, {}, "Workers that have ended, by cause.");
    for (unsigned end = 0; end < kWorkerEnds; ++end)
        text.value(MetricsText::label("cause", kEnds[end]),
                   cell.worker_ends[end].load(std::memory_order_relaxed));
    uint64_t traced = 0, dropped = 0;
    for (unsigned slot = 0; slot < layout.shape().first_service_slot(); ++slot) {
        const RequestBoard& board = layout.request_board(slot);
        traced += board.traced_put.load(std::memory_order_relaxed);
        dropped += board.traced_dropped.load(std::memory_order_relaxed);
    }
    one(text, "sluice_traces", Kind::kCounter, {},
        "Sampled requests that workers have noted for the collector.", traced);
    one(text, "sluice_traces_dropped", Kind::kCounter, {},
        "Sampled requests that no collector has got: there was no room for them, or it did not take them.",
        dropped);
    one(text, "sluice_observer_starts", Kind::kCounter, {},
        "How often the process that tells this was started.",
        cell.observer_starts.load(std::memory_order_relaxed));
    const log::SharedLog& lines = cell.shared_log;
    text.family("sluice_log_lines_dropped", Kind::kCounter, {},
                "Lines that were not written: the same again and again, or the log takes none.");
    text.value("log=\"server\",reason=\"repeated\"", lines.repeated.load(std::memory_order_relaxed));
    text.value("log=\"server\",reason=\"not_taken\"", lines.not_taken.load(std::memory_order_relaxed));
    text.value("log=\"access\",reason=\"not_taken\"", lines.access_not_taken.load(std::memory_order_relaxed));
    text.family("sluice_process_resident_bytes", Kind::kGauge, "bytes",
                "Resident memory of the processes beside the workers.");
    const pid_t reactor = cell.reactor_pid.load(std::memory_order_relaxed);
    text.value("process=\"master\"", process_figures(getppid()).resident_bytes);
    text.value("process=\"observer\"", process_figures(getpid()).resident_bytes);
    if (reactor > 0) text.value("process=\"reactor\"", process_figures(reactor).resident_bytes);
}

}  // namespace

AdminAnswer answer_metrics(Observer& observer, const AdminRequest& request) {
    const MetricsText::Format format = MetricsText::wanted(request.field("accept"));
    MetricsText text(format);
    const ServerStats stats = stats_of(observer.layout());
    write_server(text, observer.layout());
    write_requests(text, format, observer);
    const ReactorSums sums = reactor_sums(observer.layout());
    write_traffic(text, sums, stats);
    write_reactors(text, sums);
    write_rings(text, observer.layout());
    write_workers(text, observer.layout(), stats);
    write_limits(text, observer);
    observer.structures().write(text);
    write_application_metrics(text, observer);
    AdminResponse response;
    response.type = MetricsText::type_of(format);
    response.body = text.finish();
    return response;
}

}  // namespace sluice
