#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

void init_server_class(zend_class_entry* class_entry);

/// Call it at the end of the script, after its destructors: handlers that refer to their own server would
/// keep both alive.
void release_all_handlers();

}  // namespace sluice::php
