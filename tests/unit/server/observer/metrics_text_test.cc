#include "server/observer/metrics_text.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Format = MetricsText::Format;
using Kind = MetricsText::Kind;

TEST(MetricsText, CountersAreNamedAsEachFormatWants) {
    for (const Format format : {Format::kPrometheus, Format::kOpenMetrics}) {
        MetricsText text(format);
        text.family("sent_bytes", Kind::kCounter, "bytes", "Sent.");
        text.value(MetricsText::label("to", "a\"b\\c\nd"), uint64_t{7});
        EXPECT_EQ(text.finish(),
                  format == Format::kPrometheus
                      ? "# HELP sent_bytes_total Sent.\n# TYPE sent_bytes_total counter\n"
                        "sent_bytes_total{to=\"a\\\"b\\\\c\\nd\"} 7\n"
                      : "# HELP sent_bytes Sent.\n# TYPE sent_bytes counter\n# UNIT sent_bytes bytes\n"
                        "sent_bytes_total{to=\"a\\\"b\\\\c\\nd\"} 7\n# EOF\n");
    }
}

TEST(MetricsText, HistogramsHaveBucketsSumAndCount) {
    MetricsText text(Format::kPrometheus);
    text.family("t_seconds", Kind::kHistogram, "seconds", "T.");
    text.bucket("a=\"b\"", "0.005", 1);
    text.bucket({}, "+Inf", 2);
    text.sum_and_count({}, 0.25, 2);
    EXPECT_EQ(text.finish(),
              "# HELP t_seconds T.\n# TYPE t_seconds histogram\nt_seconds_bucket{a=\"b\",le=\"0.005\"} 1\n"
              "t_seconds_bucket{le=\"+Inf\"} 2\nt_seconds_sum 0.25\nt_seconds_count 2\n");
}

TEST(MetricsText, OnlyOpenMetricsHasExemplars) {
    const MetricsText::Exemplar exemplar{
        {0x4bf92f3577b34da6, 0xa3ce929d0e0e4736, 0xf067aa0ba902b7}, 0.06, 1.5};
    for (const Format format : {Format::kPrometheus, Format::kOpenMetrics}) {
        MetricsText text(format);
        text.family("t", Kind::kHistogram, {}, "T.");
        text.bucket({}, "+Inf", 1, &exemplar);
        EXPECT_EQ(
            text.finish(),
            format == Format::kPrometheus
                ? "# HELP t T.\n# TYPE t histogram\nt_bucket{le=\"+Inf\"} 1\n"
                : "# HELP t T.\n# TYPE t histogram\nt_bucket{le=\"+Inf\"} 1 # "
                  "{trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\",span_id=\"00f067aa0ba902b7\"} 0.06 1.5\n"
                  "# EOF\n");
    }
}

TEST(MetricsText, OpenMetricsIsForWhoeverAsksForIt) {
    EXPECT_EQ(MetricsText::wanted("application/openmetrics-text;version=1.0.0,text/plain;q=0.5"),
              Format::kOpenMetrics);
    EXPECT_EQ(MetricsText::wanted("*/*"), Format::kPrometheus);
    EXPECT_EQ(MetricsText::wanted(""), Format::kPrometheus);
}

}  // namespace
}  // namespace sluice
