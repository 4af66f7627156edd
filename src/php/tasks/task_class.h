#pragma once

#include "php/coroutine/wait_queue.h"
#include "php/zend/objects.h"

namespace sluice::php {

struct TaskGroupObject;

/// A call in a coroutine, and what becomes of it.
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
    uint64_t parent;                        ///< the number of the coroutine that has spawned it; 0: none
    TaskGroupObject* group;                 ///< one reference, until it has ended
    void (*leave_group)(TaskObject* task);  ///< the group's; called once, when the outcome stands
    TaskObject* group_next;
    TaskObject* group_previous;
    bool cancelled;
    bool done;
    zend_object object;
};

void init_task_class(zend_class_entry* class_entry);

/// A task that begins when the loop comes to it. Copies the callable and the arguments. Needs a scheduler.
TaskObject* spawn_task(zval* callable, uint32_t argument_count, zval* arguments, HashTable* named_arguments);
/// Whether it was still to end.
bool cancel_task(TaskObject* task);
/// Returns, or throws, what has become of it.
void give_outcome(const TaskObject* task, zval* return_value);

/// Waits for its end; false with an exception when interrupted, or when the time was over, without one.
bool wait_for(TaskObject* task, uint64_t due_ms);

}  // namespace sluice::php
