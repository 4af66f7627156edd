#include "php/options/processes_class.h"

#include <algorithm>
#include <cmath>

#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* processes_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kMost, kLeast, kRequests, kIdleSeconds, kTerminateSeconds, kSlowSeconds };

constexpr zend_long kMostRequests = 4'000'000'000;
constexpr double kMostSeconds = 1e6, kLeastIdleSeconds = 0.1, kLeastSeconds = 0.01;

zend_object_handlers handlers;

struct ProcessesObject {
    zend_object object;
};

zend_object* create_processes(zend_class_entry* class_entry) {
    return &new_embedded<ProcessesObject>(class_entry, handlers)->object;
}

bool check_integer(zend_long value, zend_long most, uint32_t number) {
    if (value >= 1 && value <= most) return true;
    zend_argument_value_error(number, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                              most, value);
    return false;
}

bool check_time(double seconds, double least, uint32_t number) {
    if (seconds >= least && seconds <= kMostSeconds) return true;
    zend_argument_value_error(number, "must be between %.*H and %.*H seconds, %.*H given", -1, least, -1,
                              kMostSeconds, -1, seconds);
    return false;
}

/// The property, which has a value from now on.
zval* begun(zend_object* self, Place place) {
    zval* const property = OBJ_PROP_NUM(self, place);
    Z_PROP_FLAG_P(property) = 0;
    return property;
}

void keep_integer(zend_object* self, Place place, zend_long value) {
    ZVAL_LONG(begun(self, place), value);
}

void keep_seconds(zend_object* self, Place place, double value) {
    ZVAL_DOUBLE(begun(self, place), value);
}

void keep_null(zend_object* self, Place place) {
    ZVAL_NULL(begun(self, place));
}

/// 0 when it is null.
uint32_t integer_at(zend_object* self, Place place) {
    const zval* const kept = OBJ_PROP_NUM(self, place);
    return Z_TYPE_P(kept) == IS_LONG ? static_cast<uint32_t>(Z_LVAL_P(kept)) : 0;
}

uint32_t ms_at(zend_object* self, Place place) {
    const zval* const kept = OBJ_PROP_NUM(self, place);
    return Z_TYPE_P(kept) == IS_DOUBLE ? static_cast<uint32_t>(std::lround(Z_DVAL_P(kept) * 1000)) : 0;
}

}  // namespace

void init_processes_class(zend_class_entry* class_entry) {
    processes_class = class_entry;
    class_entry->create_object = create_processes;
    init_handlers<ProcessesObject>(handlers, zend_object_std_dtor);
}

uint32_t most_of(zend_object* processes) {
    return integer_at(processes, kMost);
}

ScriptPool bounds_of(zend_object* processes) {
    return {integer_at(processes, kLeast), integer_at(processes, kRequests), ms_at(processes, kIdleSeconds),
            ms_at(processes, kTerminateSeconds), ms_at(processes, kSlowSeconds)};
}

ScriptPool usual_bounds(uint32_t most) {
    ScriptPool bounds;
    bounds.least = std::min(bounds.least, most);
    return bounds;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Processes, __construct) {
    zend_long most = kUsualProcesses, least = 0, requests = 0;
    double idle_s = 10, terminate_s = 0, slow_s = 0;
    bool least_null = true, requests_null = true, terminate_null = true, slow_null = true;
    ZEND_PARSE_PARAMETERS_START(0, 6)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(most)
    Z_PARAM_LONG_OR_NULL(least, least_null)
    Z_PARAM_LONG_OR_NULL(requests, requests_null)
    Z_PARAM_DOUBLE(idle_s)
    Z_PARAM_DOUBLE_OR_NULL(terminate_s, terminate_null)
    Z_PARAM_DOUBLE_OR_NULL(slow_s, slow_null)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* const self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, kMost)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\Http\\Processes is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!check_integer(most, kMostProcesses, 1) || (!least_null && !check_integer(least, most, 2)) ||
        (!requests_null && !check_integer(requests, kMostRequests, 3)) ||
        !check_time(idle_s, kLeastIdleSeconds, 4) ||
        (!terminate_null && !check_time(terminate_s, kLeastSeconds, 5)) ||
        (!slow_null && !check_time(slow_s, kLeastSeconds, 6)))
        RETURN_THROWS();
    keep_integer(self, kMost, most);
    keep_integer(self, kLeast, least_null ? usual_bounds(static_cast<uint32_t>(most)).least : least);
    if (requests_null) {
        keep_null(self, kRequests);
    } else {
        keep_integer(self, kRequests, requests);
    }
    keep_seconds(self, kIdleSeconds, idle_s);
    if (terminate_null) {
        keep_null(self, kTerminateSeconds);
    } else {
        keep_seconds(self, kTerminateSeconds, terminate_s);
    }
    if (slow_null) {
        keep_null(self, kSlowSeconds);
    } else {
        keep_seconds(self, kSlowSeconds, slow_s);
    }
}
