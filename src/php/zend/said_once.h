#pragma once

#include <string>

#include "php/zend/php_api.h"

namespace sluice::php {

/// For logging a fault of the application's code once, however often it runs: true the first time
/// that `what`, a literal, is reported for the running line of PHP code. False after very many
/// reports.
bool is_first_here(const char* what);
/// True the first time that `what` is said of this text, such as a backtrace.
bool is_first_with(const char* what, const std::string& text);
/// True the first time that `what` is said of a function of the application's.
bool is_first_of(const char* what, const zend_function* function);

}  // namespace sluice::php
