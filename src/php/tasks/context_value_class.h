#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\ContextValue.
void init_context_value_class(zend_class_entry* class_entry);

}  // namespace sluice::php
