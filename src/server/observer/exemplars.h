#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/trace_ids.h"
#include "server/seam/request_cells.h"

namespace sluice {

class Observer;

/// A request that is shown beside a bucket in which it has counted.
struct Exemplar {
    TraceIds ids;
    uint64_t us = 0;     ///< what the histogram has counted
    uint64_t at_us = 0;  ///< since 1970: the request's end
    bool is_sampled = false;
};

/// By bucket of a HistogramCell.
using BucketExemplars = std::array<std::optional<Exemplar>, HistogramCell::kBuckets>;

struct RouteExemplars {
    BucketExemplars waited, ran;
};

/// Of each site and route, as RouteFigures names them. They are the requests that workers have noted anyway:
/// the sampled, the slowest and those that have failed. In each bucket one that is sampled comes first, as a
/// collector knows it, and then the latest.
std::map<std::pair<std::string, std::string>, RouteExemplars> route_exemplars(const Observer& observer);

}  // namespace sluice
