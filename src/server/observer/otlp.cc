// opentelemetry-proto's trace.proto, written by hand: a few kinds of fields are all of protobuf that it
// needs.
#include "server/observer/otlp.h"

#include <algorithm>
#include <charconv>

#include "core/trace_ids.h"
#include "server/observer/method_names.h"

namespace sluice {

namespace {

namespace request_field {
constexpr unsigned kResourceSpans = 1;
}
namespace resource_spans_field {
constexpr unsigned kResource = 1, kScopeSpans = 2;
}
namespace scope_spans_field {
constexpr unsigned kScope = 1, kSpans = 2;
}
namespace scope_field {
constexpr unsigned kName = 1, kVersion = 2;
}
namespace resource_field {
constexpr unsigned kAttributes = 1;
}
namespace span_field {
constexpr unsigned kTraceId = 1, kSpanId = 2, kParentSpanId = 4, kName = 5, kKind = 6, kStart = 7, kEnd = 8,
                   kAttributes = 9, kStatus = 15, kFlags = 16;
}
namespace status_field {
constexpr unsigned kCode = 3;
}
namespace pair_field {
constexpr unsigned kKey = 1, kValue = 2;
}
namespace value_field {
constexpr unsigned kString = 1, kInt = 3;
}
constexpr uint64_t kInternal = 1, kServer = 2, kClient = 3;  // SpanKind
constexpr uint64_t kError = 2;                               // StatusCode
constexpr uint32_t kSampledFlag = 1;

/// A message of protobuf.
class Message {
  public:
    Message& number(unsigned field, uint64_t value) {
        varint(uint64_t{field} << 3);
        varint(value);
        return *this;
    }
    Message& fixed64(unsigned field, uint64_t value) { return fixed(field, 1, value, 8); }
    Message& fixed32(unsigned field, uint32_t value) { return fixed(field, 5, value, 4); }
    Message& bytes(unsigned field, std::string_view value) {
        varint(uint64_t{field} << 3 | 2);
        varint(value.size());
        text_ += value;
        return *this;
    }
    Message& message(unsigned field, const Message& value) { return bytes(field, value.text_); }
    const std::string& text() const { return text_; }

  private:
    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            text_ += static_cast<char>(value | 0x80);
        text_ += static_cast<char>(value);
    }
    Message& fixed(unsigned field, unsigned wire, uint64_t value, unsigned bytes) {
        varint(uint64_t{field} << 3 | wire);
        for (unsigned byte = 0; byte < bytes; ++byte)
            text_ += static_cast<char>(value >> 8 * byte);
        return *this;
    }

    std::string text_;
};

Message pair(std::string_view key, const Message& value) {
    return Message().bytes(pair_field::kKey, key).message(pair_field::kValue, value);
}
Message attribute(std::string_view key, std::string_view value) {
    return pair(key, Message().bytes(value_field::kString, value));
}
Message attribute(std::string_view key, uint64_t value) {
    return pair(key, Message().number(value_field::kInt, value));
}

/// Ids are bytes, the highest first.
std::string bytes_of(uint64_t number) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift);
    return bytes;
}

/// What all spans have.
struct Part {
    uint64_t span, parent;
    std::string_view name;
    uint64_t kind, begun_us, us;
};

Message span_of(const RequestRecord& record, const Part& part) {
    Message span;
    span.bytes(span_field::kTraceId, bytes_of(record.trace_high) + bytes_of(record.trace_low))
        .bytes(span_field::kSpanId, bytes_of(part.span));
    if (part.parent) span.bytes(span_field::kParentSpanId, bytes_of(part.parent));
    return span.bytes(span_field::kName, part.name)
        .number(span_field::kKind, part.kind)
        .fixed64(span_field::kStart, part.begun_us * 1000)
        .fixed64(span_field::kEnd, (part.begun_us + part.us) * 1000)
        .fixed32(span_field::kFlags, kSampledFlag);
}

/// As OpenTelemetry's conventions call it.
std::string_view system_of(std::string_view kind) {
    if (kind == "pgsql") return "postgresql";
    for (const std::string_view known : {"mysql", "redis", "memcached", "mongodb"})
        if (kind == known) return kind;
    return {};
}

/// Of "192.0.2.1:80", "[2001:db8::1]:80" or "unix:/path".
void add_server(Message& span, std::string_view target) {
    if (target.empty()) return;
    const size_t colon = target.rfind(':');
    uint16_t port = 0;
    if (!target.starts_with("unix:") && colon != target.npos &&
        std::from_chars(target.data() + colon + 1, target.data() + target.size(), port).ec == std::errc())
        span.message(span_field::kAttributes, attribute("server.port", uint64_t{port}));
    std::string_view host = port ? target.substr(0, colon) : target;
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    span.message(span_field::kAttributes, attribute("server.address", host));
}

