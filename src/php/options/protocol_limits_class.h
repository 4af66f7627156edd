#pragma once

#include "php/zend/php_api.h"
#include "server/config/limit_rules.h"

namespace sluice::php {

/// Sluice\Http\Limits and its like.
extern zend_class_entry* http_limits_class;
extern zend_class_entry* http2_limits_class;
extern zend_class_entry* websocket_limits_class;
extern zend_class_entry* tcp_limits_class;
extern zend_class_entry* udp_limits_class;
void init_protocol_limits_class(zend_class_entry* class_entry, LimitGroup group);

/// What the object says is put in the place of what `limits` have; nullptr: it says nothing.
void override_limits(ProtocolLimits& limits, zend_object* object);
/// An Http\Limits for a route, argument `number`, may not say what a whole site has. False when it has
/// thrown.
bool check_route_limits(zend_object* object, uint32_t number);
/// One that says all of them.
zend_object* new_protocol_limits(ProtocolLimits& limits, LimitGroup group);

/// Takes an argument over that a rule is for, and that is not null; `may_be_null`: it could be. False when it
/// has thrown.
bool take_limit(const LimitRule& rule, zval* argument, uint32_t number, bool may_be_null, uint64_t& value);
/// A property, as PHP counts it.
void init_limit_property(zend_object* object, int place, const LimitRule& rule, uint64_t value);

}  // namespace sluice::php
