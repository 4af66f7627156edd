#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Http\Script.
void init_script_class(zend_class_entry* class_entry);

}  // namespace sluice::php
