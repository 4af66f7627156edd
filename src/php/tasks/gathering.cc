#include "php/tasks/gathering.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"
#include "php/tasks/outcome_class.h"
#include "php/tasks/task_class.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

namespace {

/// Tasks that are awaited together. Plain memory: PHP may jump past this (bailout).
struct Gathering {
    Goal goal;
    uint32_t count;      ///< the final number of tasks
    uint32_t spawned;    ///< tasks begun
    uint32_t ended;      ///< tasks known to have ended
    TaskObject** tasks;  ///< a reference each
    Waiter* waiters;
    bool* seen;
    TaskObject* outcome;  ///< the deciding task: the first failure, or the winner
};

void begin_gathering(Gathering& gathering, Goal goal, uint32_t count) {
    gathering = {};
    gathering.goal = goal;
    gathering.count = count;
    gathering.tasks = static_cast<TaskObject**>(safe_emalloc(count, sizeof(TaskObject*), 1));
    gathering.waiters = static_cast<Waiter*>(safe_emalloc(count, sizeof(Waiter), 1));
    gathering.seen = static_cast<bool*>(ecalloc(count + 1, sizeof(bool)));
}

void end_gathering(Gathering& gathering) {
    for (uint32_t index = 0; index < gathering.spawned; ++index)
        OBJ_RELEASE(&gathering.tasks[index]->object);
    efree(gathering.tasks);
    efree(gathering.waiters);
    efree(gathering.seen);
}

/// False with an exception when no more tasks are allowed.
bool add_task(Gathering& gathering, zval* function, uint32_t argument_count = 0, zval* arguments = nullptr) {
    TaskObject* task = spawn_task(function, argument_count, arguments, nullptr);
    if (task) gathering.tasks[gathering.spawned++] = task;
    return task;
}

/// Counts ended tasks. True when the outcome is decided.
bool look(Gathering& gathering) {
    for (uint32_t index = 0; index < gathering.spawned; ++index) {
        TaskObject* task = gathering.tasks[index];
        if (!task->done || gathering.seen[index]) continue;
        gathering.seen[index] = true;
        ++gathering.ended;
        if (gathering.goal == Goal::kSettle) continue;
        const bool failed = task->exception;
        if (gathering.goal == Goal::kRace || failed == (gathering.goal == Goal::kAll)) {
            if (!gathering.outcome) gathering.outcome = task;
        } else if (gathering.goal == Goal::kAny && gathering.ended == gathering.count && !gathering.outcome) {
            gathering.outcome = task;
        }
    }
    return gathering.outcome || gathering.ended == gathering.count;
}

/// Waits until another task has ended; false with an exception when interrupted.
bool wait_for_any(Gathering& gathering) {
    Coroutine* self = require_coroutine();
    if (!self) return false;
    for (uint32_t index = 0; index < gathering.spawned; ++index) {
        if (gathering.seen[index]) continue;
        gathering.waiters[index] = {self, nullptr};
        gathering.tasks[index]->waiters.add(gathering.waiters[index]);
    }
    const Wake wake = scheduler()->suspend(*self, 0);
    for (uint32_t index = 0; index < gathering.spawned; ++index)
        if (!gathering.seen[index]) gathering.tasks[index]->waiters.remove(gathering.waiters[index]);
    return wake != Wake::kInterrupted;
}

void await_rest(Gathering& gathering) {
    Coroutine* const self = enclosing_coroutine();
    if (!self) return;
    const AwaitsChildren awaits(*self);
    while (gathering.ended < gathering.spawned && wait_for_any(gathering))
        look(gathering);
}

/// Cancels the other tasks and waits for them, unless PHP ends or the caller is cancelled once more.
void cancel_rest(Gathering& gathering) {
    zend_object* pending = EG(exception);
    if (pending && ends_overdue())
        for (uint32_t index = 0; index < gathering.spawned; ++index)
            cancel_task(gathering.tasks[index]);
    if (pending && is_exit(pending)) return;
    if (pending) {
        GC_ADDREF(pending);
        zend_clear_exception();
    }
    for (uint32_t index = 0; index < gathering.spawned; ++index)
        cancel_task(gathering.tasks[index]);
    look(gathering);
    await_rest(gathering);
    if (!pending) return;
    if (EG(exception)) {
        OBJ_RELEASE(pending);
    } else {
        zend_throw_exception_internal(pending);
    }
}

/// Ends running tasks. True when each task's result goes into the returned array; otherwise the outcome was
/// returned or thrown.
bool conclude(Gathering& gathering, zval* return_value) {
    if (gathering.ended < gathering.spawned) cancel_rest(gathering);
    if (EG(exception)) return false;
    if (gathering.outcome) {
        give_outcome(gathering.outcome, return_value);
        return false;
    }
    array_init_size(return_value, gathering.count);
    return true;
}

zval result_of(const Gathering& gathering, uint32_t index) {
    if (gathering.goal == Goal::kSettle) return outcome_of(gathering.tasks[index]);
    zval result;
    ZVAL_NULL(&result);
    give_outcome(gathering.tasks[index], &result);
    return result;
}

}  // namespace

