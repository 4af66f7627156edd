#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Where spans are sent, and of which requests.
struct TracingSpec {
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    std::string endpoint;  ///< "http://host[:port]/path" of a collector's OTLP/HTTP; empty: nothing is traced
    std::string service;   ///< `service.name`
    Pairs attributes;      ///< further ones of the resource
    std::string headers;   ///< further "name: value\r\n" lines for the collector
    double ratio = 1.0;    ///< of the requests that no caller decides about
    bool follows_callers = true;  ///< the flag `sampled` of a caller's `traceparent` decides

    bool operator==(const TracingSpec&) const = default;

    /// Whether a request is recorded. `caller`: what its caller has decided. Otherwise the last 56 bits of
    /// the trace's id decide, which are to reach a threshold: so all servers with one ratio agree, and what
    /// is recorded at one is at those with a higher one (OpenTelemetry's "TraceState: Probability Sampling").
    bool samples(uint64_t trace_low, std::optional<bool> caller) const {
        constexpr uint64_t kAll = uint64_t{1} << 56;
        if (caller && follows_callers) return *caller;
        return (trace_low & (kAll - 1)) >= static_cast<uint64_t>((1 - ratio) * static_cast<double>(kAll));
    }
};

}  // namespace sluice
