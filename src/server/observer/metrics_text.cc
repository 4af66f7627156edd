#include "server/observer/metrics_text.h"

#include <charconv>
#include <cmath>

namespace sluice {

namespace {

std::string escaped(std::string_view text, bool with_quotes) {
    std::string result;
    for (const char c : text) {
        if (c == '\\' || (c == '"' && with_quotes)) result += '\\';
        if (c == '\n') {
            result += "\\n";
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace

std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    char text[40];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return {text, end};
}

std::string MetricsText::label(std::string_view name, std::string_view value) {
    return std::string(name) + "=\"" + escaped(value, true) + '"';
}

std::string_view MetricsText::type_of(Format format) {
    return format == Format::kOpenMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                          : "text/plain; version=0.0.4; charset=utf-8";
}

MetricsText::Format MetricsText::wanted(std::string_view accept) {
    return accept.find("application/openmetrics-text") != std::string_view::npos ? Format::kOpenMetrics
                                                                                 : Format::kPrometheus;
}

void MetricsText::family(std::string_view name, Kind kind, std::string_view unit, std::string_view help) {
    kind_ = kind;
    name_ = name;
    const bool is_open = format_ == Format::kOpenMetrics;
    const std::string shown = name_ + (kind == Kind::kCounter && !is_open ? "_total" : "");
    text_ += "# HELP " + shown + ' ' + escaped(help, is_open) + '\n';
    text_ += "# TYPE " + shown +
             (kind == Kind::kCounter ? " counter\n"
              : kind == Kind::kGauge ? " gauge\n"
                                     : " histogram\n");
    if (is_open && !unit.empty()) text_ += "# UNIT " + shown + ' ' + std::string(unit) + '\n';
}

void MetricsText::sample(std::string_view suffix, std::string_view labels, std::string_view value,
                         const Exemplar* exemplar) {
    text_ += name_;
    text_ += suffix;
    if (!labels.empty()) {
        text_ += '{';
        text_ += labels;
        text_ += '}';
    }
    text_ += ' ';
    text_ += value;
    if (exemplar && format_ == Format::kOpenMetrics) {
        const TraceText ids(exemplar->ids);
        text_ += " # {" + label("trace_id", ids.trace()) + ',' + label("span_id", ids.span()) + "} " +
                 number_text(exemplar->value) + ' ' + number_text(exemplar->at);
    }
    text_ += '\n';
}

void MetricsText::value(std::string_view labels, double value) {
    sample(kind_ == Kind::kCounter ? "_total" : "", labels, number_text(value));
}

void MetricsText::value(std::string_view labels, uint64_t value) {
    sample(kind_ == Kind::kCounter ? "_total" : "", labels, std::to_string(value));
}

void MetricsText::bucket(std::string_view labels, std::string_view bound, uint64_t count,
                         const Exemplar* exemplar) {
    sample("_bucket", (labels.empty() ? std::string() : std::string(labels) + ',') + label("le", bound),
           std::to_string(count), exemplar);
}

void MetricsText::sum_and_count(std::string_view labels, double sum, uint64_t count) {
    sample("_sum", labels, number_text(sum));
    sample("_count", labels, std::to_string(count));
}

std::string MetricsText::finish() {
    if (format_ == Format::kOpenMetrics) text_ += "# EOF\n";
    return std::move(text_);
}

}  // namespace sluice
