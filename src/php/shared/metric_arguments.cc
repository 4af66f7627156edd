#include "php/shared/metric_arguments.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/log.h"
#include "core/utf8.h"
#include "php/zend/backtraces.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

constexpr double kDefaultBuckets[] = {0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25,
                                      0.5,   0.75, 1,     2.5,  5,     7.5, 10};
/// Samples of counters and histograms end so (OpenMetrics).
constexpr std::string_view kSuffixes[] = {"_total", "_bucket", "_count", "_sum", "_created"};

bool is_name(std::string_view name) {
    constexpr std::string_view kPermitted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return !name.empty() && name.size() <= MetricRegistry::kMostNameBytes &&
           name.find_first_not_of(kPermitted) == std::string_view::npos &&
           !(name[0] >= '0' && name[0] <= '9');
}

bool check_name(MetricKind kind, const zend_string* name, std::string_view& checked) {
    checked = view(name);
    if (!is_name(checked)) {
        zend_argument_value_error(
            1, "must be 1 to %zu letters, digits and underscores, not first a digit, \"%s\" given",
            MetricRegistry::kMostNameBytes, ZSTR_VAL(name));
        return false;
    }
    if (kind == MetricKind::kCounter && checked.ends_with("_total") && checked != "_total")
        checked.remove_suffix(strlen("_total"));
    // The parts of Sluice that are written in PHP have metrics, too.
    if (checked.starts_with("sluice_") &&
        !std::string_view(zend_get_executed_filename()).starts_with(kLibraryFolder)) {
        zend_argument_value_error(
            1, "must not begin with \"sluice_\", as the server's own metrics do, \"%s\" given",
            ZSTR_VAL(name));
        return false;
    }
    for (const std::string_view suffix : kSuffixes) {
        if (!checked.ends_with(suffix)) continue;
        zend_argument_value_error(1, "must not end with \"%s\", which is of %s, \"%s\" given", suffix.data(),
                                  suffix == "_total" ? "counters" : "histograms", ZSTR_VAL(name));
        return false;
    }
    return true;
}

