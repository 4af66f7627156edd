#include "php/options/limits_class.h"

#include <algorithm>
#include <cmath>

#include "php/zend/objects.h"
#include "server/config/limit_rules.h"

namespace sluice::php {

zend_class_entry* limits_class = nullptr;

namespace {

zend_object_handlers handlers;

struct LimitsObject {
    bool is_constructed;
    Limits values;
    zend_object object;
};

void free_limits(zend_object* object) {
    zend_object_std_dtor(object);
}

zend_object* create_limits(zend_class_entry* class_entry) {
    return &new_embedded<LimitsObject>(class_entry, handlers)->object;
}

/// Takes an argument over into `limits`; false when it has thrown.
bool take_seconds(Limits& limits, const LimitRule& rule, zval* argument, uint32_t number) {
    double seconds;
    bool is_null;
    if (!zend_parse_arg_double(argument, &seconds, &is_null, false, number)) {
        zend_wrong_parameter_type_error(static_cast<int>(number), Z_EXPECTED_DOUBLE, argument);
        return false;
    }
    const double least = static_cast<double>(rule.least) / 1000, most = static_cast<double>(rule.most) / 1000;
    if (!std::isfinite(seconds) || seconds < least || seconds > most) {
        zend_argument_value_error(number, "must be between %.*H and %.*H seconds, %.*H given", -1, least, -1,
                                  most, -1, seconds);
        return false;
    }
    // What is not nothing does not become it, which may mean: no limit.
    rule.write(limits, static_cast<uint64_t>(std::max(std::lround(seconds * 1000), seconds > 0 ? 1L : 0L)));
    return true;
}

bool take_integer(Limits& limits, const LimitRule& rule, zval* argument, uint32_t number) {
    zend_long value;
    bool is_null;
    if (!zend_parse_arg_long(argument, &value, &is_null, false, number)) {
        zend_wrong_parameter_type_error(static_cast<int>(number), Z_EXPECTED_LONG, argument);
        return false;
    }
    const zend_long least = static_cast<zend_long>(rule.least), most = static_cast<zend_long>(rule.most);
    if (value < least || value > most) {
        zend_argument_value_error(
            number, "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given", least,
            most, value);
        return false;
    }
    rule.write(limits, static_cast<uint64_t>(value));
    return true;
}

template <typename T>
uint32_t number_of(T Limits::*member) {
    uint32_t number = 0;
    for (const LimitRule& rule : limit_rules()) {
        ++number;
        const auto* place = std::get_if<T Limits::*>(&rule.member);
        if (place && *place == member) break;
    }
    return number;
}

/// What one rule alone cannot say.
bool check_together(const Limits& limits) {
    if (const uint64_t ring = limits.ring_bytes; (ring & (ring - 1)) != 0) {
        zend_argument_value_error(number_of(&Limits::ring_bytes),
                                  "must be a power of two, " ZEND_ULONG_FMT " given", ring);
        return false;
    }
    if (limits.low_water_bytes > limits.high_water_bytes) {
        zend_argument_value_error(number_of(&Limits::low_water_bytes),
                                  "must be at most $highWaterBytes, which is " ZEND_ULONG_FMT
                                  ", " ZEND_ULONG_FMT " given",
                                  limits.high_water_bytes, limits.low_water_bytes);
        return false;
    }
    // A message must find room beside another one, or a single client could stop all others.
    const uint64_t half = limits.arena_bytes / 2;
    const bool in_files = limits.slot_body_bytes() < limits.body_bytes;
    for (auto member : {&Limits::message_bytes, in_files ? &Limits::body_file_bytes : &Limits::body_bytes}) {
        if (limits.*member > half) {
            zend_argument_value_error(number_of(member),
                                      "must be at most half of $arenaBytes, which is " ZEND_ULONG_FMT
                                      ", " ZEND_ULONG_FMT " given",
                                      half, limits.*member);
            return false;
        }
    }
    // A slot's length has 32 bits.
    if (limits.slot_body_bytes() > UINT32_MAX) {
        zend_argument_value_error(number_of(&Limits::body_bytes),
                                  "must be at most 4294967295 without temporary files, " ZEND_ULONG_FMT
                                  " given",
                                  limits.body_bytes);
        return false;
    }
    return true;
}

}  // namespace

void init_limits_class(zend_class_entry* class_entry) {
    limits_class = class_entry;
    class_entry->create_object = create_limits;
    init_handlers<LimitsObject>(handlers, free_limits);
}

const Limits& limits_of(zend_object* object) {
    return embedded<LimitsObject>(object)->values;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Limits, __construct) {
    const auto rules = sluice::limit_rules();
    if (ZEND_NUM_ARGS() > rules.size()) {
        zend_wrong_parameters_count_error(0, static_cast<uint32_t>(rules.size()));
        RETURN_THROWS();
    }
    LimitsObject* self = embedded<LimitsObject>(ZEND_THIS);
    if (self->is_constructed) {
        zend_throw_error(nullptr, "Sluice\\Limits is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    sluice::Limits limits;
    for (uint32_t number = 1; number <= ZEND_NUM_ARGS(); ++number) {
        const sluice::LimitRule& rule = rules[number - 1];
        zval* argument = ZEND_CALL_ARG(execute_data, number);
        const bool fine = rule.unit == sluice::LimitUnit::kSeconds
                              ? take_seconds(limits, rule, argument, number)
                              : take_integer(limits, rule, argument, number);
        if (!fine) RETURN_THROWS();
    }
    if (!check_together(limits)) RETURN_THROWS();
    self->is_constructed = true;
    self->values = limits;
    for (size_t place = 0; place < rules.size(); ++place) {
        const uint64_t value = rules[place].read(limits);
        if (rules[place].unit == sluice::LimitUnit::kSeconds) {
            init_property(&self->object, static_cast<int>(place), static_cast<double>(value) / 1000);
        } else {
            init_property(&self->object, static_cast<int>(place), static_cast<zend_long>(value));
        }
    }
}
