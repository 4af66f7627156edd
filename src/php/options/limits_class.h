#pragma once

#include "php/zend/php_api.h"
#include "server/config/protocol_limits.h"

namespace sluice {
struct Limits;
}

namespace sluice::php {

extern zend_class_entry* limits_class;
void init_limits_class(zend_class_entry* class_entry);

/// The server's own limits of a Sluice\Limits.
const Limits& limits_of(zend_object* object);
/// Its limits for protocols, used by sites, routes and listeners without limits of their own.
const ProtocolLimits& protocol_limits_of(zend_object* object);

/// Checks that two of the longest messages or bodies fit into the arena, and that the low-water mark is not
/// above the high one. `number`: the argument to blame; false when it has thrown.
bool check_limits(const Limits& limits, const ProtocolLimits& protocols, uint32_t number);

}  // namespace sluice::php
