#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Whether it is the enum's case of this name.
bool is_case(zend_object* case_object, const char* name);

}  // namespace sluice::php