Message span_of(const RequestRecord& record, const RequestRecord::Wait& wait, uint64_t id, uint64_t parent,
                uint64_t handler_us) {
    const std::string_view kind = wait.kind.view(), target = wait.target.view(), query = wait.query.view();
    const std::string_view system = system_of(kind);
    // A name of few values: SQL begins with its operation.
    std::string_view name = kind.empty() ? "wait" : kind;
    if (!query.empty()) name = query.substr(0, query.find(' '));
    const bool calls = !system.empty() || !query.empty() || kind == "http" || kind == "curl";
    Message span =
        span_of(record, {id, parent, name, calls ? kClient : kInternal, handler_us + wait.begun_us, wait.us});
    if (!system.empty()) span.message(span_field::kAttributes, attribute("db.system.name", system));
    if (!query.empty()) span.message(span_field::kAttributes, attribute("db.query.text", query));
    if (calls) {
        add_server(span, target);
    } else if (!target.empty()) {
        span.message(span_field::kAttributes, attribute("sluice.wait.target", target));
    }
    span.message(span_field::kAttributes, attribute("sluice.wait.kind", kind));
    return span;
}

void add_spans(Message& scope, const RequestRecord& record, const Endpoints& endpoints) {
    const TraceIds ids{record.trace_high, record.trace_low, record.span};
    const auto method = name_of(static_cast<http::Method>(
        std::min<size_t>(record.method, static_cast<size_t>(http::Method::kOther))));
    std::string_view route;
    if (record.endpoint < endpoints.size()) route = endpoints[record.endpoint].spec.path;
    const std::string name =
        std::string(method == "_OTHER" ? "HTTP" : method) + (route.empty() ? "" : " ") + std::string(route);
    Message whole =
        span_of(record, {record.span, record.parent_span, name, kServer, record.at_us, record.total_us()});
    const auto add = [&whole](std::string_view key, auto value) {
        whole.message(span_field::kAttributes, attribute(key, value));
    };
    add("http.request.method", method);
    add("url.path", record.path.view());
    if (!route.empty()) add("http.route", route);
    if (record.status) add("http.response.status_code", uint64_t{record.status});
    add("http.response.body.size", record.body_bytes);
    add("sluice.worker", uint64_t{record.worker});
    if (record.status >= 500)
        whole.message(span_field::kStatus, Message().number(status_field::kCode, kError));
    scope.message(scope_spans_field::kSpans, whole);
    const uint64_t handler = ids.span_below(1), handler_us = record.at_us + record.waited_us;
    scope.message(scope_spans_field::kSpans,
                  span_of(record, {ids.span_below(0), record.span, "wait for a worker", kInternal,
                                   record.at_us, record.waited_us}));
    scope.message(scope_spans_field::kSpans,
                  span_of(record, {handler, record.span, "handler", kInternal, handler_us, record.ran_us}));
    // Whoever writes records is not trusted.
    const size_t waits = std::min<size_t>(record.waits_noted, RequestRecord::kMostWaits);
    for (size_t index = 0; index < waits; ++index)
        scope.message(scope_spans_field::kSpans,
                      span_of(record, record.waits[index], ids.span_below(static_cast<uint32_t>(2 + index)),
                              handler, handler_us));
}

}  // namespace

std::string otlp_of(std::span<const RequestRecord> records, const Endpoints& endpoints,
                    const TracingSpec& tracing) {
    Message resource, scope;
    resource.message(resource_field::kAttributes, attribute("service.name", tracing.service));
    resource.message(resource_field::kAttributes, attribute("telemetry.sdk.name", "sluice"));
    resource.message(resource_field::kAttributes, attribute("telemetry.sdk.language", "php"));
    resource.message(resource_field::kAttributes, attribute("telemetry.sdk.version", SLUICE_VERSION));
    for (const auto& [name, value] : tracing.attributes)
        resource.message(resource_field::kAttributes, attribute(name, value));
    scope.message(scope_spans_field::kScope,
                  Message().bytes(scope_field::kName, "sluice").bytes(scope_field::kVersion, SLUICE_VERSION));
    for (const RequestRecord& record : records)
        add_spans(scope, record, endpoints);
    return Message()
        .message(request_field::kResourceSpans, Message()
                                                    .message(resource_spans_field::kResource, resource)
                                                    .message(resource_spans_field::kScopeSpans, scope))
        .text();
}

}  // namespace sluice
