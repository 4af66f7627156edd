#include "php/tasks/task_class.h"

#include "core/clock.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/current_scope.h"
#include "php/coroutine/error_handlers.h"
#include "php/coroutine/fatal_errors.h"
#include "php/coroutine/isolation.h"
#include "php/coroutine/output_buffers.h"
#include "php/coroutine/require_coroutine.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

namespace {

zend_class_entry* task_class;
zend_object_handlers handlers;

void release_call(TaskObject* task) {
    for (uint32_t index = 0; index < task->argument_count; ++index)
        zval_ptr_dtor(&task->arguments[index]);
    if (task->arguments) efree(task->arguments);
    task->arguments = nullptr;
    task->argument_count = 0;
    if (task->named_arguments) zend_array_release(task->named_arguments);
    task->named_arguments = nullptr;
    zval callable;
    ZVAL_COPY_VALUE(&callable, &task->callable);
    ZVAL_UNDEF(&task->callable);
    zval_ptr_dtor(&callable);
}

void free_task(zend_object* object) {
    TaskObject* task = embedded<TaskObject>(object);
    release_call(task);
    zval_ptr_dtor(&task->result);
    if (task->exception) OBJ_RELEASE(task->exception);
    release_context(task->context);
    release_isolation(task->isolation);
    zval_ptr_dtor(&task->error_handler);
    zend_object_std_dtor(object);
}

zend_object* create_task(zend_class_entry* class_entry) {
    TaskObject* task = new_embedded<TaskObject>(class_entry, handlers);
    ZVAL_UNDEF(&task->callable);
    ZVAL_UNDEF(&task->result);
    ZVAL_UNDEF(&task->error_handler);
    return &task->object;
}

HashTable* task_references(zend_object* object, zval** table, int* count) {
    TaskObject* task = embedded<TaskObject>(object);
    zend_get_gc_buffer* buffer = zend_get_gc_buffer_create();
    zend_get_gc_buffer_add_zval(buffer, &task->callable);
    zend_get_gc_buffer_add_zval(buffer, &task->result);
    zend_get_gc_buffer_add_zval(buffer, &task->error_handler);
    if (task->exception) zend_get_gc_buffer_add_obj(buffer, task->exception);
    if (task->context) {
        zval context;
        ZVAL_ARR(&context, task->context);
        zend_get_gc_buffer_add_zval(buffer, &context);
    }
    for (uint32_t index = 0; index < task->argument_count; ++index)
        zend_get_gc_buffer_add_zval(buffer, &task->arguments[index]);
    zend_get_gc_buffer_use(buffer, table, count);
    return zend_std_get_properties(object);
}

void call_function(TaskObject* task) {
    Coroutine* self = current_coroutine();
    task->coroutine = self;
    if (self) {
        self->task = &task->object;
        self->begun_us = monotonic_us();
        self->scope.context = task->context;
        self->is_part_of_parent = task->is_part_of_caller;
        adopt_error_handler(&task->error_handler, task->error_levels);
        task->context = nullptr;
    }
    const php_output_handler* const buffer = OG(active);
    Isolation* const outer = adopt_isolation(task->isolation);
    release_isolation(task->isolation);
    task->isolation = nullptr;
    zend_fcall_info info = {};
    info.size = sizeof info;
    ZVAL_COPY_VALUE(&info.function_name, &task->callable);
    info.retval = &task->result;
    info.params = task->arguments;
    info.param_count = task->argument_count;
    info.named_params = task->named_arguments;
    call_until_fatal_error([&info] { zend_call_function(&info, nullptr); });
    settle_end_of_overdue();
    // Of a script's coroutine it is the end, and not the worker's.
    if (EG(exception) && zend_is_unwind_exit(EG(exception)) && request_globals()) {
        zend_clear_exception();
        // In a fork, which has no scheduler, it is the process's status.
        if (scheduler()) EG(exit_status) = 0;
    }
    if (self) {
        if (self->scope.deferred) run_deferred(self->scope);
        settle_end_of_overdue();
        clear_scope(self->scope);
    }
    // Where what it has echoed belongs to: in a script, to the page.
    end_output_left(buffer);
    end_isolation(outer);
    task->coroutine = nullptr;
}

/// Owns the reference that spawn_task() has added.
void run_task(const void* argument) {
    TaskObject* task = static_cast<TaskObject*>(const_cast<void*>(argument));
    if (task->cancelled) {
        zend_throw_exception(cancelled_error_class, "The task was cancelled before it had begun", 0);
    } else {
        call_function(task);
    }
    zend_object* exception = EG(exception);
    const bool exits = exception && is_exit(exception);
    if (exception && !exits) {
        const bool nobody_asks = GC_REFCOUNT(&task->object) == 1 && !task->group;
        if (nobody_asks && !instanceof_function(exception->ce, cancelled_error_class)) {
            log_exception("a spawned coroutine");
        } else {
            GC_ADDREF(exception);
            task->exception = exception;
            zend_clear_exception();
        }
    }
    task->done = true;
    if (scheduler()) task->waiters.wake_all();
    if (task->group && !exits) task->leave_group(task);
    if (!exits) release_call(task);
    OBJ_RELEASE(&task->object);
    // An exception of a destructor.
    if (!exits && EG(exception)) log_exception("a spawned coroutine");
}

}  // namespace

