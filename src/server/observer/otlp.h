#pragma once

#include <span>
#include <string>

#include "server/config/endpoints.h"
#include "server/config/tracing_spec.h"
#include "server/seam/request_board.h"

namespace sluice {

/// Requests as spans: an ExportTraceServiceRequest of OTLP in protobuf. Each has a span of kind server, and
/// below it one for the wait for a worker, one for the handler, and below that one for each noted wait.
std::string otlp_of(std::span<const RequestRecord> records, const Endpoints& endpoints,
                    const TracingSpec& tracing);

}  // namespace sluice
