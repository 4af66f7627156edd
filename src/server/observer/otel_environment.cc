#include "server/observer/otel_environment.h"

#include <algorithm>
#include <charconv>

#include "core/utf8.h"
#include "protocol/http/http_syntax.h"
#include "server/observer/collector.h"

namespace sluice {

namespace {

struct Sampler {
    std::string_view name;
    bool follows_callers;
    double ratio;
    bool takes_ratio;
};
constexpr Sampler kSamplers[] = {
    {"always_on", false, 1, false},
    {"always_off", false, 0, false},
    {"traceidratio", false, 1, true},
    {"parentbased_always_on", true, 1, false},
    {"parentbased_always_off", true, 0, false},
    {"parentbased_traceidratio", true, 1, true},
};

/// Nothing when a '%' has no two digits after it.
std::optional<std::string> decode(std::string_view text) {
    for (size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1))
        if (at + 2 >= text.size() || http::hex_value(text[at + 1]) < 0 || http::hex_value(text[at + 2]) < 0)
            return {};
    std::string decoded(text.size(), '\0');
    decoded.resize(http::percent_decode(text, http::Plus::kLiteral, decoded.data()));
    return decoded;
}

}  // namespace

std::optional<TracingSpec::Pairs> read_otel_pairs(std::string_view list) {
    TracingSpec::Pairs pairs;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        const std::string_view member = http::trim_blanks(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
        if (member.empty()) continue;
        const size_t equals = member.find('=');
        if (equals == member.npos) return {};
        auto name = decode(http::trim_blanks(member.substr(0, equals))),
             value = decode(http::trim_blanks(member.substr(equals + 1)));
        if (!name || name->empty() || !value) return {};
        pairs.emplace_back(std::move(*name), std::move(*value));
    }
    return pairs;
}

std::string_view OtelEnvironment::variable(const char* name) const {
    const char* const value = lookup_(name);
    return value ? std::string_view(value) : std::string_view();
}

bool OtelEnvironment::is_disabled() {
    const std::string_view value = variable("OTEL_SDK_DISABLED");
    if (http::equals_caseless(value, "true")) return true;
    if (!value.empty() && !http::equals_caseless(value, "false"))
        warn("OTEL_SDK_DISABLED must be true or false, \"" + std::string(value) + "\" is taken for false");
    return false;
}

bool OtelEnvironment::is_endpoint(const char* name, const std::string& url) {
    if (CollectorUrl::parse(url)) return true;
    warn(std::string(name) + " must be a URL that begins with http:// and a host, \"" + url +
         "\" is not used");
    return false;
}

std::string OtelEnvironment::endpoint() {
    constexpr const char *kTraces = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
                         *kAll = "OTEL_EXPORTER_OTLP_ENDPOINT";
    const std::string traces(variable(kTraces));
    if (!traces.empty() && is_endpoint(kTraces, traces)) return traces;
    std::string all(variable(kAll));
    if (all.empty() || !is_endpoint(kAll, all)) return "";
    if (all.ends_with('/')) all.pop_back();
    return all + "/v1/traces";
}

TracingSpec::Pairs OtelEnvironment::headers() {
    const char* name = "OTEL_EXPORTER_OTLP_TRACES_HEADERS";
    if (variable(name).empty()) name = "OTEL_EXPORTER_OTLP_HEADERS";
    auto pairs = read_otel_pairs(variable(name));
    const bool are_fields = pairs && std::ranges::all_of(*pairs, [](const auto& pair) {
                                return http::is_token(pair.first) && http::is_field_value(pair.second);
                            });
    if (are_fields) return std::move(*pairs);
    // Without the value, which may be a secret.
    warn(std::string(name) +
         " must be names and values of header fields, as in \"name=value,name=value\", each "
         "percent-encoded; none of them is sent");
    return {};
}

void OtelEnvironment::read_sampler(TracingSpec& spec) {
    const std::string_view name = variable("OTEL_TRACES_SAMPLER"), text = variable("OTEL_TRACES_SAMPLER_ARG");
    if (name.empty()) {
        if (!text.empty())
            warn("OTEL_TRACES_SAMPLER_ARG is not used: it needs OTEL_TRACES_SAMPLER, which is not set");
        return;
    }
    const auto* const found = std::ranges::find(kSamplers, name, &Sampler::name);
    if (found == std::end(kSamplers)) {
        std::string known;
        for (const Sampler& sampler : kSamplers)
            (known += known.empty() ? "" : ", ") += sampler.name;
        warn("OTEL_TRACES_SAMPLER must be one of " + known + ", \"" + std::string(name) +
             "\" is taken for parentbased_always_on");
        return;
    }
    spec.follows_callers = found->follows_callers;
    spec.ratio = found->ratio;
    if (!found->takes_ratio || text.empty()) return;
    double ratio = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ratio);
    if (error == std::errc() && end == text.data() + text.size() && ratio >= 0 && ratio <= 1) {
        spec.ratio = ratio;
    } else {
        warn("OTEL_TRACES_SAMPLER_ARG must be between 0 and 1, \"" + std::string(text) + "\" is taken for 1");
    }
}

void OtelEnvironment::read_resource(TracingSpec& spec) {
    const std::string_view list = variable("OTEL_RESOURCE_ATTRIBUTES");
    const auto pairs = read_otel_pairs(list);
    const bool are_text = pairs && std::ranges::all_of(*pairs, [](const auto& pair) {
                              return is_utf8(pair.first) && is_utf8(pair.second);
                          });
    if (!are_text) {
        warn(
            "OTEL_RESOURCE_ATTRIBUTES must be names and values in UTF-8, as in \"name=value,name=value\", "
            "each percent-encoded, \"" +
            std::string(list) + "\" is not used");
    } else {
        for (const auto& [name, value] : *pairs) {
            // What the sender is it knows itself.
            if (name.starts_with("telemetry.sdk.")) continue;
            if (name == "service.name") {
                spec.service = value;
                continue;
            }
            const auto before =
                std::ranges::find(spec.attributes, name, &TracingSpec::Pairs::value_type::first);
            if (before != spec.attributes.end()) spec.attributes.erase(before);
            spec.attributes.emplace_back(name, value);
        }
    }
    if (const std::string_view service = variable("OTEL_SERVICE_NAME"); !service.empty()) {
        if (is_utf8(service)) {
            spec.service = service;
        } else {
            warn("OTEL_SERVICE_NAME must be UTF-8, it is not used");
        }
    }
}

}  // namespace sluice