/// Argument `number`.
bool check_labels(MetricKind kind, HashTable* labels, uint32_t number,
                  std::span<std::string_view, MetricRegistry::kMostLabels> names, size_t& count) {
    count = 0;
    if (!labels) return true;
    if (zend_hash_num_elements(labels) > names.size()) {
        zend_argument_value_error(number, "must have at most %zu names, %u given", names.size(),
                                  zend_hash_num_elements(labels));
        return false;
    }
    zval* value;
    ZEND_HASH_FOREACH_VAL(labels, value) {
        ZVAL_DEREF(value);
        if (Z_TYPE_P(value) != IS_STRING) {
            zend_argument_type_error(number, "must be a list of strings, %s given in it",
                                     zend_zval_type_name(value));
            return false;
        }
        const std::string_view name = view(Z_STR_P(value));
        if (!is_name(name) || name.starts_with("__")) {
            zend_argument_value_error(
                number,
                "must be names of 1 to %zu letters, digits and underscores, not first a "
                "digit or two underscores, \"%s\" given",
                MetricRegistry::kMostNameBytes, Z_STRVAL_P(value));
            return false;
        }
        if (kind == MetricKind::kHistogram && name == "le") {
            zend_argument_value_error(number, "must not have \"le\", which is the bound of a bucket");
            return false;
        }
        if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), name) !=
            names.begin() + static_cast<std::ptrdiff_t>(count)) {
            zend_argument_value_error(number, "must have each name once, \"%s\" is there twice",
                                      Z_STRVAL_P(value));
            return false;
        }
        names[count++] = name;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool check_buckets(HashTable* buckets, std::span<double, MetricRegistry::kMostBounds> bounds, size_t& count) {
    count = 0;
    if (!buckets) {
        std::copy(std::begin(kDefaultBuckets), std::end(kDefaultBuckets), bounds.begin());
        count = std::size(kDefaultBuckets);
        return true;
    }
    const uint32_t given = zend_hash_num_elements(buckets);
    if (given < 1 || given > bounds.size()) {
        zend_argument_value_error(3, "must have 1 to %zu bounds, %u given", bounds.size(), given);
        return false;
    }
    zval* value;
    ZEND_HASH_FOREACH_VAL(buckets, value) {
        ZVAL_DEREF(value);
        if (Z_TYPE_P(value) != IS_LONG && Z_TYPE_P(value) != IS_DOUBLE) {
            zend_argument_type_error(3, "must be a list of ints and floats, %s given in it",
                                     zend_zval_type_name(value));
            return false;
        }
        const double bound = zval_get_double(value);
        if (!std::isfinite(bound)) {
            zend_argument_value_error(3, "must be finite bounds: one for all larger values is added");
            return false;
        }
        if (count > 0 && bound <= bounds[count - 1]) {
            zend_argument_value_error(3, "must ascend, %g follows %g", bound, bounds[count - 1]);
            return false;
        }
        bounds[count++] = bound;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

ZEND_COLD Metric* say_why_not(MetricRegistry::Outcome outcome, const MetricArguments& arguments) {
    using Outcome = MetricRegistry::Outcome;
    const char* const name = ZSTR_VAL(arguments.name);
    switch (outcome) {
        case Outcome::kDone: break;
        case Outcome::kOther:
            zend_argument_value_error(1,
                                      "must be a new name: this script has a metric \"%s\" of another type, "
                                      "or with other labels or buckets",
                                      name);
            break;
        case Outcome::kTooMany:
            throw_server_exception(
                "There is no room for the metric \"%s\": a server has at most %zu, with those of earlier "
                "boots",
                name, MetricRegistry::kMostMetrics);
            break;
        case Outcome::kFull:
            throw_server_exception("There is no room for the metric \"%s\": all metrics have %zu bytes", name,
                                   MetricRegistry::kBytes);
            break;
        case Outcome::kStuck:
            throw_server_exception(
                "The metric \"%s\" cannot be declared: a process that is stopped by a "
                "signal has the lock of the metrics",
                name);
            break;
    }
    return nullptr;
}

}  // namespace

const char* name_of(MetricKind kind) {
    switch (kind) {
        case MetricKind::kCounter: return "counter";
        case MetricKind::kGauge: return "gauge";
        case MetricKind::kHistogram: return "histogram";
    }
    return "metric";
}

Metric* declare_metric(const MetricArguments& arguments) {
    const bool is_histogram = arguments.kind == MetricKind::kHistogram;
    std::string_view labels[MetricRegistry::kMostLabels];
    double bounds[MetricRegistry::kMostBounds];
    size_t label_count = 0, bound_count = 0;
    MetricDefinition definition;
    definition.kind = arguments.kind;
    if (!check_name(arguments.kind, arguments.name, definition.name)) return nullptr;
    definition.help = view(arguments.help);
    if (definition.help.empty() || definition.help.size() > MetricRegistry::kMostHelpBytes ||
        !is_utf8(definition.help)) {
        zend_argument_value_error(2, "must be UTF-8 of 1 to %zu bytes", MetricRegistry::kMostHelpBytes);
        return nullptr;
    }
    if ((is_histogram && !check_buckets(arguments.buckets, bounds, bound_count)) ||
        !check_labels(arguments.kind, arguments.labels, is_histogram ? 4 : 3, labels, label_count))
        return nullptr;
    if (arguments.most_series < 1 || arguments.most_series > MetricRegistry::kMostSeries) {
        zend_argument_value_error(is_histogram ? 5 : 4, "must be between 1 and %u, " ZEND_LONG_FMT " given",
                                  MetricRegistry::kMostSeries, arguments.most_series);
        return nullptr;
    }
    definition.labels = {labels, label_count};
    definition.bounds = {bounds, bound_count};
    definition.most_series = static_cast<uint32_t>(arguments.most_series);
    const MetricRegistry& registry = MetricRegistry::of_this_process();
    if (!registry) {
        throw_server_exception("Cannot get memory for metrics: %s", strerror(errno));
        return nullptr;
    }
    const MetricRegistry::Declared declared = registry.declare(definition);
    return declared.metric ? declared.metric : say_why_not(declared.outcome, arguments);
}

namespace {

struct LabelValues {
    std::string_view texts[MetricRegistry::kMostLabels];
    char numbers[MetricRegistry::kMostLabels][24];
};

bool put_value(const Metric& metric, size_t index, zval* value, LabelValues& values) {
    const std::string_view label = MetricRegistry::label_of(metric, index);
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_LONG) {
        char* const text = values.numbers[index];
        const auto [end, error] = std::to_chars(text, text + sizeof values.numbers[index], Z_LVAL_P(value));
        values.texts[index] = {text, end};
        return true;
    }
    if (Z_TYPE_P(value) != IS_STRING) {
        zend_type_error("The label \"%.*s\" must be a string or an int, %s given",
                        static_cast<int>(label.size()), label.data(), zend_zval_type_name(value));
        return false;
    }
    values.texts[index] = view(Z_STR_P(value));
    if (values.texts[index].size() > MetricRegistry::kMostValueBytes) {
        zend_value_error("The label \"%.*s\" must have at most %zu bytes, %zu given",
                         static_cast<int>(label.size()), label.data(), MetricRegistry::kMostValueBytes,
                         values.texts[index].size());
        return false;
    }
    if (!is_utf8(values.texts[index])) {
        zend_value_error("The label \"%.*s\" must be valid UTF-8", static_cast<int>(label.size()),
                         label.data());
        return false;
    }
    return true;
}

ZEND_COLD void say_labels(const Metric& metric, size_t given) {
    const std::string_view name = MetricRegistry::name_of(metric);
    char labels[256] = "";
    size_t length = 0;
    for (size_t label = 0; label < MetricRegistry::labels_of(metric) && length < sizeof labels; ++label) {
        const std::string_view one = MetricRegistry::label_of(metric, label);
        length += static_cast<size_t>(snprintf(labels + length, sizeof labels - length, "%s%.*s",
                                               label ? ", " : "", static_cast<int>(one.size()), one.data()));
    }
    const char* const kind = name_of(MetricRegistry::kind_of(metric));
    if (length == 0) {
        zend_value_error("The %s \"%.*s\" has no labels, values of %zu given", kind,
                         static_cast<int>(name.size()), name.data(), given);
    } else {
        zend_value_error("The %s \"%.*s\" has %zu labels (%s), values of %zu given", kind,
                         static_cast<int>(name.size()), name.data(), MetricRegistry::labels_of(metric),
                         labels, given);
    }
}

}  // namespace

