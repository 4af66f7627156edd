#pragma once

#include "php/zend/php_api.h"
#include "server/seam/connection_id.h"

namespace sluice::php {

// Checks of sent data; on failure each throws a ValueError about argument `number` and returns false.

/// Checks that a text message is UTF-8.
bool check_message(zend_string* data, bool binary, uint32_t number);
/// Arguments 1 and 2 of close().
bool check_close(zend_long code, zend_string* reason);

/// Checks topic and data as arguments 1 and 2, and publishes.
void publish(zend_string* topic, zend_string* data, bool binary, ConnectionId except);

}  // namespace sluice::php
