#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Http\Script.
void init_script_class(zend_class_entry* class_entry);
/// Whether a handler gives its requests to processes for scripts, where its endpoint has processes.
bool is_script(const zval* target);

}  // namespace sluice::php
