#include "server/observer/application_metrics.h"

#include <algorithm>

#include "server/observer/metrics_text.h"
#include "server/observer/observer.h"

namespace sluice {

namespace {

using Kind = MetricsText::Kind;

Kind kind_of(MetricKind kind) {
    switch (kind) {
        case MetricKind::kCounter: return Kind::kCounter;
        case MetricKind::kGauge: return Kind::kGauge;
        case MetricKind::kHistogram: return Kind::kHistogram;
    }
    return Kind::kGauge;
}

void write_series(MetricsText& text, const MetricFigures& metric, const SeriesFigures& series) {
    std::string labels;
    for (size_t label = 0; label < metric.labels.size(); ++label)
        labels += (label ? "," : "") + MetricsText::label(metric.labels[label], series.values[label]);
    if (metric.kind == MetricKind::kHistogram) {
        uint64_t below = 0;
        for (size_t bucket = 0; bucket < series.buckets.size(); ++bucket) {
            below += series.buckets[bucket];
            const bool is_last = bucket == metric.bounds.size();
            text.bucket(labels, is_last ? "+Inf" : number_text(metric.bounds[bucket]), below);
        }
        text.sum_and_count(labels, series.real, below);
    } else if (metric.kind == MetricKind::kCounter && series.real == 0) {
        text.value(labels, series.whole);
    } else {
        text.value(labels, static_cast<double>(series.whole) + series.real);
    }
}

}  // namespace

void write_application_metrics(MetricsText& text, const Observer& observer) {
    const uint32_t serving = observer.layout().server().generation.load(std::memory_order_relaxed);
    for (const MetricFigures& metric : observer.metrics().figures(std::max(serving, 1u))) {
        text.family(metric.name, kind_of(metric.kind), {}, metric.help);
        for (const SeriesFigures& series : metric.series)
            write_series(text, metric, series);
    }
    const MetricRegistry::Usage usage = observer.metrics().usage();
    text.family("sluice_application_metric_series", Kind::kGauge, {},
                "Sets of label values that metrics of the application have.");
    text.value({}, uint64_t{usage.series});
    text.family("sluice_application_metric_bytes", Kind::kGauge, "bytes",
                "Memory that metrics of the application take.");
    text.value({}, uint64_t{usage.bytes});
    text.family("sluice_application_metric_overflows", Kind::kCounter, {},
                "How often a set of label values had no room, and counted as the set _other.");
    text.value({}, usage.overflows);
}

}  // namespace sluice
