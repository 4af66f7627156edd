#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct Limits;
}

namespace sluice::php {

extern zend_class_entry* limits_class;
void init_limits_class(zend_class_entry* class_entry);

/// What a constructed Sluice\Limits says.
const Limits& limits_of(zend_object* object);

}  // namespace sluice::php