void gather(Goal goal, uint32_t count, zval* functions, HashTable* named, zval* return_value) {
    const uint32_t named_count = named ? zend_hash_num_elements(named) : 0;
    const bool needs_one = goal == Goal::kAny || goal == Goal::kRace;
    if (needs_one && count + named_count == 0) {
        zend_argument_value_error(1, "must be given: without a function there is no outcome");
        return;
    }
    if (!require_coroutine()) return;
    Gathering gathering;
    begin_gathering(gathering, goal, count + named_count);
    bool goes_on = true;
    for (uint32_t index = 0; index < count && goes_on; ++index)
        goes_on = add_task(gathering, &functions[index]);
    if (named) {
        zval* function;
        ZEND_HASH_FOREACH_VAL(named, function) {
            if (goes_on) goes_on = add_task(gathering, function);
        }
        ZEND_HASH_FOREACH_END();
    }
    while (goes_on && !look(gathering) && wait_for_any(gathering)) {
    }
    if (conclude(gathering, return_value)) {
        uint32_t done = 0;
        for (; done < count; ++done) {
            zval result = result_of(gathering, done);
            add_next_index_zval(return_value, &result);
        }
        zend_string* name;
        if (named) {
            ZEND_HASH_FOREACH_STR_KEY(named, name) {
                zval result = result_of(gathering, done++);
                zend_hash_update(Z_ARRVAL_P(return_value), name, &result);
            }
            ZEND_HASH_FOREACH_END();
        }
    }
    end_gathering(gathering);
}

void gather_items(HashTable* items, zval* function, uint32_t limit, zval* return_value) {
    Gathering gathering;
    begin_gathering(gathering, Goal::kAll, zend_hash_num_elements(items));
    bool goes_on = true;
    zval* item;
    ZEND_HASH_FOREACH_VAL(items, item) {
        goes_on = add_task(gathering, function, 1, item);
        while (gathering.spawned - gathering.ended >= limit && !gathering.outcome && goes_on) {
            goes_on = wait_for_any(gathering);
            look(gathering);
        }
        if (!goes_on || gathering.outcome) break;
    }
    ZEND_HASH_FOREACH_END();
    while (goes_on && !look(gathering))
        goes_on = wait_for_any(gathering);
    if (conclude(gathering, return_value)) {
        uint32_t done = 0;
        zend_ulong number;
        zend_string* key;
        ZEND_HASH_FOREACH_KEY(items, number, key) {
            zval result = result_of(gathering, done++);
            if (key) {
                zend_hash_update(Z_ARRVAL_P(return_value), key, &result);
            } else {
                zend_hash_index_update(Z_ARRVAL_P(return_value), number, &result);
            }
        }
        ZEND_HASH_FOREACH_END();
    }
    end_gathering(gathering);
}

void gather_in_time(zval* function, double seconds, zval* return_value) {
    Gathering gathering;
    begin_gathering(gathering, Goal::kRace, 1);
    if (!add_task(gathering, function)) {
        end_gathering(gathering);
        return;
    }
    TaskObject* task = gathering.tasks[0];
    task->is_part_of_caller = true;
    const bool in_time = wait_for(task, deadline_in(seconds));
    if (!task->done) cancel_rest(gathering);
    if (!EG(exception)) {
        if (in_time || !task->exception) {
            give_outcome(task, return_value);
        } else {
            zend_throw_exception_ex(timeout_exception_class, 0, "The function has not ended within %g s",
                                    seconds);
        }
    }
    end_gathering(gathering);
}

}  // namespace sluice::php
