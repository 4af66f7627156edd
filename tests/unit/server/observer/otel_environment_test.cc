#include "server/observer/otel_environment.h"

#include <gtest/gtest.h>
#include <map>

namespace sluice {
namespace {

std::map<std::string, std::string> variables;

char* lookup(const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.data();
}

OtelEnvironment with(std::map<std::string, std::string> wanted) {
    variables = std::move(wanted);
    return OtelEnvironment(lookup);
}

using Pairs = TracingSpec::Pairs;

TEST(OtelEnvironment, PairsArePercentEncoded) {
    EXPECT_EQ(read_otel_pairs(""), Pairs());
    EXPECT_EQ(read_otel_pairs(" a = b ,c=%2C%3D d,,e=f=g,h="),
              (Pairs{{"a", "b"}, {"c", ",= d"}, {"e", "f=g"}, {"h", ""}}));
    for (const std::string_view wrong : {"a", "=b", "a=b,c", "a=%", "a=%1", "a=%1g", "%zz=b"})
        EXPECT_FALSE(read_otel_pairs(wrong)) << wrong;
}

TEST(OtelEnvironment, AnEmptyVariableIsNone) {
    OtelEnvironment environment = with({{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ""},
                                        {"OTEL_SDK_DISABLED", ""},
                                        {"OTEL_TRACES_SAMPLER", ""},
                                        {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", ""},
                                        {"OTEL_EXPORTER_OTLP_HEADERS", "a=b"}});
    TracingSpec spec;
    environment.read_sampler(spec);
    environment.read_resource(spec);
    EXPECT_EQ(spec, TracingSpec());
    EXPECT_EQ(environment.endpoint(), "");
    EXPECT_FALSE(environment.is_disabled());
    EXPECT_EQ(environment.headers(), (Pairs{{"a", "b"}}));
    EXPECT_TRUE(environment.warnings().empty());
}

TEST(OtelEnvironment, TheEndpointOfTracesIsTakenAsItStands) {
    EXPECT_EQ(with({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://x"}}).endpoint(), "http://x/v1/traces");
    EXPECT_EQ(with({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://x/a/"}}).endpoint(), "http://x/a/v1/traces");
    std::map<std::string, std::string> both = {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://x"},
                                               {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://y"}};
    EXPECT_EQ(with(both).endpoint(), "http://y");
    both["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = "https://y";
    OtelEnvironment environment = with(both);
    EXPECT_EQ(environment.endpoint(), "http://x/v1/traces") << "what is not valid is as not set";
    EXPECT_EQ(environment.warnings().size(), 1u);
}

TEST(OtelEnvironment, HeadersOfTracesComeInsteadOfAll) {
    OtelEnvironment environment = with(
        {{"OTEL_EXPORTER_OTLP_HEADERS", "a=b"}, {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "c=Basic%20x%3D%3D"}});
    EXPECT_EQ(environment.headers(), (Pairs{{"c", "Basic x=="}}));
    for (const char* wrong : {"a", "a b=c", "a=b%0d%0ac:d", "a=%00", "a=b,c"}) {
        OtelEnvironment bad = with({{"OTEL_EXPORTER_OTLP_HEADERS", wrong}});
        EXPECT_EQ(bad.headers(), Pairs()) << wrong;
        EXPECT_EQ(bad.warnings().size(), 1u) << wrong;
    }
}

TEST(OtelEnvironment, Samplers) {
    const auto read = [](const char* sampler, const char* argument, size_t warnings) {
        OtelEnvironment environment =
            with({{"OTEL_TRACES_SAMPLER", sampler}, {"OTEL_TRACES_SAMPLER_ARG", argument}});
        TracingSpec spec;
        environment.read_sampler(spec);
        EXPECT_EQ(environment.warnings().size(), warnings) << sampler << " " << argument;
        return std::pair(spec.follows_callers, spec.ratio);
    };
    EXPECT_EQ(read("", "", 0), std::pair(true, 1.0));
    EXPECT_EQ(read("", "0.5", 1), std::pair(true, 1.0)) << "an argument alone is not used";
    EXPECT_EQ(read("always_on", "0.5", 0), std::pair(false, 1.0));
    EXPECT_EQ(read("always_off", "", 0), std::pair(false, 0.0));
    EXPECT_EQ(read("traceidratio", "0.25", 0), std::pair(false, 0.25));
    EXPECT_EQ(read("traceidratio", "", 0), std::pair(false, 1.0));
    EXPECT_EQ(read("parentbased_always_on", "", 0), std::pair(true, 1.0));
    EXPECT_EQ(read("parentbased_always_off", "", 0), std::pair(true, 0.0));
    EXPECT_EQ(read("parentbased_traceidratio", "1e-3", 0), std::pair(true, 1e-3));
    for (const char* wrong : {"1.1", "-0.1", "nan", "inf", "0.5x", " 0.5", "half"})
        EXPECT_EQ(read("parentbased_traceidratio", wrong, 1), std::pair(true, 1.0)) << wrong;
    for (const char* wrong : {"jaeger_remote", "xray", "ALWAYS_OFF", "always_off "})
        EXPECT_EQ(read(wrong, "0.5", 1), std::pair(true, 1.0)) << wrong;
}

TEST(OtelEnvironment, SamplingFollowsCallersOrNot) {
    TracingSpec spec;
    spec.ratio = 0.5;
    constexpr uint64_t kLow = 1, kHigh = UINT64_MAX;
    EXPECT_FALSE(spec.samples(kLow, {}));
    EXPECT_TRUE(spec.samples(kHigh, {}));
    EXPECT_TRUE(spec.samples(kLow, true));
    EXPECT_FALSE(spec.samples(kHigh, false));
    spec.follows_callers = false;
    EXPECT_FALSE(spec.samples(kLow, true));
    EXPECT_TRUE(spec.samples(kHigh, false));
}

TEST(OtelEnvironment, TheLast56BitsOfAnIdReachTheThreshold) {
    const auto samples = [](double ratio, uint64_t low) {
        TracingSpec spec;
        spec.ratio = ratio;
        return spec.samples(low, {});
    };
    EXPECT_TRUE(samples(0.25, 0x00c0'0000'0000'0000));
    EXPECT_FALSE(samples(0.25, 0xff00'0000'0000'0000)) << "the first byte is none of them";
    EXPECT_FALSE(samples(0.25, 0x00bf'ffff'ffff'fff0));
    for (const uint64_t low :
         {uint64_t{1}, uint64_t{0x00ff'ffff'ffff'0000}, uint64_t{0xff00'0000'0000'0000}}) {
        EXPECT_TRUE(samples(1, low));
        EXPECT_FALSE(samples(0, low));
    }
    EXPECT_FALSE(samples(0, UINT64_MAX)) << "as a double it would be what nothing is to reach";
}

TEST(OtelEnvironment, Resource) {
    TracingSpec spec;
    with({{"OTEL_RESOURCE_ATTRIBUTES", "a=b,service.name=x,a=c,telemetry.sdk.name=y"}}).read_resource(spec);
    EXPECT_EQ(spec.service, "x");
    EXPECT_EQ(spec.attributes, (Pairs{{"a", "c"}}));
    with({{"OTEL_RESOURCE_ATTRIBUTES", "service.name=x"}, {"OTEL_SERVICE_NAME", "z"}}).read_resource(spec);
    EXPECT_EQ(spec.service, "z");
    for (const char* wrong : {"a", "a=b,c", "a=%ff"}) {
        TracingSpec unchanged;
        OtelEnvironment environment = with({{"OTEL_RESOURCE_ATTRIBUTES", wrong}});
        environment.read_resource(unchanged);
        EXPECT_EQ(unchanged, TracingSpec()) << wrong;
        EXPECT_EQ(environment.warnings().size(), 1u) << wrong;
    }
}

TEST(OtelEnvironment, OnlyTrueDisables) {
    EXPECT_TRUE(with({{"OTEL_SDK_DISABLED", "true"}}).is_disabled());
    EXPECT_TRUE(with({{"OTEL_SDK_DISABLED", "TRUE"}}).is_disabled());
    for (const auto& [value, warnings] : std::map<std::string, size_t>{{"False", 0}, {"1", 1}, {"yes", 1}}) {
        OtelEnvironment environment = with({{"OTEL_SDK_DISABLED", value}});
        EXPECT_FALSE(environment.is_disabled()) << value;
        EXPECT_EQ(environment.warnings().size(), warnings) << value;
    }
}

}  // namespace
}  // namespace sluice
