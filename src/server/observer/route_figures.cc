#include "server/observer/route_figures.h"

#include <tuple>

#include "server/observer/method_names.h"
#include "server/observer/observer.h"

namespace sluice {

void HistogramFigures::add(const HistogramCell& cell) {
    for (size_t bucket = 0; bucket < counts.size(); ++bucket)
        counts[bucket] += cell.counts[bucket].load(std::memory_order_relaxed);
    sum_us += cell.sum_us.load(std::memory_order_relaxed);
}

uint64_t HistogramFigures::total() const {
    uint64_t all = 0;
    for (const uint64_t count : counts)
        all += count;
    return all;
}

namespace {

constexpr char kOthers[] = "_other";

/// Begins with 0 what is sure to come: GET, or the route's method, with 2xx.
void begin(RouteFigures& figures, const std::string& method) {
    for (size_t one = 0; one < RequestCells::kMethods; ++one) {
        const auto known = static_cast<http::Method>(one);
        if (name_of(known) == (method.empty() ? "GET" : method)) figures.answered[{known, 2}];
    }
}

void add_place(const SharedLayout& layout, size_t place, RouteFigures& figures) {
    for (unsigned reactor = 0; reactor < layout.shape().reactors; ++reactor) {
        const RequestCells& requests = layout.requests(reactor);
        const uint64_t begun = requests.begun[place].load(std::memory_order_relaxed);
        for (size_t series = 0; series < RequestCells::kSeries; ++series) {
            if (begun >> series & 1)
                figures.answered[{RequestCells::method_of(series), RequestCells::class_of(series)}].add(
                    requests.cells[place][series]);
        }
    }
    for (unsigned slot = 0; slot < layout.shape().worker_slots; ++slot) {
        const HandlerCells& handlers = layout.handlers(slot);
        if (!handlers.begun[place].load(std::memory_order_relaxed)) continue;
        figures.waited.add(handlers.cells[place].waited);
        figures.ran.add(handlers.cells[place].ran);
    }
}

}  // namespace

std::pair<std::string, std::string> route_key(const EndpointSpec& spec, size_t id) {
    if (id >= kMeasuredEndpoints) return {kOthers, kOthers};
    return {spec.address, spec.is_listener() ? "*" : spec.path};
}

std::vector<RouteFigures> route_figures(const Observer& observer) {
    std::map<std::pair<std::string, std::string>, RouteFigures> by_route;
    const Endpoints& endpoints = observer.endpoints();
    for (size_t id = 0; id < endpoints.size() && id < kMeasuredEndpoints; ++id) {
        const EndpointSpec& spec = endpoints[static_cast<uint16_t>(id)].spec;
        if (spec.kind != EndpointKind::kHttp && spec.kind != EndpointKind::kWebSocket) continue;
        const auto key = route_key(spec, id);
        RouteFigures& figures = by_route[key];
        std::tie(figures.site, figures.route) = key;
        begin(figures, spec.method);
        add_place(observer.layout(), id, figures);
    }
    std::vector<RouteFigures> all;
    for (auto& [key, figures] : by_route)
        all.push_back(std::move(figures));
    if (endpoints.size() > kMeasuredEndpoints) {
        RouteFigures& others = all.emplace_back();
        others.site = others.route = kOthers;
        begin(others, {});
        add_place(observer.layout(), kMeasuredEndpoints, others);
    }
    return all;
}

}  // namespace sluice
