// The functions of Sluice\Coroutine.

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/current_scope.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/preemption.h"
#include "php/coroutine/require_coroutine.h"
#include "php/tasks/gathering.h"
#include "php/tasks/script_loop.h"
#include "php/tasks/task_class.h"

namespace sluice::php {

namespace {

constexpr zend_long kMostAtOnce = 10'000;
constexpr double kShortestSlice = 0.002;
constexpr double kLongestSlice = 60;

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

}  // namespace sluice::php

using namespace sluice::php;

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

ZEND_FUNCTION(Sluice_Coroutine_start) {
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
    if (!begin_script_loop()) RETURN_THROWS();
    TaskObject* task = start_task(&info.function_name, count, arguments, named);
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

ZEND_FUNCTION(Sluice_Coroutine_settle) {
    gather_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, Goal::kSettle);
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

    gather_in_time(&info.function_name, seconds, return_value);
}

ZEND_FUNCTION(Sluice_Coroutine_preempt) {
    double seconds = 0;
    bool is_off = true;
    zval* folders = nullptr;
    uint32_t count = 0;
    ZEND_PARSE_PARAMETERS_START(1, -1)
    Z_PARAM_DOUBLE_OR_NULL(seconds, is_off)
    Z_PARAM_VARIADIC('*', folders, count)
    ZEND_PARSE_PARAMETERS_END();
    if (!is_off && !(seconds >= kShortestSlice && seconds <= kLongestSlice)) {
        zend_argument_value_error(1, "must be between %g and %g seconds, or null, %.*H given", kShortestSlice,
                                  kLongestSlice, -1, seconds);
        RETURN_THROWS();
    }
    std::vector<std::string> whole;
    for (uint32_t index = 0; index < count; ++index) {
        if (Z_TYPE(folders[index]) != IS_STRING) {
            zend_argument_type_error(index + 2, "must be of type string, %s given",
                                     zend_zval_type_name(&folders[index]));
            RETURN_THROWS();
        }
        whole.emplace_back(Z_STRVAL(folders[index]), Z_STRLEN(folders[index]));
    }
    if (!preempt_after(is_off ? 0 : static_cast<uint32_t>(seconds * 1000), std::move(whole)))
        zend_throw_error(nullptr, "Cannot start the thread that looks after computing coroutines: %s",
                         strerror(errno));
}
