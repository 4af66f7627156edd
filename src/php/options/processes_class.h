#pragma once

#include "php/zend/php_api.h"
#include "server/config/script_pool.h"

namespace sluice::php {

extern zend_class_entry* processes_class;
void init_processes_class(zend_class_entry* class_entry);

inline constexpr zend_long kMostProcesses = 1000;
inline constexpr uint32_t kUsualProcesses = 16;

/// What a constructed Sluice\Http\Processes says.
uint32_t most_of(zend_object* processes);
ScriptPool bounds_of(zend_object* processes);
/// Of processes of which only the most are said.
ScriptPool usual_bounds(uint32_t most);

}  // namespace sluice::php
