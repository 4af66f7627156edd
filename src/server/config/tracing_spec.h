#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// Where spans are sent, and of which requests.
struct TracingSpec {
    std::string endpoint;  ///< "http://host[:port]/path" of a collector's OTLP/HTTP; empty: nothing is traced
    std::string service;   ///< `service.name`
    std::string headers;   ///< further "name: value\r\n" lines for the collector
    double ratio = 1.0;    ///< of requests whose caller has not decided

    bool operator==(const TracingSpec&) const = default;

    /// Whether a trace that begins here is recorded: by its id, so that all servers with one ratio agree
    /// (OpenTelemetry's TraceIdRatioBased).
    bool samples(uint64_t trace_low) const {
        return static_cast<double>(trace_low >> 8) < ratio * static_cast<double>(uint64_t{1} << 56);
    }
};

}  // namespace sluice