MetricSeries* choose_series(Metric& metric, std::span<zval> values, HashTable* named) {
    const size_t labels = MetricRegistry::labels_of(metric);
    const size_t given = values.size() + (named ? zend_hash_num_elements(named) : 0);
    if (given != labels) {
        say_labels(metric, given);
        return nullptr;
    }
    LabelValues chosen;
    for (size_t index = 0; index < values.size(); ++index)
        if (!put_value(metric, index, &values[index], chosen)) return nullptr;
    if (named) {
        zend_string* name;
        zval* value;
        ZEND_HASH_FOREACH_STR_KEY_VAL(named, name, value) {
            size_t index = values.size();
            while (index < labels && MetricRegistry::label_of(metric, index) != view(name))
                ++index;
            if (index == labels) {
                const std::string_view own = MetricRegistry::name_of(metric);
                zend_value_error("The %s \"%.*s\" has no label \"%s\" beside those given before it",
                                 name_of(MetricRegistry::kind_of(metric)), static_cast<int>(own.size()),
                                 own.data(), ZSTR_VAL(name));
                return nullptr;
            }
            if (!put_value(metric, index, value, chosen)) return nullptr;
        }
        ZEND_HASH_FOREACH_END();
    }
    const MetricRegistry::Chosen found =
        MetricRegistry::of_this_process().series(metric, {chosen.texts, labels});
    if (found.is_first_overflow) {
        const std::string_view name = MetricRegistry::name_of(metric);
        SLUICE_WARNING(
            "the metric %.*s has no room for another set of label values (at most %u, and %zu bytes "
            "for all metrics): further ones count as the set _other",
            static_cast<int>(name.size()), name.data(), MetricRegistry::most_series_of(metric),
            MetricRegistry::kBytes);
    }
    return found.series;
}

}  // namespace sluice::php
