#include "php/tasks/script_loop.h"

#include <algorithm>
#include <cmath>

#include "io/poller_loop.h"
#include "php/coroutine/coroutine_places.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/held_fiber.h"
#include "php/coroutine/scheduling.h"
#include "php/coroutine/signals.h"
#include "php/tasks/task_class.h"

namespace sluice::php {

zend_class_entry* stats_class = nullptr;

namespace {

/// The default limit of coroutines in run().
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

void cancel_all_tasks(const char* reason) {
    scheduler()->for_each_task([reason](Coroutine& coroutine) { scheduler()->interrupt(coroutine, reason); });
}

/// Runs everything until nothing is left, or a coroutine has called exit(). Without `main`, a deadlock ends
/// it.
void run_all(const TaskObject* main, bool& deadlocked, smart_str& places) {
    bool cancelled = false;
    for (;;) {
        scheduler()->run_ready();
        if (EG(exception) || scheduler()->live() == 0) return;
        if (scheduler()->is_deadlocked() && !awaits_signals()) {
            if (deadlocked) return;
            deadlocked = true;
            append_places(places, *scheduler());
            if (!main) return;
            cancel_all_tasks("All coroutines waited for one another");
            continue;
        } else if (main && main->done && main->exception && !cancelled) {
            cancelled = true;
            cancel_all_tasks("The function given to Sluice\\Coroutine\\run() has thrown an exception");
        }
        own_loop->wait(scheduler()->wait_ms());
    }
}

void throw_deadlock(smart_str& places) {
    smart_str_0(&places);
    zend_throw_exception_ex(
        deadlock_exception_class, 0,
        "All coroutines wait for one another, so none of them would ever go on. They wait in%s",
        places.s ? ZSTR_VAL(places.s) : "");
}

void begin_loop(zend_long most_live, zend_long most_pooled, double stall_seconds, const char* option) {
    own_loop = new sluice::PollerLoop;
    // A tiny value must not round to 0, which would turn the watch off.
    const double stall_ms = std::ceil(stall_seconds * 1000);
    begin_scheduling(*own_loop, {{static_cast<size_t>(most_live), static_cast<size_t>(most_pooled), option},
                                 {.tell_ms = static_cast<uint32_t>(std::min(stall_ms, 1e9))},
                                 nullptr});
}

/// So that the script's end waits for its coroutines.
bool wait_at_end() {
    zval function, wait, result;
    ZVAL_STRING(&function, "register_shutdown_function");
    ZVAL_STRING(&wait, "Sluice\\Coroutine\\wait");
    ZVAL_UNDEF(&result);
    call_user_function(nullptr, nullptr, &function, &result, 1, &wait);
    zval_ptr_dtor(&function);
    zval_ptr_dtor(&wait);
    zval_ptr_dtor(&result);
    return !EG(exception);
}

}  // namespace

bool begin_script_loop() {
    if (scheduler()) return true;
    begin_loop(kMostInScript, kPooledInScript, 0, "a script without Sluice\\Coroutine\\run()");
    return wait_at_end();
}

void leave_script_loop() {
    if (!own_loop) return;
    abandon_scheduling();
    // It stays: its descriptor is the parent's as well, and so is what it watches.
    own_loop = nullptr;
}

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
            "Sluice\\Coroutine\\run() runs already: use Sluice\\Coroutine\\spawn() to start a further "
            "coroutine");
        RETURN_THROWS();
    }
    begin_loop(most_live, most_pooled, stall_seconds, "$coroutines of Sluice\\Coroutine\\run()");
    TaskObject* main = spawn_task(&info.function_name, 0, nullptr, nullptr);
    main->is_part_of_caller = true;
    bool deadlocked = false;
    // PHP's memory: if PHP jumps past this (bailout), it is freed with the script.
    smart_str places = {};
    run_all(main, deadlocked, places);
    // After exit() PHP ends the script, and waiting coroutines with it.
    if (!EG(exception)) {
        end_coroutines();
        if (deadlocked) {
            throw_deadlock(places);
        } else {
            give_outcome(main, return_value);
        }
    }
    smart_str_free(&places);
    OBJ_RELEASE(&main->object);
}

ZEND_FUNCTION(Sluice_Coroutine_wait) {
    ZEND_PARSE_PARAMETERS_NONE();
    if (enclosing_coroutine()) {
        zend_throw_error(
            nullptr,
            "Sluice\\Coroutine\\wait() is for a script outside of its coroutines: in a coroutine wait "
            "for a Task");
        RETURN_THROWS();
    }
    // A server's loop goes on without it.
    if (!own_loop || !scheduler()) return;
    bool deadlocked = false;
    smart_str places = {};
    run_all(nullptr, deadlocked, places);
    if (!EG(exception)) {
        end_coroutines();
        if (deadlocked) throw_deadlock(places);
    }
    smart_str_free(&places);
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
