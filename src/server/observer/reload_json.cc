#include "server/observer/reload_json.h"

#include <algorithm>

#include "core/clock.h"
#include "server/observer/json_object.h"
#include "server/observer/observer.h"
#include "server/seam/canary_figures.h"

namespace sluice {

namespace {

std::string json_of(uint32_t generation, const CanaryFigures& figures) {
    const size_t p99 = figures.p99();
    JsonObject json;
    json.put("generation", uint64_t{generation})
        .put("requests", figures.given)
        .put("failed", figures.failed)
        .put("unanswered", figures.unanswered());
    if (p99 == CanaryCounts::kBuckets) return json.raw("p99", "null").text();
    return json.put("p99", CanaryCounts::bound_us(p99) / 1e6).text();
}

std::string json_of_canary(const Observer& observer, const ReloadReport::Canary& canary) {
    if (!canary.generation) return "null";
    const SharedLayout& layout = observer.layout();
    const auto figures = [&](CanaryCells::Side side) {
        return CanaryFigures::of(layout, canary.generation, side);
    };
    const uint64_t now_ms = monotonic_ms();
    return JsonObject()
        .put("share", canary.share)
        .put("secondsLeft", static_cast<double>(std::max(now_ms, canary.until_ms) - now_ms) / 1e3)
        .raw("canary", json_of(canary.generation, figures(CanaryCells::kCanary)))
        .raw("serving", json_of(layout.server().generation.load(std::memory_order_relaxed),
                                figures(CanaryCells::kServing)))
        .text();
}

std::string json_of(const ReloadReport::Result& last) {
    if (!last.generation) return "null";
    return JsonObject()
        .put("generation", uint64_t{last.generation})
        .put_text("result", last.has_failed ? "failure" : "success")
        .put("ended", static_cast<double>(last.ended_us) / 1e6)
        .put_text("text", last.text)
        .text();
}

}  // namespace

std::string json_of_reloads(const Observer& observer) {
    const ReloadReport& report = observer.reloads();
    return JsonObject()
        .raw("canary", json_of_canary(observer, report.canary))
        .raw("last", json_of(report.last))
        .text();
}

}  // namespace sluice
