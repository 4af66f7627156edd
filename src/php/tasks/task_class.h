#pragma once

#include "php/coroutine/wait_queue.h"
#include "php/zend/objects.h"

namespace sluice::php {

struct TaskGroupObject;

/// A call in a coroutine, and its outcome.
struct TaskObject {
    zval callable;
    zval* arguments;  ///< by position
    uint32_t argument_count;
    HashTable* named_arguments;
    zval result;
    zend_object* exception;
    Coroutine* coroutine;  ///< while it runs
    WaitQueue waiters;     ///< for its end
    zend_array* context;   ///< one reference, until it begins
    Isolation* isolation;  ///< one reference, until it begins
    zval error_handler;    ///< inherited, until it begins; UNDEF: none of its own
    int error_levels;
    TaskGroupObject* group;                 ///< one reference, until it has ended
    void (*leave_group)(TaskObject* task);  ///< the group's; called once, when the outcome is final
    TaskObject* group_next;
    TaskObject* group_previous;
    bool is_part_of_caller;  ///< who has spawned it only waits for it
    bool cancelled;
    bool done;
    zend_object object;
};

void init_task_class(zend_class_entry* class_entry);

/// Makes a task that the loop begins later. Copies the callable and the arguments. Needs a scheduler.
TaskObject* spawn_task(zval* callable, uint32_t argument_count, zval* arguments, HashTable* named_arguments);
/// Makes a task and runs it up to its first suspension. nullptr with an exception.
TaskObject* start_task(zval* callable, uint32_t argument_count, zval* arguments, HashTable* named_arguments);
/// Cancels a task; false when it has ended already.
bool cancel_task(TaskObject* task);
/// Returns or throws the task's outcome.
void give_outcome(const TaskObject* task, zval* return_value);

/// Waits for the task's end; false with an exception when interrupted, false without one at the deadline.
bool wait_for(TaskObject* task, uint64_t due_ms);

}  // namespace sluice::php
