#include "server/observer/trace_exporter.h"

#include <chrono>

#include "core/log.h"
#include "server/observer/otlp.h"

namespace sluice {

TraceExporter::TraceExporter(const SharedLayout& layout, const TracingSpec& tracing,
                             std::shared_ptr<const Endpoints> endpoints)
    : layout_(layout), tracing_(tracing), endpoints_(std::move(endpoints)) {
    if (!tracing.endpoint.empty()) url_ = CollectorUrl::parse(tracing.endpoint);
    if (url_) thread_ = std::thread([this] { run(); });
}

TraceExporter::~TraceExporter() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(lock_);
        ends_ = true;
    }
    wakes_.notify_all();
    thread_.join();
}

void TraceExporter::set_endpoints(std::shared_ptr<const Endpoints> endpoints) {
    const std::lock_guard lock(lock_);
    endpoints_ = std::move(endpoints);
}

bool TraceExporter::rest(unsigned ms) {
    std::unique_lock lock(lock_);
    return !wakes_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return ends_; });
}

void TraceExporter::run() {
    std::vector<RequestRecord> records;
    std::vector<unsigned> slots;
    while (rest(kPeriodMs)) {
        records.clear();
        slots.clear();
        take(records, slots);
        if (!records.empty()) send(records, slots);
    }
    // Once more, with a single attempt: the master waits a moment for it.
    records.clear();
    slots.clear();
    take(records, slots);
    if (!records.empty()) send(records, slots);
}

/// The places of what was taken are the workers' again at once.
void TraceExporter::take(std::vector<RequestRecord>& records, std::vector<unsigned>& slots) {
    for (unsigned slot = 0; slot < layout_.shape().first_service_slot(); ++slot) {
        RequestBoard& board = layout_.request_board(slot);
        const uint64_t put = board.traced_put.load(std::memory_order_acquire);
        uint64_t taken = board.traced_taken.load(std::memory_order_relaxed);
        // Whoever writes there is not trusted.
        if (put - taken > RequestBoard::kTraced) taken = put - RequestBoard::kTraced;
        for (; taken != put; ++taken) {
            RequestRecord record;
            if (!board.traced[taken % RequestBoard::kTraced].read(record)) continue;
            records.push_back(record);
            slots.push_back(slot);
        }
        if (board.traced_taken.load(std::memory_order_relaxed) != put)
            board.traced_taken.store(put, std::memory_order_release);
    }
}

void TraceExporter::send(const std::vector<RequestRecord>& records, const std::vector<unsigned>& slots) {
    std::shared_ptr<const Endpoints> endpoints;
    {
        const std::lock_guard lock(lock_);
        endpoints = endpoints_;
    }
    const std::string body = otlp_of(records, *endpoints, tracing_);
    std::string why;
    unsigned pause_ms = kFirstPauseMs;
    for (unsigned attempt = 1;; ++attempt, pause_ms *= 2) {
        const Delivered delivered = post_otlp(*url_, tracing_.headers, body, kTimeoutMs, why);
        if (delivered == Delivered::kTaken) {
            if (has_told_) SLUICE_INFO("the collector %s takes traces again", tracing_.endpoint.c_str());
            has_told_ = false;
            return;
        }
        if (delivered == Delivered::kRefused || attempt == kAttempts || !rest(pause_ms)) break;
    }
    for (const unsigned slot : slots)
        layout_.request_board(slot).traced_dropped.fetch_add(1, std::memory_order_relaxed);
    if (!has_told_)
        SLUICE_WARNING("the collector %s takes no traces: %s; what it does not take is dropped",
                       tracing_.endpoint.c_str(), why.c_str());
    has_told_ = true;
}

}  // namespace sluice
