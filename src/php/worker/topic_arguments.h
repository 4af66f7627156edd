#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Checks of topics' names; on failure each throws a ValueError about argument `number` and returns false.

bool check_topic(zend_string* topic, uint32_t number);
bool check_prefix(zend_string* prefix, uint32_t number);

}  // namespace sluice::php
