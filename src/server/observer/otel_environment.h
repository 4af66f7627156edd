#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/config/tracing_spec.h"

namespace sluice {

/// What OpenTelemetry's environment variables say about traces, by its "Environment Variable Specification":
/// an empty variable is none, and what is not valid is passed over, with a warning.
class OtelEnvironment {
  public:
    using Lookup = char* (*)(const char* name);

    /// `lookup`: as getenv().
    explicit OtelEnvironment(Lookup lookup) : lookup_(lookup) {}

    /// OTEL_SDK_DISABLED.
    bool is_disabled();
    /// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with the path of traces; empty:
    /// none.
    std::string endpoint();
    /// OTEL_EXPORTER_OTLP_TRACES_HEADERS, or OTEL_EXPORTER_OTLP_HEADERS: names and values of header fields.
    TracingSpec::Pairs headers();
    /// OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG: `ratio` and `follows_callers`.
    void read_sampler(TracingSpec& spec);
    /// OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME: `attributes` and `service`, which may be empty.
    void read_resource(TracingSpec& spec);

    /// Sentences.
    const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    std::string_view variable(const char* name) const;
    /// Of a variable that names an endpoint.
    bool is_endpoint(const char* name, const std::string& url);
    void warn(std::string sentence) { warnings_.push_back(std::move(sentence)); }

    Lookup lookup_;
    std::vector<std::string> warnings_;
};

/// "name=value,name=value", both percent-encoded, as in W3C Baggage without properties. Nothing when a member
/// is malformed: then none of it is to be used.
std::optional<TracingSpec::Pairs> read_otel_pairs(std::string_view list);

}  // namespace sluice
