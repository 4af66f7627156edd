#pragma once

#include "php/zend/php_api.h"
#include "server/seam/connection_id.h"

namespace sluice::php {

void init_websocket_connection_class(zend_class_entry* class_entry);

/// A Sluice\WebSocket\Connection.
zend_object* new_websocket_connection(ConnectionId id);

}  // namespace sluice::php
