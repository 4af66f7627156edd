#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\Mutex.
void init_mutex_class(zend_class_entry* class_entry);

}  // namespace sluice::php
