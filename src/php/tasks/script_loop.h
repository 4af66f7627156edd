#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Sluice\Coroutine\run(): a script's own loop, where it is no worker.

/// Sluice\Coroutine\Stats
extern zend_class_entry* stats_class;

/// Begins the loop of start() where there is none. False with an exception in a process that has a server.
bool begin_script_loop();
/// In a fork of this process: the loop is the parent's. The fork may begin its own.
void leave_script_loop();
/// At the end of a script: gives back what coroutines needed.
void end_coroutines();

}  // namespace sluice::php
