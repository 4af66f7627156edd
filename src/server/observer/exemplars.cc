#include "server/observer/exemplars.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "server/observer/observer.h"
#include "server/observer/route_figures.h"
#include "server/seam/request_board.h"

namespace sluice {

namespace {

using ByRoute = std::map<std::pair<std::string, std::string>, RouteExemplars>;

void offer(BucketExemplars& buckets, const Exemplar& exemplar) {
    std::optional<Exemplar>& place = buckets[HistogramCell::bucket_of(exemplar.us)];
    const auto rank = [](const Exemplar& one) { return std::tuple(one.is_sampled, one.at_us); };
    if (!place || rank(*place) < rank(exemplar)) place = exemplar;
}

/// Whoever writes the cells is not trusted: anything may stand there.
void add(ByRoute& routes, const Endpoints& endpoints, std::span<const RequestCell> cells, uint64_t begun) {
    for (const RequestCell& cell : cells.first(std::min<size_t>(begun, cells.size()))) {
        RequestRecord record;
        if (!cell.read(record) || record.endpoint >= endpoints.size()) continue;
        const EndpointSpec& spec = endpoints[record.endpoint].spec;
        Exemplar exemplar{{record.trace_high, record.trace_low, record.span},
                          record.waited_us,
                          record.at_us + record.total_us(),
                          (record.flags & RequestRecord::kSampled) != 0};
        RouteExemplars& route = routes[route_key(spec, record.endpoint)];
        offer(route.waited, exemplar);
        exemplar.us = record.ran_us;
        offer(route.ran, exemplar);
    }
}

}  // namespace

ByRoute route_exemplars(const Observer& observer) {
    ByRoute routes;
    const SharedLayout& layout = observer.layout();
    for (unsigned slot = 0; slot < layout.shape().first_service_slot(); ++slot) {
        const RequestBoard& board = layout.request_board(slot);
        add(routes, observer.endpoints(), board.slow, board.slow_begun.load(std::memory_order_acquire));
        add(routes, observer.endpoints(), board.failed, board.failed_begun.load(std::memory_order_acquire));
        add(routes, observer.endpoints(), board.traced, board.traced_put.load(std::memory_order_acquire));
    }
    return routes;
}

}  // namespace sluice