void init_task_class(zend_class_entry* class_entry) {
    task_class = class_entry;
    class_entry->create_object = create_task;
    init_handlers<TaskObject>(handlers, free_task);
    handlers.get_gc = task_references;
    init_coroutines(
        static_cast<zend_function*>(zend_hash_str_find_ptr(&class_entry->function_table, ZEND_STRL("work"))),
        class_entry);
}

namespace {

/// Has a reference for run_task().
TaskObject* make_task(zval* callable, uint32_t argument_count, zval* arguments, HashTable* named_arguments) {
    TaskObject* task = embedded<TaskObject>(create_task(task_class));
    ZVAL_COPY(&task->callable, callable);
    if (argument_count > 0) {
        task->arguments = static_cast<zval*>(safe_emalloc(argument_count, sizeof(zval), 0));
        for (uint32_t index = 0; index < argument_count; ++index)
            ZVAL_COPY(&task->arguments[index], &arguments[index]);
        task->argument_count = argument_count;
    }
    if (named_arguments) {
        GC_TRY_ADDREF(named_arguments);
        task->named_arguments = named_arguments;
    }
    task->context = inherit_context();
    task->isolation = inherit_isolation();
    inherit_error_handler(&task->error_handler, &task->error_levels);
    GC_ADDREF(&task->object);
    return task;
}

}  // namespace

TaskObject* spawn_task(zval* callable, uint32_t argument_count, zval* arguments, HashTable* named_arguments) {
    if (!scheduler()->require_room()) return nullptr;
    TaskObject* task = make_task(callable, argument_count, arguments, named_arguments);
    scheduler()->start_later(run_task, task);
    return task;
}

TaskObject* start_task(zval* callable, uint32_t argument_count, zval* arguments, HashTable* named_arguments) {
    if (!scheduler()->require_room()) return nullptr;
    TaskObject* task = make_task(callable, argument_count, arguments, named_arguments);
    const bool begun = scheduler()->start_now(run_task, task);
    if (!begun) {
        zend_throw_exception(limit_exception_class, "There is no memory for the stack of a further coroutine",
                             0);
        OBJ_RELEASE(&task->object);
    }
    if (begun && !EG(exception)) return task;
    OBJ_RELEASE(&task->object);
    return nullptr;
}

bool cancel_task(TaskObject* task) {
    if (task->done) return false;
    task->cancelled = true;
    if (task->coroutine && scheduler()) scheduler()->interrupt(*task->coroutine, "The task was cancelled");
    return true;
}

void give_outcome(const TaskObject* task, zval* return_value) {
    if (task->exception) {
        GC_ADDREF(task->exception);
        zend_throw_exception_internal(task->exception);
    } else if (Z_TYPE(task->result) != IS_UNDEF) {
        ZVAL_COPY_DEREF(return_value, const_cast<zval*>(&task->result));
    }
}

bool wait_for(TaskObject* task, uint64_t due_ms) {
    while (!task->done) {
        Coroutine* self = require_coroutine();
        if (!self) return false;
        Waiter waiter = {self, nullptr};
        task->waiters.add(waiter);
        const Wake wake = scheduler()->suspend(*self, due_ms);
        task->waiters.remove(waiter);
        if (wake == Wake::kInterrupted) return false;
        if (wake == Wake::kTimedOut) return task->done;
    }
    return true;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_Task, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Coroutine_Task, await) {
    ZEND_PARSE_PARAMETERS_NONE();
    TaskObject* task = embedded<TaskObject>(ZEND_THIS);
    if (task->coroutine && task->coroutine == enclosing_coroutine()) {
        zend_throw_error(nullptr, "A task cannot wait for its own end");
        RETURN_THROWS();
    }
    if (wait_for(task, 0)) give_outcome(task, return_value);
}

ZEND_METHOD(Sluice_Coroutine_Task, cancel) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(cancel_task(embedded<TaskObject>(ZEND_THIS)));
}

ZEND_METHOD(Sluice_Coroutine_Task, isDone) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<TaskObject>(ZEND_THIS)->done);
}

ZEND_METHOD(Sluice_Coroutine_Task, work) {
    ZEND_PARSE_PARAMETERS_NONE();
    Coroutine* self = current_coroutine();
    // Reflection reaches private methods, too.
    if (self && self->state == Coroutine::State::kRunning &&
        execute_data->prev_execute_data == self->fiber->stack_bottom)
        scheduler()->work(*self);
}
