#pragma once

#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice {
struct EndpointSpec;
}

namespace sluice::php {

void init_handshake_class(zend_class_entry* class_entry);

/// The Sluice\WebSocket\Handshake that a route's handler decides on. `route` has to outlive the decision.
zend_object* new_handshake(const Inbound& message, const EndpointSpec& route);

/// The handshake's Sluice\Http\Request, borrowed.
const zval* request_of_handshake(zend_object* object);
/// The handler has returned: accepts unless it has refused.
void accept_handshake(zend_object* object);
/// The handler has thrown: refuses with `status`, unless it has refused already.
void fail_handshake(zend_object* object, uint16_t status, std::string_view detail);

}  // namespace sluice::php
