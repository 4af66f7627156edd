#include "php/tasks/task_group_class.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/require_coroutine.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

namespace {

zend_class_entry* task_group_class;
zend_object_handlers handlers;

zend_object* create_group(zend_class_entry* class_entry) {
    return &new_embedded<TaskGroupObject>(class_entry, handlers)->object;
}

void free_group(zend_object* object) {
    TaskGroupObject* group = embedded<TaskGroupObject>(object);
    if (group->failure) OBJ_RELEASE(group->failure);
    zend_object_std_dtor(object);
}

void cancel_children(TaskGroupObject* group, const TaskObject* but) {
    for (TaskObject* task = group->first; task; task = task->group_next)
        if (task != but) cancel_task(task);
}

bool is_failure(const TaskObject* task) {
    return task->exception &&
           !(task->cancelled && instanceof_function(task->exception->ce, cancelled_error_class));
}

/// Logs a failure after the first one, which nobody else learns of.
void log_failure(const TaskObject* task) {
    if (GC_REFCOUNT(&task->object) > 1) return;
    GC_ADDREF(task->exception);
    zend_throw_exception_internal(task->exception);
    log_exception("a task of a group that has failed already");
}

/// Called once by a task, when its outcome is final.
void leave_group(TaskObject* task) {
    TaskGroupObject* group = task->group;
    (task->group_previous ? task->group_previous->group_next : group->first) = task->group_next;
    if (task->group_next) task->group_next->group_previous = task->group_previous;
    task->group = nullptr;
    --group->live;
    if (is_failure(task)) {
        if (group->failure) {
            log_failure(task);
        } else {
            group->failure = task->exception;
            GC_ADDREF(group->failure);
            group->cancelled = true;
            cancel_children(group, nullptr);
        }
    }
    if (group->live == 0 && scheduler()) {
        while (group->waiters.serve_first()) {
        }
    }
    OBJ_RELEASE(&group->object);
}

/// Adds a task; the group holds a reference until the task leaves. Accepts nullptr.
TaskObject* join_group(TaskGroupObject* group, TaskObject* task) {
    if (!task) return nullptr;
    GC_ADDREF(&group->object);
    task->group = group;
    task->leave_group = leave_group;
    task->group_next = group->first;
    if (group->first) group->first->group_previous = task;
    group->first = task;
    ++group->live;
    if (group->cancelled) cancel_task(task);
    return task;
}

/// Waits until no task is left, however often that is interrupted. The first interruption comes out as an
/// exception then. False when PHP ends, and nothing may be waited for any more.
bool wait_for_children(TaskGroupObject* group, Coroutine* self) {
    zend_object* interruption = nullptr;
    const AwaitsChildren awaits(*self);
    while (group->live > 0) {
        Waiter waiter{self};
        if (group->waiters.wait(waiter, 0) != Wake::kInterrupted) continue;
        if (is_exit(EG(exception))) {
            if (interruption) OBJ_RELEASE(interruption);
            return false;
        }
        if (!interruption) {
            interruption = EG(exception);
            GC_ADDREF(interruption);
        }
        zend_clear_exception();
        group->cancelled = true;
        cancel_children(group, nullptr);
    }
    if (interruption) zend_throw_exception_internal(interruption);
    return true;
}

}  // namespace

void init_task_group_class(zend_class_entry* class_entry) {
    task_group_class = class_entry;
    class_entry->create_object = create_group;
    init_handlers<TaskGroupObject>(handlers, free_group);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_TaskGroup, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Coroutine_TaskGroup, run) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    Coroutine* self = require_coroutine();
    if (!self) RETURN_THROWS();

    TaskGroupObject* group = embedded<TaskGroupObject>(create_group(task_group_class));
    zval argument;
    ZVAL_OBJ(&argument, &group->object);
    TaskObject* body = spawn_task(&info.function_name, 1, &argument, nullptr);
    if (body) {
        body->is_part_of_caller = true;
        group->body = join_group(group, body);
        const bool all_ended = wait_for_children(group, self);
        group->ended = true;
        if (all_ended && !EG(exception)) {
            if (group->failure) {
                GC_ADDREF(group->failure);
                zend_throw_exception_internal(group->failure);
            } else {
                give_outcome(body, return_value);
            }
        }
        OBJ_RELEASE(&body->object);
    }
    OBJ_RELEASE(&group->object);
}

ZEND_METHOD(Sluice_Coroutine_TaskGroup, spawn) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zval* arguments;
    uint32_t count;
    HashTable* named;
    ZEND_PARSE_PARAMETERS_START(1, -1)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    TaskGroupObject* group = embedded<TaskGroupObject>(ZEND_THIS);
    if (group->ended || group->live == 0) {
        zend_throw_error(nullptr, "The group has ended: nothing can be spawned in it any more");
        RETURN_THROWS();
    }
    TaskObject* task = join_group(group, spawn_task(&info.function_name, count, arguments, named));
    if (!task) RETURN_THROWS();
    RETURN_OBJ(&task->object);
}

ZEND_METHOD(Sluice_Coroutine_TaskGroup, cancel) {
    ZEND_PARSE_PARAMETERS_NONE();
    TaskGroupObject* group = embedded<TaskGroupObject>(ZEND_THIS);
    cancel_children(group, group->body);
}
