#include "php/shared/metric_classes.h"

#include <cmath>

#include "php/shared/metric_arguments.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

/// Of a Counter, Gauge or Histogram: the metric, or one of its series.
struct MetricObject {
    Metric* metric;        ///< nullptr: not constructed
    MetricSeries* series;  ///< nullptr: it has labels, whose values are not chosen
    zend_object object;
};

zend_object_handlers handlers;

zend_object* create_metric(zend_class_entry* class_entry) {
    return &new_embedded<MetricObject>(class_entry, handlers)->object;
}

/// nullptr: an exception is set.
MetricObject* constructed(zval* object) {
    MetricObject* const self = embedded<MetricObject>(object);
    if (self->metric) return self;
    zend_throw_error(nullptr, "The metric is not constructed");
    return nullptr;
}

/// One with a series. nullptr: an exception is set.
MetricObject* chosen(zval* object) {
    MetricObject* const self = constructed(object);
    if (!self || self->series) return self;
    const std::string_view name = MetricRegistry::name_of(*self->metric);
    zend_throw_error(nullptr, "The %s \"%.*s\" has labels: call labels() first",
                     name_of(MetricRegistry::kind_of(*self->metric)), static_cast<int>(name.size()),
                     name.data());
    return nullptr;
}

/// For the methods __construct. Without an exception the object has its metric.
void construct(zval* object, const MetricArguments& arguments) {
    MetricObject* const self = embedded<MetricObject>(object);
    if (self->metric) {
        zend_throw_error(nullptr, "The %s is constructed already", name_of(arguments.kind));
        return;
    }
    Metric* const metric = declare_metric(arguments);
    if (!metric) return;
    self->metric = metric;
    if (MetricRegistry::labels_of(*metric) == 0)
        self->series = MetricRegistry::of_this_process().series(*metric, {}).series;
}

void construct_plain(INTERNAL_FUNCTION_PARAMETERS, MetricKind kind) {
    MetricArguments arguments{kind, nullptr, nullptr, nullptr, nullptr, 1000};
    ZEND_PARSE_PARAMETERS_START(2, 4)
    Z_PARAM_STR(arguments.name)
    Z_PARAM_STR(arguments.help)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT(arguments.labels)
    Z_PARAM_LONG(arguments.most_series)
    ZEND_PARSE_PARAMETERS_END();
    construct(ZEND_THIS, arguments);
}

void choose(INTERNAL_FUNCTION_PARAMETERS) {
    zval* values;
    uint32_t count;
    HashTable* named;
    ZEND_PARSE_PARAMETERS_START(0, -1)
    Z_PARAM_VARIADIC_WITH_NAMED(values, count, named)
    ZEND_PARSE_PARAMETERS_END();
    MetricObject* const self = constructed(ZEND_THIS);
    if (!self) RETURN_THROWS();
    if (self->series && MetricRegistry::labels_of(*self->metric) > 0) {
        zend_throw_error(nullptr, "The %s has the values of its labels already",
                         name_of(MetricRegistry::kind_of(*self->metric)));
        RETURN_THROWS();
    }
    MetricSeries* const series = choose_series(*self->metric, {values, count}, named);
    if (!series) RETURN_THROWS();
    MetricObject* const one = new_embedded<MetricObject>(self->object.ce, handlers);
    one->metric = self->metric;
    one->series = series;
    RETURN_OBJ(&one->object);
}

bool check_finite(double number) {
    if (std::isfinite(number)) return true;
    zend_argument_value_error(1, "must be finite, %s given",
                              std::isnan(number) ? "NAN"
                              : number > 0       ? "INF"
                                                 : "-INF");
    return false;
}

/// The number that a method was given, 1 by default, and the object. nullptr: an exception is set.
MetricObject* read_step(zend_execute_data* execute_data, double& number, zend_long& whole, bool& is_whole) {
    zval* by = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_NUMBER(by)
    ZEND_PARSE_PARAMETERS_END_EX(return nullptr);
    is_whole = !by || Z_TYPE_P(by) == IS_LONG;
    whole = by && is_whole ? Z_LVAL_P(by) : 1;
    number = is_whole ? static_cast<double>(whole) : Z_DVAL_P(by);
    return chosen(ZEND_THIS);
}

/// The number that a method must be given, and the object. nullptr: an exception is set.
MetricObject* read_value(zend_execute_data* execute_data, double& number) {
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_DOUBLE(number)
    ZEND_PARSE_PARAMETERS_END_EX(return nullptr);
    return chosen(ZEND_THIS);
}

