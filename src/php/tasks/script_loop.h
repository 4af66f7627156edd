#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Sluice\Coroutine\run(): a script's own loop, where it is no worker.

/// Sluice\Coroutine\Stats
extern zend_class_entry* stats_class;

/// At the end of a script: gives back what coroutines needed.
void end_coroutines();

}  // namespace sluice::php
