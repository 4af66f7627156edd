#pragma once

#include "php/zend/php_api.h"
#include "protocol/websocket/websocket_origin.h"

namespace sluice::php {

extern zend_class_entry* origins_class;
void init_origins_class(zend_class_entry* class_entry);

/// What a constructed Sluice\WebSocket\Origins says.
const websocket::OriginPolicy& origins_of(zend_object* object);

}  // namespace sluice::php
