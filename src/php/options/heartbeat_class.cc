#include "php/options/heartbeat_class.h"

#include <cmath>

#include "php/zend/objects.h"
#include "server/config/websocket_rules.h"

namespace sluice::php {

zend_class_entry* heartbeat_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kEverySeconds, kTimeoutSeconds };

constexpr double kLeastSeconds = 0.001, kMostSeconds = 1e6;

zend_object_handlers handlers;

struct HeartbeatObject {
    zend_object object;
};

zend_object* create_heartbeat(zend_class_entry* class_entry) {
    return &new_embedded<HeartbeatObject>(class_entry, handlers)->object;
}

bool check_seconds(Place place, double value) {
    if (std::isfinite(value) && value >= kLeastSeconds && value <= kMostSeconds) return true;
    zend_argument_value_error(static_cast<uint32_t>(place) + 1,
                              "must be between 0.001 and 1000000 seconds, %.*H given", -1, value);
    return false;
}

uint32_t milliseconds(zend_object* object, Place place) {
    return static_cast<uint32_t>(std::lround(Z_DVAL_P(OBJ_PROP_NUM(object, place)) * 1000));
}

}  // namespace

void init_heartbeat_class(zend_class_entry* class_entry) {
    heartbeat_class = class_entry;
    class_entry->create_object = create_heartbeat;
    init_handlers<HeartbeatObject>(handlers, zend_object_std_dtor);
}

void set_heartbeat(WebSocketRules& rules, zend_object* object) {
    rules.ping_every_ms = milliseconds(object, kEverySeconds);
    rules.pong_within_ms = milliseconds(object, kTimeoutSeconds);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_WebSocket_Heartbeat, __construct) {
    double every = 30.0, timeout = 10.0;
    ZEND_PARSE_PARAMETERS_START(0, 2)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE(every)
    Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, 0)) != IS_UNDEF) {
        zend_throw_error(nullptr,
                         "Sluice\\WebSocket\\Heartbeat is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!check_seconds(kEverySeconds, every) || !check_seconds(kTimeoutSeconds, timeout)) RETURN_THROWS();
    init_property(self, kEverySeconds, every);
    init_property(self, kTimeoutSeconds, timeout);
}
