#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// What is wrong with a line of the application is worth one line in the log, however often it runs: true the
/// first time that `what`, a literal, is said of the line of PHP code that runs, if one does. False when very
/// much was said already.
bool is_first_here(const char* what);
/// True the first time that `what` is said of a function of the application's.
bool is_first_of(const char* what, const zend_function* function);

}  // namespace sluice::php
