#include "php/options/protocol_limits_class.h"

#include <algorithm>
#include <cmath>

#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* http_limits_class = nullptr;
zend_class_entry* http2_limits_class = nullptr;
zend_class_entry* websocket_limits_class = nullptr;
zend_class_entry* tcp_limits_class = nullptr;
zend_class_entry* udp_limits_class = nullptr;

namespace {

zend_object_handlers handlers;

struct ProtocolLimitsObject {
    bool is_constructed;
    LimitGroup group;
    bool given[kMostRulesOfProtocol];
    uint64_t values[kMostRulesOfProtocol];
    zend_object object;
};

template <LimitGroup kGroup>
zend_object* create(zend_class_entry* class_entry) {
    auto* self = new_embedded<ProtocolLimitsObject>(class_entry, handlers);
    self->group = kGroup;
    return &self->object;
}

struct GroupClass {
    zend_class_entry** class_entry;
    zend_object* (*create)(zend_class_entry*);
};

GroupClass class_of(LimitGroup group) {
    switch (group) {
        case LimitGroup::kHttp2: return {&http2_limits_class, create<LimitGroup::kHttp2>};
        case LimitGroup::kWebSocket: return {&websocket_limits_class, create<LimitGroup::kWebSocket>};
        case LimitGroup::kTcp: return {&tcp_limits_class, create<LimitGroup::kTcp>};
        case LimitGroup::kUdp: return {&udp_limits_class, create<LimitGroup::kUdp>};
        default: return {&http_limits_class, create<LimitGroup::kHttp>};
    }
}

bool take_seconds(const LimitRule& rule, zval* argument, uint32_t number, bool may_be_null, uint64_t& value) {
    double seconds;
    bool is_null;
    if (!zend_parse_arg_double(argument, &seconds, &is_null, false, number)) {
        zend_wrong_parameter_type_error(
            static_cast<int>(number), may_be_null ? Z_EXPECTED_DOUBLE_OR_NULL : Z_EXPECTED_DOUBLE, argument);
        return false;
    }
    const double least = static_cast<double>(rule.least) / 1000, most = static_cast<double>(rule.most) / 1000;
    if (!std::isfinite(seconds) || seconds < least || seconds > most) {
        zend_argument_value_error(number, "must be between %.*H and %.*H seconds, %.*H given", -1, least, -1,
                                  most, -1, seconds);
        return false;
    }
    // A tiny value must not round to 0, which may mean: no limit.
    value = static_cast<uint64_t>(std::max(std::lround(seconds * 1000), seconds > 0 ? 1L : 0L));
    return true;
}

bool take_integer(const LimitRule& rule, zval* argument, uint32_t number, bool may_be_null, uint64_t& taken) {
    zend_long value;
    bool is_null;
    if (!zend_parse_arg_long(argument, &value, &is_null, false, number)) {
        zend_wrong_parameter_type_error(static_cast<int>(number),
                                        may_be_null ? Z_EXPECTED_LONG_OR_NULL : Z_EXPECTED_LONG, argument);
        return false;
    }
    const zend_long least = static_cast<zend_long>(rule.least), most = static_cast<zend_long>(rule.most);
    if (value < least || value > most) {
        zend_argument_value_error(
            number, "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given", least,
            most, value);
        return false;
    }
    taken = static_cast<uint64_t>(value);
    return true;
}

/// The constructor of all limits classes; arguments that are null or missing leave the default.
void construct(INTERNAL_FUNCTION_PARAMETERS) {
    auto* self = embedded<ProtocolLimitsObject>(ZEND_THIS);
    const auto rules = limit_rules(self->group);
    if (ZEND_NUM_ARGS() > rules.size()) {
        zend_wrong_parameters_count_error(0, static_cast<uint32_t>(rules.size()));
        RETURN_THROWS();
    }
    if (self->is_constructed) {
        zend_throw_error(nullptr, "%s is constructed already and cannot be changed",
                         ZSTR_VAL(self->object.ce->name));
        RETURN_THROWS();
    }
    bool given[kMostRulesOfProtocol] = {};
    uint64_t values[kMostRulesOfProtocol] = {};
    for (uint32_t number = 1; number <= ZEND_NUM_ARGS(); ++number) {
        zval* argument = ZEND_CALL_ARG(execute_data, number);
        if (Z_TYPE_P(argument) <= IS_NULL) continue;
        given[number - 1] = true;
        if (!take_limit(rules[number - 1], argument, number, true, values[number - 1])) RETURN_THROWS();
    }
    self->is_constructed = true;
    for (size_t place = 0; place < rules.size(); ++place) {
        self->given[place] = given[place];
        self->values[place] = values[place];
        if (given[place]) {
            init_limit_property(&self->object, static_cast<int>(place), rules[place], values[place]);
        } else {
            init_property_null(&self->object, static_cast<int>(place));
        }
    }
}

}  // namespace

void init_protocol_limits_class(zend_class_entry* class_entry, LimitGroup group) {
    const GroupClass known = class_of(group);
    *known.class_entry = class_entry;
    class_entry->create_object = known.create;
    init_handlers<ProtocolLimitsObject>(handlers, zend_object_std_dtor);
}

bool take_limit(const LimitRule& rule, zval* argument, uint32_t number, bool may_be_null, uint64_t& value) {
    return rule.unit == LimitUnit::kSeconds ? take_seconds(rule, argument, number, may_be_null, value)
                                            : take_integer(rule, argument, number, may_be_null, value);
}

void init_limit_property(zend_object* object, int place, const LimitRule& rule, uint64_t value) {
    if (rule.unit == LimitUnit::kSeconds) {
        init_property(object, place, static_cast<double>(value) / 1000);
    } else {
        init_property(object, place, static_cast<zend_long>(value));
    }
}

void override_limits(ProtocolLimits& limits, zend_object* object) {
    if (!object) return;
    const auto* self = embedded<ProtocolLimitsObject>(object);
    const auto rules = limit_rules(self->group);
    for (size_t place = 0; place < rules.size(); ++place) {
        if (self->given[place]) rules[place].write(limits_of_group(limits, self->group), self->values[place]);
    }
}

bool check_route_limits(zend_object* object, uint32_t number) {
    if (!object) return true;
    const auto* self = embedded<ProtocolLimitsObject>(object);
    const auto rules = limit_rules(LimitGroup::kHttp);
    for (size_t place = kHttpRulesOfRoutes; place < rules.size(); ++place) {
        if (!self->given[place]) continue;
        zend_argument_value_error(number, "must not have $%s, which is for whole sites only",
                                  rules[place].name);
        return false;
    }
    return true;
}

zend_object* new_protocol_limits(ProtocolLimits& limits, LimitGroup group) {
    const GroupClass known = class_of(group);
    auto* self = embedded<ProtocolLimitsObject>(known.create(*known.class_entry));
    self->is_constructed = true;
    const auto rules = limit_rules(group);
    for (size_t place = 0; place < rules.size(); ++place) {
        self->given[place] = true;
        self->values[place] = rules[place].read(limits_of_group(limits, group));
        init_limit_property(&self->object, static_cast<int>(place), rules[place], self->values[place]);
    }
    return &self->object;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Limits, __construct) {
    construct(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_Http2_Limits, __construct) {
    construct(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_WebSocket_Limits, __construct) {
    construct(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_Tcp_Limits, __construct) {
    construct(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Sluice_Udp_Limits, __construct) {
    construct(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
