#pragma once

#include "php/php_api.h"

namespace sluice::php {

void init_websocket_endpoint_class(zend_class_entry* class_entry);

}  // namespace sluice::php
