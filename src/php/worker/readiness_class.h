#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

void init_readiness_class(zend_class_entry* class_entry);

}  // namespace sluice::php
