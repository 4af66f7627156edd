#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/seam/request_cells.h"

namespace sluice {

class Observer;
struct EndpointSpec;

/// A HistogramCell, or the sum of several, as it was at one time.
struct HistogramFigures {
    std::array<uint64_t, HistogramCell::kBuckets> counts{};
    uint64_t sum_us = 0;

    void add(const HistogramCell& cell);
    uint64_t total() const;
};

/// What is known of the requests to one route of a site, in all reactors and workers together.
struct RouteFigures {
    std::string site;   ///< the address that the script has asked for
    std::string route;  ///< the pattern; `*`: what has no route of its own
    /// By method and class of the status; the time to the first byte. Their counts are the requests.
    std::map<std::pair<http::Method, unsigned>, HistogramFigures> answered;
    HistogramFigures waited, ran;
};

/// How RouteFigures name the site and route of an endpoint.
std::pair<std::string, std::string> route_key(const EndpointSpec& spec, size_t id);

/// Of all routes for requests that the server has or has had, by site and route; the last is of those beyond
/// kMeasuredEndpoints, if there are any. Endpoints that differ in their method alone are one.
std::vector<RouteFigures> route_figures(const Observer& observer);

}  // namespace sluice
