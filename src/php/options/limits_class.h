#pragma once

#include "php/zend/php_api.h"
#include "server/config/protocol_limits.h"

namespace sluice {
struct Limits;
}

namespace sluice::php {

extern zend_class_entry* limits_class;
void init_limits_class(zend_class_entry* class_entry);

/// The server's own, of a Sluice\Limits.
const Limits& limits_of(zend_object* object);
/// What it says of protocols, for sites, routes and listeners that have none of their own.
const ProtocolLimits& protocol_limits_of(zend_object* object);

/// Messages and bodies that stand in the arena have to find room beside another one, and the low-water mark
/// is not above the high one. `number` is the argument that says so; false when it has thrown.
bool check_limits(const Limits& limits, const ProtocolLimits& protocols, uint32_t number);

}  // namespace sluice::php
