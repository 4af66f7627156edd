#pragma once

#include "php/zend/php_api.h"
#include "protocol/websocket/deflate_policy.h"

namespace sluice::php {

extern zend_class_entry* compression_class;
void init_compression_class(zend_class_entry* class_entry);

/// What a constructed Sluice\WebSocket\Compression says.
websocket::DeflatePolicy compression_of(zend_object* object);

}  // namespace sluice::php
