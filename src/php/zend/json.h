#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// PHP's own functions, which throw JsonException.

/// Objects become arrays.
void return_json_decoded(zval* return_value, zend_string* text);

/// nullptr when it has thrown. The reference is the caller's.
zend_string* json_encoded(zval* value, zend_long flags);

}  // namespace sluice::php
