#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct EndpointSpec;
}

namespace sluice::php {

extern zend_class_entry* websocket_options_class;
void init_websocket_options_class(zend_class_entry* class_entry);

/// Applies a constructed Sluice\WebSocket\Options to the endpoint. Throws
/// nothing.
void apply_websocket_options(zend_object* options, EndpointSpec& endpoint);

}  // namespace sluice::php
