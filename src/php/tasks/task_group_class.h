#pragma once

#include "php/tasks/task_class.h"

namespace sluice::php {

/// A group of tasks (structured concurrency): all end before their group's call returns.
struct TaskGroupObject {
    TaskObject* first;  ///< list of tasks that have not ended
    size_t live;        ///< number of tasks that have not ended
    TaskObject* body;   ///< the group's own call: one of the tasks, or has ended
    WaitQueue waiters;  ///< wait until no task is left
    zend_object* failure;
    bool cancelled;
    bool ended;
    zend_object object;
};

void init_task_group_class(zend_class_entry* class_entry);

}  // namespace sluice::php
