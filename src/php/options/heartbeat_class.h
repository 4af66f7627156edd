#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct WebSocketRules;
}

namespace sluice::php {

extern zend_class_entry* heartbeat_class;
void init_heartbeat_class(zend_class_entry* class_entry);

/// Sets the route's pings from a constructed Sluice\WebSocket\Heartbeat.
void set_heartbeat(WebSocketRules& rules, zend_object* object);

}  // namespace sluice::php
