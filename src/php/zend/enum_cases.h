#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Whether it is the case of that name of its enum.
bool is_case(zend_object* case_object, const char* name);

}  // namespace sluice::php
