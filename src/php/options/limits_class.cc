#include "php/options/limits_class.h"

#include <algorithm>
#include <cstddef>

#include "php/options/protocol_limits_class.h"
#include "php/zend/objects.h"
#include "server/config/limits.h"

namespace sluice::php {

zend_class_entry* limits_class = nullptr;

namespace {

zend_object_handlers handlers;

struct LimitsObject {
    bool is_constructed;
    Limits values;
    ProtocolLimits protocols;
    zend_object object;
};

void free_limits(zend_object* object) {
    zend_object_std_dtor(object);
}

zend_object* create_limits(zend_class_entry* class_entry) {
    return &new_embedded<LimitsObject>(class_entry, handlers)->object;
}

uint32_t number_of(size_t offset) {
    const auto rules = limit_rules(LimitGroup::kServer);
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [&](const LimitRule& rule) { return rule.offset == offset; });
    return static_cast<uint32_t>(found - rules.begin()) + 1;
}

/// The parameters for protocols follow the server's own.
uint32_t number_of(LimitGroup group) {
    return static_cast<uint32_t>(limit_rules(LimitGroup::kServer).size()) + static_cast<uint32_t>(group);
}

/// Checks rules over several limits.
bool check_together(const Limits& limits) {
    if (const uint64_t ring = limits.ring_bytes; (ring & (ring - 1)) != 0) {
        zend_argument_value_error(number_of(offsetof(Limits, ring_bytes)),
                                  "must be a power of two, " ZEND_ULONG_FMT " given", ring);
        return false;
    }
    const SendLimits& sending = limits.sending;
    if (sending.low_water_bytes > sending.high_water_bytes) {
        zend_argument_value_error(number_of(offsetof(Limits, sending.low_water_bytes)),
                                  "must be at most $highWaterBytes, which is " ZEND_ULONG_FMT
                                  ", " ZEND_ULONG_FMT " given",
                                  sending.high_water_bytes, sending.low_water_bytes);
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

const ProtocolLimits& protocol_limits_of(zend_object* object) {
    return embedded<LimitsObject>(object)->protocols;
}

bool check_limits(const Limits& limits, const ProtocolLimits& protocols, uint32_t number) {
    for (const SendLimits& sending :
         {protocols.http.sending, protocols.websocket.sending, protocols.tcp.sending}) {
        if (sending.low_water_bytes <= sending.high_water_bytes) continue;
        zend_argument_value_error(
            number,
            "must have $lowWaterBytes of at most $highWaterBytes, which is " ZEND_ULONG_FMT
            ", " ZEND_ULONG_FMT " given",
            sending.high_water_bytes, sending.low_water_bytes);
        return false;
    }
    // Two messages must fit, or a single client could block all others.
    const uint64_t half = limits.arena_bytes / 2;
    const HttpLimits& http = protocols.http;
    const uint64_t in_memory = http.memory_body_bytes(limits.temporary_file_bytes);
    const struct {
        const char* name;
        uint64_t value;
    } longest[] = {
        {in_memory < http.body_bytes ? "bodyFileBytes" : "bodyBytes", in_memory},
        {"messageBytes", std::max(protocols.websocket.message_bytes, protocols.tcp.message_bytes)},
    };
    for (const auto& each : longest) {
        if (each.value <= half) continue;
        zend_argument_value_error(
            number,
            "must have $%s of at most half of Limits::$arenaBytes, which is " ZEND_ULONG_FMT
            ", " ZEND_ULONG_FMT " given",
            each.name, half, each.value);
        return false;
    }
    // An extent's length has 32 bits.
    if (in_memory > UINT32_MAX) {
        zend_argument_value_error(
            number,
            "must have $bodyBytes of at most 4294967295 without temporary files, " ZEND_ULONG_FMT " given",
            http.body_bytes);
        return false;
    }
    return true;
}

}  // namespace sluice::php

using namespace sluice::php;
using sluice::LimitGroup;

ZEND_METHOD(Sluice_Limits, __construct) {
    const auto rules = sluice::limit_rules(LimitGroup::kServer);
    const auto most_arguments = static_cast<uint32_t>(rules.size() + std::size(sluice::kProtocolGroups));
    if (ZEND_NUM_ARGS() > most_arguments) {
        zend_wrong_parameters_count_error(0, most_arguments);
        RETURN_THROWS();
    }
    LimitsObject* self = embedded<LimitsObject>(ZEND_THIS);
    if (self->is_constructed) {
        zend_throw_error(nullptr, "Sluice\\Limits is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    sluice::Limits limits;
    sluice::ProtocolLimits protocols;
    protocols.tcp.message_bytes = 0;  // unset
    const uint32_t given = ZEND_NUM_ARGS();
    uint32_t number = 1;
    for (; number <= std::min<uint32_t>(given, static_cast<uint32_t>(rules.size())); ++number) {
        uint64_t value;
        if (!take_limit(rules[number - 1], ZEND_CALL_ARG(execute_data, number), number, false, value))
            RETURN_THROWS();
        rules[number - 1].write(&limits, value);
    }
    protocols.http.sending = protocols.websocket.sending = protocols.tcp.sending = limits.sending;
    for (; number <= given; ++number) {
        zval* argument = ZEND_CALL_ARG(execute_data, number);
        zend_class_entry* const classes[] = {http_limits_class, http2_limits_class, websocket_limits_class,
                                             tcp_limits_class, udp_limits_class};
        zend_class_entry* wanted = classes[number - rules.size() - 1];
        if (Z_TYPE_P(argument) <= IS_NULL) continue;
        if (Z_TYPE_P(argument) != IS_OBJECT || Z_OBJCE_P(argument) != wanted) {
            zend_wrong_parameter_class_or_null_error(static_cast<int>(number), ZSTR_VAL(wanted->name),
                                                     argument);
            RETURN_THROWS();
        }
        override_limits(protocols, Z_OBJ_P(argument));
    }
    if (protocols.tcp.message_bytes == 0) protocols.tcp.message_bytes = protocols.websocket.message_bytes;
    if (!check_together(limits)) RETURN_THROWS();
    for (const LimitGroup group : {LimitGroup::kHttp, LimitGroup::kWebSocket, LimitGroup::kTcp}) {
        sluice::ProtocolLimits alone;
        alone.http.body_bytes = alone.http.body_file_bytes = 0;
        alone.websocket.message_bytes = alone.tcp.message_bytes = 0;
        if (group == LimitGroup::kHttp) alone.http = protocols.http;
        if (group == LimitGroup::kWebSocket) alone.websocket = protocols.websocket;
        if (group == LimitGroup::kTcp) alone.tcp = protocols.tcp;
        if (!check_limits(limits, alone, number_of(group))) RETURN_THROWS();
    }
    self->is_constructed = true;
    self->values = limits;
    self->protocols = protocols;
    int place = 0;
    for (const sluice::LimitRule& rule : rules)
        init_limit_property(&self->object, place++, rule, rule.read(&limits));
    for (const LimitGroup group : sluice::kProtocolGroups)
        init_property(&self->object, place++, new_protocol_limits(protocols, group));
}
