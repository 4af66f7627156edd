#include "shared/metric_registry.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

using Declaring = MetricRegistry::Outcome;

/// Memory that forked processes share.
class Registry {
  public:
    Registry()
        : memory_(static_cast<char*>(mmap(nullptr, MetricRegistry::kBytes, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
          registry_(MetricRegistry::format(span())) {}
    ~Registry() { munmap(memory_, MetricRegistry::kBytes); }

    MetricRegistry* operator->() { return &registry_; }
    std::span<char> span() { return {memory_, MetricRegistry::kBytes}; }

  private:
    char* memory_;
    MetricRegistry registry_;
};

const std::string_view kOneLabel[] = {"a"};
const std::string_view kTwoLabels[] = {"a", "b"};
const double kBounds[] = {1, 2.5};

MetricDefinition counter(std::string_view name, std::span<const std::string_view> labels = {}) {
    return {MetricKind::kCounter, name, "Help.", labels, {}, 1000};
}

MetricSeries& series_of(Registry& registry, Metric* metric, std::vector<std::string_view> values = {}) {
    return *registry->series(*metric, values).series;
}

TEST(MetricRegistry, CountsByValuesOfLabels) {
    Registry registry;
    Metric* const metric = registry->declare(counter("x", kTwoLabels), 1).metric;
    ASSERT_TRUE(metric);
    MetricRegistry::count(series_of(registry, metric, {"1", "2"}), 3);
    MetricRegistry::add(series_of(registry, metric, {"1", "2"}), 0.5);
    MetricRegistry::count(series_of(registry, metric, {"12", ""}), 1);
    MetricRegistry::count(series_of(registry, metric, {"", "12"}), 2);
    const std::vector<MetricFigures> all = registry->figures(1);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "x");
    EXPECT_EQ(all[0].help, "Help.");
    EXPECT_EQ(all[0].labels, (std::vector<std::string>{"a", "b"}));
    ASSERT_EQ(all[0].series.size(), 3u);
    EXPECT_EQ(all[0].series[0].values, (std::vector<std::string>{"", "12"}));
    EXPECT_EQ(all[0].series[0].whole, 2u);
    EXPECT_EQ(all[0].series[1].values, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(all[0].series[1].whole, 3u);
    EXPECT_EQ(all[0].series[1].real, 0.5);
    EXPECT_EQ(all[0].series[2].values, (std::vector<std::string>{"12", ""}));
    EXPECT_EQ(registry->usage().series, 3u);
}

TEST(MetricRegistry, AMetricWithoutLabelsBeginsWithZero) {
    Registry registry;
    Metric* const metric = registry->declare(counter("x"), 1).metric;
    ASSERT_EQ(registry->figures(1)[0].series.size(), 1u);
    EXPECT_EQ(registry->figures(1)[0].series[0].whole, 0u);
    MetricRegistry::count(series_of(registry, metric), 7);
    EXPECT_EQ(registry->figures(1)[0].series[0].whole, 7u);
    EXPECT_EQ(registry->usage().overflows, 0u);
}

TEST(MetricRegistry, ABoundOfAHistogramIsInItsBucket) {
    Registry registry;
    Metric* const metric =
        registry->declare({MetricKind::kHistogram, "h", "Help.", {}, kBounds, 10}, 1).metric;
    MetricSeries& series = series_of(registry, metric);
    for (const double value : {-1.0, 1.0, 1.001, 2.5, 2.6, 1e300})
        MetricRegistry::observe(*metric, series, value);
    const MetricFigures figures = registry->figures(1)[0];
    EXPECT_EQ(figures.bounds, (std::vector<double>{1, 2.5}));
    EXPECT_EQ(figures.series[0].buckets, (std::vector<uint64_t>{2, 2, 2}));
    EXPECT_EQ(MetricRegistry::observations(*metric, series), 6u);
    EXPECT_DOUBLE_EQ(figures.series[0].real, 1e300);
}

TEST(MetricRegistry, WhatFindsNoRoomCountsAsOneSet) {
    Registry registry;
    MetricDefinition definition = counter("x", kTwoLabels);
    definition.most_series = 2;
    Metric* const metric = registry->declare(definition, 1).metric;
    EXPECT_TRUE(registry->figures(1)[0].series.empty());
    int first = 0;
    for (const std::string_view value : {"1", "2", "3", "4", "1", "3"}) {
        const std::string_view values[] = {value, "b"};
        const MetricRegistry::Chosen chosen = registry->series(*metric, values);
        MetricRegistry::count(*chosen.series, 1);
        first += chosen.is_first_overflow;
    }
    EXPECT_EQ(first, 1);
    EXPECT_EQ(registry->usage().overflows, 3u);
    const MetricFigures figures = registry->figures(1)[0];
    ASSERT_EQ(figures.series.size(), 3u);
    EXPECT_EQ(figures.series[0].whole, 2u);
    EXPECT_EQ(figures.series[1].whole, 1u);
    EXPECT_EQ(figures.series[2].values, (std::vector<std::string>{"_other", "_other"}));
    EXPECT_EQ(figures.series[2].whole, 3u);
    // Who names that set means it.
    EXPECT_EQ(MetricRegistry::whole(series_of(registry, metric, {"_other", "_other"})), 3u);
}

TEST(MetricRegistry, TheSameDefinitionIsTheSameMetric) {
    Registry registry;
    Metric* const metric = registry->declare(counter("x", kOneLabel), 1).metric;
    EXPECT_EQ(registry->declare(counter("x", kOneLabel), 1).metric, metric);
    EXPECT_EQ(registry->declare(counter("x", kOneLabel), 2).metric, metric);
    EXPECT_EQ(registry->declare(counter("x", kOneLabel), 1).metric, metric) << "a worker of the boot before";
    EXPECT_EQ(registry->declare(counter("x"), 2).outcome, Declaring::kOther);
    MetricDefinition gauge = counter("x", kOneLabel);
    gauge.kind = MetricKind::kGauge;
    EXPECT_EQ(registry->declare(gauge, 2).outcome, Declaring::kOther);
    MetricDefinition histogram{MetricKind::kHistogram, "h", "Help.", {}, kBounds, 10};
    EXPECT_EQ(registry->declare(histogram, 2).outcome, Declaring::kDone);
    histogram.bounds = histogram.bounds.first(1);
    EXPECT_EQ(registry->declare(histogram, 2).outcome, Declaring::kOther);
}

TEST(MetricRegistry, AReloadMayDeclareAMetricDifferently) {
    Registry registry;
    Metric* const before = registry->declare(counter("x", kOneLabel), 1).metric;
    MetricRegistry::count(series_of(registry, before, {"1"}), 5);
    Metric* const after = registry->declare(counter("x", kTwoLabels), 2).metric;
    ASSERT_NE(after, before);
    EXPECT_EQ(registry->declare(counter("x", kOneLabel), 1).outcome, Declaring::kOther);
    MetricRegistry::count(series_of(registry, before, {"1"}), 1);
    // Until the new boot serves, its metrics are not shown.
    ASSERT_EQ(registry->figures(1).size(), 1u);
    EXPECT_EQ(registry->figures(1)[0].series.at(0).whole, 6u);
    ASSERT_EQ(registry->figures(2).size(), 1u);
    EXPECT_EQ(registry->figures(2)[0].labels.size(), 2u);
    EXPECT_TRUE(registry->figures(2)[0].series.empty());
}

TEST(MetricRegistry, AReloadMayChangeHelpAndBound) {
    Registry registry;
    MetricDefinition definition = counter("x", kOneLabel);
    definition.most_series = 1;
    Metric* const metric = registry->declare(definition, 1).metric;
    MetricRegistry::count(series_of(registry, metric, {"1"}), 5);
    definition.most_series = 2;
    definition.help = "Other help.";
    EXPECT_EQ(registry->declare(definition, 2).metric, metric);
    series_of(registry, metric, {"2"});
    const MetricFigures figures = registry->figures(2)[0];
    EXPECT_EQ(figures.help, "Other help.");
    ASSERT_EQ(figures.series.size(), 2u);
    EXPECT_EQ(figures.series[0].whole, 5u);
}

TEST(MetricRegistry, IsBoundedInMetricsAndBytes) {
    Registry registry;
    for (size_t i = 0; i < MetricRegistry::kMostMetrics; ++i)
        ASSERT_EQ(registry->declare(counter("x" + std::to_string(i), kOneLabel), 1).outcome,
                  Declaring::kDone);
    EXPECT_EQ(registry->declare(counter("more"), 1).outcome, Declaring::kTooMany);
    EXPECT_EQ(registry->figures(1).size(), MetricRegistry::kMostMetrics);

    Registry other;
    std::vector<double> bounds;
    for (size_t i = 0; i < MetricRegistry::kMostBounds; ++i)
        bounds.push_back(static_cast<double>(i));
    Metric* const metric =
        other
            ->declare({MetricKind::kHistogram, "h", "Help.", kOneLabel, bounds, MetricRegistry::kMostSeries},
                      1)
            .metric;
    size_t made = 0;
    while (other->usage().overflows == 0 && made < MetricRegistry::kMostSeries) {
        const std::string value = std::to_string(made++);
        const std::string_view values[] = {value};
        MetricRegistry::observe(*metric, *other->series(*metric, values).series, 1);
    }
    EXPECT_EQ(other->usage().overflows, 1u) << "all of the memory holds fewer";
    EXPECT_EQ(other->declare({MetricKind::kHistogram, "h2", "Help.", {}, bounds, 1}, 1).outcome,
              Declaring::kFull);
    uint64_t all = 0;
    const std::vector<MetricFigures> shown = other->figures(1);
    for (const SeriesFigures& series : shown[0].series)
        all += series.buckets.at(1);
    EXPECT_EQ(all, made);
}

TEST(MetricRegistry, ProcessesThatAreKilledLoseNothing) {
    Registry registry;
    Metric* const metric = registry->declare(counter("x", kOneLabel), 1).metric;
    Metric* const told = registry->declare(counter("told"), 1).metric;
    MetricSeries& tell = series_of(registry, told);
    std::vector<pid_t> children;
    for (int child = 0; child < 4; ++child) {
        const pid_t pid = fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) {
            for (unsigned i = 0;; ++i) {
                const std::string value = std::to_string(i % 500);
                const std::string_view values[] = {value};
                MetricRegistry::count(*registry->series(*metric, values).series, 1);
                MetricRegistry::count(tell, 1);
            }
        }
        children.push_back(pid);
    }
    for (const pid_t pid : children) {
        const uint64_t before = MetricRegistry::whole(tell);
        while (MetricRegistry::whole(tell) < before + 2000)
            usleep(1000);
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
    const std::vector<MetricFigures> all = registry->figures(1);
    ASSERT_EQ(all.size(), 2u);
    uint64_t counted = 0;
    for (const SeriesFigures& series : all[1].series)
        counted += series.whole;
    // Each may have died between the two.
    EXPECT_GE(counted, MetricRegistry::whole(tell));
    EXPECT_LE(counted, MetricRegistry::whole(tell) + children.size());
    EXPECT_EQ(all[1].series.size(), 500u) << "each set once";
}

TEST(MetricRegistry, OneWhoReadsIsNotLedAstray) {
    Registry registry;
    for (const char* name : {"x", "y", "z"}) {
        Metric* const metric = registry->declare(counter(name, kOneLabel), 1).metric;
        for (int i = 0; i < 20; ++i)
            series_of(registry, metric, {std::string_view("abcdefghijklmnopqrstuvw").substr(0, i + 1)});
    }
    const std::vector<char> sound(registry.span().begin(), registry.span().end());
    const size_t used = registry->usage().bytes;
    std::mt19937 random(1);
    // A copy that ends where the memory ends: what is read beyond it is a report of the sanitiser's.
    const auto copy = std::make_unique<uint64_t[]>(used / 8 + 512);
    const std::span<char> memory(reinterpret_cast<char*>(copy.get()), (used / 8 + 512) * 8);
    for (int round = 0; round < 2000; ++round) {
        memcpy(memory.data(), sound.data(), used);
        for (int byte = 0; byte < 20; ++byte) {
            // Behind the mutex and the table of heads, mostly.
            const size_t place = round % 4 ? used - 1 - random() % 5000 : 64 + random() % (used - 64);
            memory[place] = static_cast<char>(random());
        }
        const MetricRegistry other = MetricRegistry::attach(memory);
        for (const MetricFigures& figures : other.figures(1))
            for (const SeriesFigures& series : figures.series)
                ASSERT_LE(series.values.size(), MetricRegistry::kMostLabels + 256);
        other.usage();
    }
}

}  // namespace
}  // namespace sluice
