#include "php/worker_loop.h"

#include <unistd.h>

#include "base/clock.h"
#include "php/dispatch.h"
#include "php/handler_errors.h"
#include "php/timer_class.h"
#include "php/worker_class.h"

namespace sluice::php {

namespace {

/// What one turn may take before timers, the sweep of lent strings and the sending of what was submitted get
/// theirs.
constexpr unsigned kMessagesPerTurn = 64;
constexpr uint64_t kTurnMs = 1;
/// PHP lets go of strings only while it runs: when it has not for this long, all that are lent are looked at
/// once.
constexpr int kIdleMs = 20;
constexpr uint64_t kLongestWaitMs = 3'600'000;
constexpr useconds_t kStoppingPauseUs = 1000;

enum class Turn { kNothing, kTookAll, kTookSome, kExited };

/// False when the script called exit() or, with `must_succeed`, threw.
bool call_each(Worker& worker, const std::vector<Callback>& callbacks, const char* where, bool must_succeed) {
    for (const Callback& callback : callbacks) {
        zval argument;
        ZVAL_OBJ_COPY(&argument, worker_object(worker));
        worker.in_handler = true;
        call(callback, 1, &argument);
        worker.in_handler = false;
        zval_ptr_dtor(&argument);
        if (!EG(exception)) continue;
        if (!log_exception(where) || must_succeed) return false;
    }
    return true;
}

Turn take_messages(Worker& worker, const ServerSetup& setup) {
    const uint64_t begun_ms = monotonic_ms();
    for (unsigned count = 0; count < kMessagesPerTurn; ++count) {
        Inbound message;
        if (!worker.port->take(message)) return count ? Turn::kTookAll : Turn::kNothing;
        if (!dispatch(worker, setup, message)) return Turn::kExited;
        if (monotonic_ms() - begun_ms >= kTurnMs) break;
    }
    return Turn::kTookSome;
}

/// Waits for a message or a timer. Once nothing has run for a while, gives back all that PHP has let go of.
void wait(Worker& worker, bool& swept) {
    int timeout_ms = -1;
    if (worker.active_timers > 0)
        timeout_ms = static_cast<int>(worker.timers.wait_ms(monotonic_ms(), kLongestWaitMs));
    if (swept || worker.slots.empty() || (timeout_ms >= 0 && timeout_ms < kIdleMs)) {
        worker.port->wait(timeout_ms);
        return;
    }
    const uint64_t begun_ms = monotonic_ms();
    worker.port->wait(kIdleMs);
    if (monotonic_ms() - begun_ms < static_cast<uint64_t>(kIdleMs)) return;
    worker.slots.sweep();
    swept = true;
}

/// False when the script called exit().
bool serve(Worker& worker, const ServerSetup& setup) {
    bool swept = true;
    for (;;) {
        // Asked first: what has come by then is taken below.
        const bool stopping = worker.port->stopping();
        const Turn turn = take_messages(worker, setup);
        if (turn == Turn::kExited) return false;
        const bool has_timers = worker.active_timers > 0;
        if (has_timers && !fire_due_timers(worker, monotonic_ms())) return false;
        if (turn != Turn::kNothing || has_timers) {
            worker.slots.sweep_some();
            swept = false;
        }
        if (turn == Turn::kTookSome) {
            worker.port->wait(0);
            continue;
        }
        // A response that was begun may wait for a timer to be finished by.
        if (stopping) {
            if (worker.open_responses == 0 || worker.active_timers == 0) return true;
            // The port does not wait any more.
            worker.port->wait(0);
            usleep(kStoppingPauseUs);
            continue;
        }
        wait(worker, swept);
    }
}

}  // namespace

void run_worker(Worker& worker, const ServerSetup& setup) {
    // A terminal that has gone must not end the worker at its next echo.
    PG(ignore_user_abort) = true;

    int status = 0;
    if (!call_each(worker, setup.on_worker_start, "onWorkerStart", true)) {
        if (!EG(exception)) status = 255;
    } else {
        worker.port->ready();
        if (serve(worker, setup)) call_each(worker, setup.on_worker_stop, "onWorkerStop", false);
    }
    worker.port->flush();
    if (EG(exception)) {
        worker.exited = true;
        return;
    }
    EG(exit_status) = status;
    zend_throw_unwind_exit();
}

}  // namespace sluice::php
