#include "php/worker_loop.h"

#include <algorithm>

#include "base/clock.h"
#include "php/dispatch.h"
#include "php/handler_errors.h"
#include "php/timer_class.h"
#include "php/worker_class.h"

namespace sluice::php {

namespace {

/// Messages taken in one turn before timers and the sweep of lent strings get theirs.
constexpr unsigned kMessagesPerTurn = 64;
/// What is submitted becomes visible at the latest after this long, however many messages wait.
constexpr uint64_t kFlushAfterMs = 1;
/// PHP lets go of strings only while it runs: when it has not for this long, all that are lent are looked at
/// once.
constexpr int kIdleMs = 20;
constexpr uint64_t kLongestWaitMs = 3'600'000;

enum class Turn { kIdle, kBusy, kExited };

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
    uint64_t flushed_ms = monotonic_ms();
    for (unsigned count = 0; count < kMessagesPerTurn; ++count) {
        Inbound message;
        if (!worker.port->take(message)) return count ? Turn::kBusy : Turn::kIdle;
        if (!dispatch(worker, setup, message)) return Turn::kExited;
        if (const uint64_t now_ms = monotonic_ms(); now_ms - flushed_ms >= kFlushAfterMs) {
            worker.port->flush();
            flushed_ms = now_ms;
        }
    }
    return Turn::kBusy;
}

/// Nothing more comes, and nothing that was begun waits for a timer to be finished by.
bool is_done(const Worker& worker) {
    return worker.port->stopping() && (worker.open_responses == 0 || worker.active_timers == 0);
}

/// False when the script called exit().
bool serve(Worker& worker, const ServerSetup& setup) {
    bool swept = true;
    for (;;) {
        const Turn turn = take_messages(worker, setup);
        if (turn == Turn::kExited) return false;
        const unsigned timers_before = worker.active_timers;
        if (timers_before > 0 && !fire_due_timers(worker, monotonic_ms())) return false;
        if (turn == Turn::kBusy || timers_before > 0) {
            worker.slots.sweep_some();
            swept = false;
        }
        if (turn == Turn::kBusy) {
            worker.port->wait(0);
            continue;
        }
        if (is_done(worker)) return true;

        int timeout_ms = -1;
        if (worker.active_timers > 0)
            timeout_ms = static_cast<int>(worker.timers.wait_ms(monotonic_ms(), kLongestWaitMs));
        const bool sweeps = !swept && !worker.slots.empty();
        if (sweeps && (timeout_ms < 0 || timeout_ms >= kIdleMs)) {
            const uint64_t begun_ms = monotonic_ms();
            worker.port->wait(kIdleMs);
            if (monotonic_ms() - begun_ms < static_cast<uint64_t>(kIdleMs)) continue;
            worker.slots.sweep();
            swept = true;
        } else {
            worker.port->wait(timeout_ms);
        }
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
