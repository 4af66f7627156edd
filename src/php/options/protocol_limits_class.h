#pragma once

#include "php/zend/php_api.h"
#include "server/config/limit_rules.h"

namespace sluice::php {

/// Sluice\Http\Limits and the limits classes of the other protocols.
extern zend_class_entry* http_limits_class;
extern zend_class_entry* http2_limits_class;
extern zend_class_entry* websocket_limits_class;
extern zend_class_entry* tcp_limits_class;
extern zend_class_entry* udp_limits_class;
void init_protocol_limits_class(zend_class_entry* class_entry, LimitGroup group);

/// Overrides `limits` with the object's values; nullptr: changes nothing.
void override_limits(ProtocolLimits& limits, zend_object* object);
/// An Http\Limits for a route, argument `number`, must not have limits of a whole site. False when it has
/// thrown.
bool check_route_limits(zend_object* object, uint32_t number);
/// A limits object with all values set.
zend_object* new_protocol_limits(ProtocolLimits& limits, LimitGroup group);

/// Checks and converts a rule's argument, which is not null; `may_be_null`: null would be allowed. False when
/// it has thrown.
bool take_limit(const LimitRule& rule, zval* argument, uint32_t number, bool may_be_null, uint64_t& value);
/// Sets a property, in PHP's unit.
void init_limit_property(zend_object* object, int place, const LimitRule& rule, uint64_t value);

}  // namespace sluice::php
