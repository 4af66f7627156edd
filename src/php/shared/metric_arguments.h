#pragma once

#include <span>

#include "php/zend/php_api.h"
#include "shared/metric_registry.h"

namespace sluice::php {

/// What a constructor of a metric was given. A plain value; its texts are borrowed from the arguments.
struct MetricArguments {
    MetricKind kind;
    zend_string* name;
    zend_string* help;
    HashTable* buckets;  ///< nullptr: the defaults
    HashTable* labels;   ///< nullptr: none
    zend_long most_series;
};

/// Declares it. nullptr: an exception is set. `labels_at`: the argument's number.
Metric* declare_metric(const MetricArguments& arguments);

/// "counter", "gauge" or "histogram".
const char* name_of(MetricKind kind);

/// The series for these values. nullptr: an exception is set.
MetricSeries* choose_series(Metric& metric, std::span<zval> values, HashTable* named);

}  // namespace sluice::php
