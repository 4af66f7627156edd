#pragma once

#include "php/tasks/task_class.h"

namespace sluice::php {

/// Tasks that end before what they were begun in goes on.
struct TaskGroupObject {
    TaskObject* first;  ///< of those that have not ended
    size_t live;        ///< how many these are
    TaskObject* body;   ///< one of them, or has ended
    WaitQueue waiters;  ///< for there to be none
    zend_object* failure;
    bool cancelled;
    bool ended;
    zend_object object;
};

void init_task_group_class(zend_class_entry* class_entry);

}  // namespace sluice::php
