#include "server/observer/slow_requests.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/trace_ids.h"
#include "server/observer/json_object.h"
#include "server/observer/method_names.h"
#include "server/observer/observer.h"
#include "server/seam/request_recorder.h"

namespace sluice {

namespace {

/// Of each list.
constexpr size_t kMostShown = 100;

using Records = std::vector<RequestRecord>;

/// Whoever writes them is not trusted: `begun` may be anything.
void add(Records& records, std::span<const RequestCell> cells, uint32_t begun, std::string_view id) {
    for (const RequestCell& cell : cells.first(std::min<size_t>(begun, cells.size()))) {
        RequestRecord record;
        if (!cell.read(record)) continue;
        const TraceText ids({record.trace_high, record.trace_low, record.span});
        if (id.empty() || id == ids.trace() || id == ids.span()) records.push_back(record);
    }
}

double seconds(uint64_t us) {
    return static_cast<double>(us) / 1e6;
}

template <typename List, typename F>
std::string json_list(const List& list, F&& json_of_one) {
    std::string json = "[";
    for (const auto& one : list) {
        if (json.size() > 1) json += ',';
        json += json_of_one(one);
    }
    return json + ']';
}

std::string json_of(const RequestRecord::Wait& wait) {
    JsonObject json;
    json.put("at", seconds(wait.begun_us))
        .put("seconds", seconds(wait.us))
        .put_text("kind", wait.kind.view());
    if (const std::string_view target = wait.target.view(); !target.empty()) json.put_text("target", target);
    if (const std::string_view query = wait.query.view(); !query.empty()) json.put_text("query", query);
    return json.text();
}

std::string json_of(const Observer& observer, const RequestRecord& record) {
    const TraceText ids({record.trace_high, record.trace_low, record.span}),
        parent({0, 0, record.parent_span});
    std::vector<RequestRecord::Wait> waits(
        record.waits, record.waits + std::min<size_t>(record.waits_noted, RequestRecord::kMostWaits));
    std::ranges::sort(waits, {}, &RequestRecord::Wait::begun_us);
    JsonObject json;
    json.put_text("traceId", ids.trace()).put_text("spanId", ids.span());
    if (record.parent_span) json.put_text("parentSpanId", parent.span());
    json.put("began", seconds(record.at_us));
    if (record.endpoint < observer.endpoints().size()) {
        const EndpointSpec& spec = observer.endpoints()[record.endpoint].spec;
        json.put_text("site", spec.address).put_text("route", spec.is_listener() ? "*" : spec.path);
    }
    json.put_text("method", name_of(static_cast<http::Method>(
                                std::min<size_t>(record.method, static_cast<size_t>(http::Method::kOther)))))
        .put_text("path", record.path.view());
    if (record.status) json.put("status", uint64_t{record.status});
    json.put("worker", uint64_t{record.worker})
        .put("queued", seconds(record.waited_us))
        .put("ran", seconds(record.ran_us))
        .put("suspended", seconds(record.suspended_us));
    if (record.first_byte_us) json.put("firstByte", seconds(record.first_byte_us));
    return json.put("bytes", record.body_bytes)
        .raw("cancelled", record.flags & RequestRecord::kCancelled ? "true" : "false")
        .raw("sampled", record.flags & RequestRecord::kSampled ? "true" : "false")
        .raw("waits", json_list(waits, [](const RequestRecord::Wait& wait) { return json_of(wait); }))
        .put("waitsLeftOut", uint64_t{record.waits_left_out})
        .text();
}

std::string json_of(const Observer& observer, Records& records) {
    if (records.size() > kMostShown) records.resize(kMostShown);
    return json_list(records, [&](const RequestRecord& record) { return json_of(observer, record); });
}

}  // namespace

AdminAnswer answer_slow(Observer& observer, const AdminRequest& request) {
    const std::string_view id = request.parameter("id");
    const SharedLayout& layout = observer.layout();
    Records slow, failed;
    for (unsigned slot = 0; slot < layout.shape().first_service_slot(); ++slot) {
        const RequestBoard& board = layout.request_board(slot);
        add(slow, board.slow, board.slow_begun.load(std::memory_order_acquire), id);
        add(failed, board.failed, board.failed_begun.load(std::memory_order_acquire), id);
    }
    const uint64_t now_us = wall_clock_us();
    std::erase_if(slow,
                  [&](const RequestRecord& one) { return one.at_us + RequestRecorder::kKeptUs < now_us; });
    std::ranges::sort(slow, std::greater(), &RequestRecord::total_us);
    std::ranges::sort(failed, std::greater(), &RequestRecord::at_us);
    return AdminResponse::json(
        200,
        JsonObject().raw("slow", json_of(observer, slow)).raw("failed", json_of(observer, failed)).text() +
            "\n");
}

}  // namespace sluice
