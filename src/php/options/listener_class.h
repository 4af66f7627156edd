#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct EndpointSpec;
}

namespace sluice::php {

extern zend_class_entry* listener_class;
void init_listener_class(zend_class_entry* class_entry);

/// The address of a constructed Sluice\Listener.
zend_string* address_of(zend_object* listener);
/// Applies all but the address to the endpoint.
void apply_listener(zend_object* listener, EndpointSpec& endpoint);

/// Throws a ValueError about argument 1, which shows valid addresses; `given` is invalid.
void refuse_address(zend_string* given);

}  // namespace sluice::php
