#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace_ids.h"
#include "protocol/http/http_head.h"

namespace sluice::http {

// W3C Trace Context (level 2) and W3C Baggage.

/// A valid `traceparent`.
struct TraceParent {
    static constexpr uint8_t kSampled = 1;
    static constexpr uint8_t kRandom = 2;  ///< of level 2: the low 7 bytes of the trace's id are random

    TraceIds ids;  ///< the span is the caller's
    uint8_t flags = 0;
};

/// A field value of `traceparent`; nothing when it is invalid (§3.2.2): then the trace is to be begun anew.
/// Of a version above 00 what version 00 has is read.
std::optional<TraceParent> read_traceparent(std::string_view value);
/// The same for a head, where it must stand once.
std::optional<TraceParent> find_traceparent(std::span<const Field> fields, const char* text);

/// What the caller has decided about recording the trace.
inline std::optional<bool> decision_of(const std::optional<TraceParent>& parent) {
    if (!parent) return {};
    return (parent->flags & TraceParent::kSampled) != 0;
}

/// The ids of a request: of its `parent`'s trace, or of one that begins with it.
TraceIds ids_of_request(const TraceKey& key, uint64_t connection, uint32_t number,
                        const std::optional<TraceParent>& parent);

/// A `traceparent` of version 00, with the known ones of `flags`.
void append_traceparent(std::string& out, const TraceIds& ids, uint8_t flags);

inline constexpr size_t kMostTraceStateMembers = 32;
/// The `tracestate` of a head, several fields as one; empty when there is none, or when it is malformed
/// (§3.3): then it must not be passed on.
std::string trace_state(std::span<const Field> fields, const char* text);

/// The limits of W3C Baggage §3.3.2, which are also what is passed on at most.
inline constexpr size_t kMostBaggageBytes = 8192, kMostBaggageMembers = 64;
/// The members of all `baggage` fields as they came, joined by commas. Malformed ones are left out, and those
/// beyond the limits.
std::string baggage(std::span<const Field> fields, const char* text);
/// Names and values of what baggage() has given, percent-decoded, without properties.
std::vector<std::pair<std::string, std::string>> read_baggage(std::string_view baggage);

}  // namespace sluice::http
