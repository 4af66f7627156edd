#pragma once

#include <cstdint>

#include "php/zend/php_api.h"

namespace sluice::php {

struct Worker;

void init_timer_class(zend_class_entry* class_entry);

/// Calls the timers of this worker that are due, each in a coroutine. False when the script called exit().
bool fire_due_timers(Worker& worker, uint64_t now_ms);

}  // namespace sluice::php
