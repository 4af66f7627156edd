#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\WaitGroup.
void init_wait_group_class(zend_class_entry* class_entry);

}  // namespace sluice::php
