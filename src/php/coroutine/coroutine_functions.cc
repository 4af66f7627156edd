// The functions of Sluice\Coroutine.

#include "php/coroutine/coroutine_functions.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "io/poller_loop.h"
#include "php/coroutine/coroutine_places.h"
#include "php/coroutine/coroutine_scope.h"
#include "php/coroutine/deadlines.h"
#include "php/worker/handlers.h"
#include "php/hooks/hooks.h"
#include "php/worker/stalls.h"
#include "php/coroutine/task_class.h"

namespace sluice::php {

zend_class_entry* timeout_exception_class = nullptr;
zend_class_entry* deadlock_exception_class = nullptr;
zend_class_entry* stats_class = nullptr;

namespace {

constexpr zend_long kMostAtOnce = 10'000;
/// Under run(), unless it is told otherwise.
constexpr zend_long kMostInScript = 100'000;
constexpr zend_long kPooledInScript = 256;
constexpr zend_long kMostLimit = 1'000'000;

PollerLoop* own_loop = nullptr;

bool check_limit(zend_long value, zend_long least, uint32_t number) {
    if (value >= least && value <= kMostLimit) return true;
    zend_argument_value_error(
        number, "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given", least,
        kMostLimit, value);
    return false;
}

enum class Goal { kAll, kAny, kRace };

/// Tasks that somebody waits for together. Plain memory: PHP may jump past all this.
struct Gathering {
    Goal goal;
    uint32_t count;      ///< how many there are to be
    uint32_t spawned;    ///< of them
    uint32_t ended;      ///< seen to have ended
    TaskObject** tasks;  ///< a reference each
    Waiter* waiters;
    bool* seen;
    TaskObject* outcome;  ///< decides: the first failure, or the winner
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

/// False with an exception when there cannot be one more.
bool add_task(Gathering& gathering, zval* function, uint32_t argument_count = 0, zval* arguments = nullptr) {
    TaskObject* task = spawn_task(function, argument_count, arguments, nullptr);
    if (task) gathering.tasks[gathering.spawned++] = task;
    return task;
}

/// Looks who has ended meanwhile. True when the outcome is decided.
bool look(Gathering& gathering) {
    for (uint32_t index = 0; index < gathering.spawned; ++index) {
        TaskObject* task = gathering.tasks[index];
        if (!task->done || gathering.seen[index]) continue;
        gathering.seen[index] = true;
        ++gathering.ended;
        const bool failed = task->exception;
        if (gathering.goal == Goal::kRace || failed == (gathering.goal == Goal::kAll)) {
            if (!gathering.outcome) gathering.outcome = task;
        } else if (gathering.goal == Goal::kAny && gathering.ended == gathering.count && !gathering.outcome) {
            gathering.outcome = task;
        }
    }
    return gathering.outcome || gathering.ended == gathering.count;
}

/// Waits until one more has ended; false with an exception when interrupted.
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

/// Nothing that was begun here goes on when this returns, unless PHP itself ends, or the caller is cancelled
/// once more.
void cancel_rest(Gathering& gathering) {
    zend_object* pending = EG(exception);
    if (pending && (zend_is_unwind_exit(pending) || zend_is_graceful_exit(pending))) return;
    if (pending) {
        GC_ADDREF(pending);
        zend_clear_exception();
    }
    for (uint32_t index = 0; index < gathering.spawned; ++index)
        cancel_task(gathering.tasks[index]);
    look(gathering);
    while (gathering.ended < gathering.spawned && wait_for_any(gathering))
        look(gathering);
    if (!pending) return;
    if (EG(exception)) {
        OBJ_RELEASE(pending);
    } else {
        zend_throw_exception_internal(pending);
    }
}

/// Calls all the functions at once.
void gather(Goal goal, uint32_t count, zval* functions, HashTable* named, zval* return_value) {
    const uint32_t named_count = named ? zend_hash_num_elements(named) : 0;
    if (goal != Goal::kAll && count + named_count == 0) {
        zend_argument_value_error(1, "must be given: there is no outcome of nothing");
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
    if (gathering.ended < gathering.spawned) cancel_rest(gathering);
    if (!EG(exception)) {
        if (gathering.outcome) {
            give_outcome(gathering.outcome, return_value);
        } else {
            array_init_size(return_value, gathering.count);
            for (uint32_t index = 0; index < count; ++index) {
                zval result;
                ZVAL_NULL(&result);
                give_outcome(gathering.tasks[index], &result);
                add_next_index_zval(return_value, &result);
            }
            uint32_t index = count;
            zend_string* name;
            if (named) {
                ZEND_HASH_FOREACH_STR_KEY(named, name) {
                    zval result;
                    ZVAL_NULL(&result);
                    give_outcome(gathering.tasks[index++], &result);
                    zend_hash_update(Z_ARRVAL_P(return_value), name, &result);
                }
                ZEND_HASH_FOREACH_END();
            }
        }
    }
    end_gathering(gathering);
}

/// Calls the function with each of the items.
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
    if (gathering.ended < gathering.spawned) cancel_rest(gathering);
    if (!EG(exception)) {
        if (gathering.outcome) {
            give_outcome(gathering.outcome, return_value);
        } else {
            array_init_size(return_value, gathering.count);
            uint32_t index = 0;
            zend_ulong number;
            zend_string* key;
            ZEND_HASH_FOREACH_KEY(items, number, key) {
                zval result;
                ZVAL_NULL(&result);
                give_outcome(gathering.tasks[index++], &result);
                if (key) {
                    zend_hash_update(Z_ARRVAL_P(return_value), key, &result);
                } else {
                    zend_hash_index_update(Z_ARRVAL_P(return_value), number, &result);
                }
            }
            ZEND_HASH_FOREACH_END();
        }
    }
    end_gathering(gathering);
}

void cancel_all_tasks(const char* reason) {
    scheduler()->for_each_task([reason](Coroutine& coroutine) { scheduler()->interrupt(coroutine, reason); });
}

/// Runs everything until nothing is left, or a coroutine has called exit().
void run_all(TaskObject* main, bool& deadlocked, smart_str& places) {
    bool cancelled = false;
    for (;;) {
        scheduler()->run_ready();
        if (EG(exception) || scheduler()->live() == 0) return;
        if (scheduler()->is_deadlocked()) {
            if (deadlocked) return;
            deadlocked = true;
            append_places(places, *scheduler());
            cancel_all_tasks("All coroutines waited for one another");
            continue;
        } else if (main->done && main->exception && !cancelled) {
            cancelled = true;
            cancel_all_tasks("The function given to Sluice\\Coroutine\\run() has thrown an exception");
        }
        own_loop->wait(scheduler()->wait_ms());
    }
}

void gather_arguments(INTERNAL_FUNCTION_PARAMETERS, Goal goal) {
    zval* functions;
    uint32_t count;
    HashTable* named;
    ZEND_PARSE_PARAMETERS_START(0, -1)
    Z_PARAM_VARIADIC_WITH_NAMED(functions, count, named)
    ZEND_PARSE_PARAMETERS_END();
    for (uint32_t index = 0; index < count; ++index) {
        if (zend_is_callable(&functions[index], 0, nullptr)) continue;
        zend_argument_type_error(index + 1, "must be a valid callback, %s given",
                                 zend_zval_type_name(&functions[index]));
        RETURN_THROWS();
    }
    if (named) {
        zval* function;
        zend_string* name;
        ZEND_HASH_FOREACH_STR_KEY_VAL(named, name, function) {
            if (zend_is_callable(function, 0, nullptr)) continue;
            zend_argument_type_error(1, "$%s must be a valid callback, %s given", ZSTR_VAL(name),
                                     zend_zval_type_name(function));
            RETURN_THROWS();
        }
        ZEND_HASH_FOREACH_END();
    }
    gather(goal, count, functions, named, return_value);
}

}  // namespace

void end_coroutines() {
    if (scheduler()) end_scheduling();
    delete own_loop;
    own_loop = nullptr;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_FUNCTION(Sluice_Coroutine_run) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zend_long most_live = kMostInScript;
    zend_long most_pooled = kPooledInScript;
    double stall_seconds = 1.0;
    ZEND_PARSE_PARAMETERS_START(1, 4)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(most_live)
    Z_PARAM_LONG(most_pooled)
    Z_PARAM_DOUBLE(stall_seconds)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    if (!check_limit(most_live, 1, 2) || !check_limit(most_pooled, 0, 3)) RETURN_THROWS();
    if (!check_seconds(stall_seconds, 0, 4)) RETURN_THROWS();

    if (scheduler()) {
        zend_throw_error(
            nullptr,
            "Sluice\\Coroutine\\run() runs already: use Sluice\\Coroutine\\spawn() to run something "
            "more beside the rest");
        RETURN_THROWS();
    }
    own_loop = new sluice::PollerLoop;
    begin_scheduling(*own_loop, {static_cast<size_t>(most_live), static_cast<size_t>(most_pooled),
                                 "$coroutines of Sluice\\Coroutine\\run()"});
    // What is not nothing does not become it, which would mean: nobody watches.
    const double stall_ms = std::ceil(stall_seconds * 1000);
    watch_stalls(static_cast<uint32_t>(std::min(stall_ms, 1e9)), nullptr);
    install_hooks();
    TaskObject* main = spawn_task(&info.function_name, 0, nullptr, nullptr);
    bool deadlocked = false;
    // PHP's own memory: should PHP jump past this, it goes with the script.
    smart_str places = {};
    run_all(main, deadlocked, places);
    // After exit() PHP ends the script first, and what still waits with it.
    if (!EG(exception)) {
        end_coroutines();
        if (deadlocked) {
            smart_str_0(&places);
            zend_throw_exception_ex(
                deadlock_exception_class, 0,
                "All coroutines wait for one another, so none of them would ever go on. They wait in%s",
                places.s ? ZSTR_VAL(places.s) : "");
        } else {
            give_outcome(main, return_value);
        }
    }
    smart_str_free(&places);
    OBJ_RELEASE(&main->object);
}

ZEND_FUNCTION(Sluice_Coroutine_stats) {
    ZEND_PARSE_PARAMETERS_NONE();
    object_init_ex(return_value, stats_class);
    const Scheduler* with = scheduler();
    int place = 0;
    for (const size_t figure : {with ? with->live() : 0, with ? with->peak() : 0, with ? with->pooled() : 0,
                                with ? with->most_live() : 0})
        init_property(Z_OBJ_P(return_value), place++, static_cast<zend_long>(figure));
}

ZEND_METHOD(Sluice_Coroutine_Stats, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_FUNCTION(Sluice_Coroutine_spawn) {
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
    if (!scheduler()) {
        zend_throw_error(nullptr,
                         "Sluice\\Coroutine\\spawn() needs a loop: call it under Sluice\\Coroutine\\run(), "
                         "or in a worker");
        RETURN_THROWS();
    }
    TaskObject* task = spawn_task(&info.function_name, count, arguments, named);
    if (!task) RETURN_THROWS();
    RETURN_OBJ(&task->object);
}

ZEND_FUNCTION(Sluice_Coroutine_defer) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    if (!may_defer()) {
        zend_throw_error(
            nullptr,
            "Sluice\\Coroutine\\defer() needs a coroutine, at whose end it calls the function: call it "
            "under Sluice\\Coroutine\\run(), or in a worker's handler");
        RETURN_THROWS();
    }
    add_deferred(current_scope(), &info.function_name);
}

ZEND_FUNCTION(Sluice_Coroutine_sleep) {
    double seconds;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(seconds, 0, 1)) RETURN_THROWS();
    if (Coroutine* self = suspendable()) {
        scheduler()->suspend(*self, seconds > 0 ? deadline_in(seconds) : Scheduler::kNextTurn);
        return;
    }
    timespec left = {static_cast<time_t>(seconds), static_cast<long>((seconds - std::floor(seconds)) * 1e9)};
    while (nanosleep(&left, &left) == -1 && errno == EINTR) {
    }
}

ZEND_FUNCTION(Sluice_Coroutine_all) {
    gather_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, Goal::kAll);
}