void add(INTERNAL_FUNCTION_PARAMETERS, double sign) {
    double by;
    zend_long whole;
    bool is_whole;
    MetricObject* const self = read_step(execute_data, by, whole, is_whole);
    if (!self || !check_finite(by)) RETURN_THROWS();
    MetricRegistry::add(*self->series, sign * by);
}

}  // namespace

void init_metric_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_metric;
    init_handlers<MetricObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;
using sluice::MetricKind;
using sluice::MetricRegistry;

ZEND_METHOD(Sluice_Metrics_Counter, __construct) {
    construct_plain(INTERNAL_FUNCTION_PARAM_PASSTHRU, MetricKind::kCounter);
}

ZEND_METHOD(Sluice_Metrics_Counter, labels) {
    choose(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_Metrics_Counter, inc) {
    double by;
    zend_long whole;
    bool is_whole;
    MetricObject* const self = read_step(execute_data, by, whole, is_whole);
    if (!self || !check_finite(by)) RETURN_THROWS();
    if (by < 0) {
        zend_argument_value_error(1, "must be 0 or more, %g given: a counter only grows, a Gauge may fall",
                                  by);
        RETURN_THROWS();
    }
    if (is_whole) {
        MetricRegistry::count(*self->series, static_cast<uint64_t>(whole));
    } else {
        MetricRegistry::add(*self->series, by);
    }
}

ZEND_METHOD(Sluice_Metrics_Counter, value) {
    ZEND_PARSE_PARAMETERS_NONE();
    const MetricObject* const self = chosen(ZEND_THIS);
    if (!self) RETURN_THROWS();
    const uint64_t whole = MetricRegistry::whole(*self->series);
    const double real = MetricRegistry::real(*self->series);
    if (real == 0 && whole <= ZEND_LONG_MAX) RETURN_LONG(static_cast<zend_long>(whole));
    RETURN_DOUBLE(static_cast<double>(whole) + real);
}

ZEND_METHOD(Sluice_Metrics_Gauge, __construct) {
    construct_plain(INTERNAL_FUNCTION_PARAM_PASSTHRU, MetricKind::kGauge);
}

ZEND_METHOD(Sluice_Metrics_Gauge, labels) {
    choose(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_Metrics_Gauge, set) {
    double value;
    MetricObject* const self = read_value(execute_data, value);
    if (!self) RETURN_THROWS();
    MetricRegistry::set(*self->series, value);
}

ZEND_METHOD(Sluice_Metrics_Gauge, inc) {
    add(INTERNAL_FUNCTION_PARAM_PASSTHRU, 1);
}

ZEND_METHOD(Sluice_Metrics_Gauge, dec) {
    add(INTERNAL_FUNCTION_PARAM_PASSTHRU, -1);
}

ZEND_METHOD(Sluice_Metrics_Gauge, value) {
    ZEND_PARSE_PARAMETERS_NONE();
    const MetricObject* const self = chosen(ZEND_THIS);
    if (!self) RETURN_THROWS();
    RETURN_DOUBLE(MetricRegistry::real(*self->series));
}

ZEND_METHOD(Sluice_Metrics_Histogram, __construct) {
    MetricArguments arguments{MetricKind::kHistogram, nullptr, nullptr, nullptr, nullptr, 1000};
    ZEND_PARSE_PARAMETERS_START(2, 5)
    Z_PARAM_STR(arguments.name)
    Z_PARAM_STR(arguments.help)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT_OR_NULL(arguments.buckets)
    Z_PARAM_ARRAY_HT(arguments.labels)
    Z_PARAM_LONG(arguments.most_series)
    ZEND_PARSE_PARAMETERS_END();
    construct(ZEND_THIS, arguments);
}

ZEND_METHOD(Sluice_Metrics_Histogram, labels) {
    choose(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_Metrics_Histogram, observe) {
    double value;
    MetricObject* const self = read_value(execute_data, value);
    if (!self || !check_finite(value)) RETURN_THROWS();
    MetricRegistry::observe(*self->metric, *self->series, value);
}

ZEND_METHOD(Sluice_Metrics_Histogram, count) {
    ZEND_PARSE_PARAMETERS_NONE();
    const MetricObject* const self = chosen(ZEND_THIS);
    if (!self) RETURN_THROWS();
    RETURN_LONG(static_cast<zend_long>(MetricRegistry::observations(*self->metric, *self->series)));
}

ZEND_METHOD(Sluice_Metrics_Histogram, sum) {
    ZEND_PARSE_PARAMETERS_NONE();
    const MetricObject* const self = chosen(ZEND_THIS);
    if (!self) RETURN_THROWS();
    RETURN_DOUBLE(MetricRegistry::real(*self->series));
}
