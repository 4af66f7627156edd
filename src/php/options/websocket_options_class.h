#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct EndpointSpec;
}

namespace sluice::php {

extern zend_class_entry* websocket_options_class;
void init_websocket_options_class(zend_class_entry* class_entry);

/// What a constructed Sluice\WebSocket\Options says is the endpoint's from here on. No exception of PHP's can
/// come out of this.
void apply_websocket_options(zend_object* options, EndpointSpec& endpoint);

}  // namespace sluice::php