ZEND_FUNCTION(Sluice_Coroutine_any) {
    gather_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, Goal::kAny);
}

ZEND_FUNCTION(Sluice_Coroutine_race) {
    gather_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, Goal::kRace);
}

ZEND_FUNCTION(Sluice_Coroutine_map) {
    HashTable* items;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zend_long limit = 64;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_ARRAY_HT(items)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(limit)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    if (limit < 1 || limit > kMostAtOnce) {
        zend_argument_value_error(3, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostAtOnce, limit);
        RETURN_THROWS();
    }
    if (!require_coroutine()) RETURN_THROWS();
    gather_items(items, &info.function_name, static_cast<uint32_t>(limit), return_value);
}

ZEND_FUNCTION(Sluice_Coroutine_shield) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    Coroutine* self = enclosing_coroutine();
    if (self) ++self->shields;
    info.retval = return_value;
    zend_call_function(&info, &cache);
    if (self) --self->shields;
}

ZEND_FUNCTION(Sluice_Coroutine_timeout) {
    double seconds;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_DOUBLE(seconds)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    if (!check_seconds(seconds, 0.001, 1) || !require_coroutine()) RETURN_THROWS();

    Gathering gathering;
    begin_gathering(gathering, Goal::kRace, 1);
    if (!add_task(gathering, &info.function_name)) {
        end_gathering(gathering);
        RETURN_THROWS();
    }
    TaskObject* task = gathering.tasks[0];
    const bool in_time = wait_for(task, deadline_in(seconds));
    if (!task->done) cancel_rest(gathering);
    if (!EG(exception)) {
        if (in_time || !task->exception) {
            give_outcome(task, return_value);
        } else {
            zend_throw_exception_ex(timeout_exception_class, 0, "It has not ended within %g s", seconds);
        }
    }
    end_gathering(gathering);
}
