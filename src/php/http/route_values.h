#pragma once

#include <string_view>

#include "php/zend/php_api.h"

namespace sluice::php {

/// What a method parameter() returns: the value of that parameter in a path that the pattern matches. Throws
/// a ValueError when the pattern has none; it may be empty.
void return_route_parameter(zval* return_value, std::string_view pattern, std::string_view path,
                            zend_string* name);
/// What a method parameters() returns.
void return_route_parameters(zval* return_value, std::string_view pattern, std::string_view path);

}  // namespace sluice::php
