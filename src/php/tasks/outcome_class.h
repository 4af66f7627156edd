#pragma once

#include "php/tasks/task_class.h"

namespace sluice::php {

void init_outcome_class(zend_class_entry* class_entry);

/// A Sluice\Coroutine\Outcome of a task that has ended.
zval outcome_of(const TaskObject* task);

}  // namespace sluice::php
