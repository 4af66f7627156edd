#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\Semaphore.
void init_semaphore_class(zend_class_entry* class_entry);

}  // namespace sluice::php
