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

    /// Whether a request is recorded. `caller`: what its caller has decided. Otherwise the trace's id
    /// decides, so that all servers with one ratio agree (OpenTelemetry's TraceIdRatioBased).
    bool samples(uint64_t trace_low, std::optional<bool> caller) const {
        if (caller && follows_callers) return *caller;
        return static_cast<double>(trace_low >> 8) < ratio * static_cast<double>(uint64_t{1} << 56);
    }
};

}  // namespace sluice
