#include "php/worker/worker_loop.h"

#include <algorithm>
#include <optional>

#include "core/clock.h"
#include "php/coroutine/engine_state.h"
#include "php/coroutine/fatal_errors.h"
#include "php/coroutine/isolation.h"
#include "php/coroutine/scheduling.h"
#include "php/hooks/hooks.h"
#include "php/profile/profiler.h"
#include "php/worker/dispatch.h"
#include "php/worker/garbage.h"
#include "php/worker/handler_calls.h"
#include "php/worker/leak_watch.h"
#include "php/worker/lifetime.h"
#include "php/worker/memory_shortage.h"
#include "php/worker/misplaced_output.h"
#include "php/worker/overdue_handlers.h"
#include "php/worker/sending.h"
#include "php/worker/service_class.h"
#include "php/worker/service_run.h"
#include "php/worker/timer_class.h"
#include "php/worker/worker_class.h"
#include "php/zend/exceptions.h"
#include "server/config/config.h"

namespace sluice::php {

namespace {

/// How many messages one turn takes before timers, the sweep of lent strings and the flush; a tick of the
/// clock ends a turn as well.
constexpr unsigned kMessagesPerTurn = 64;
/// So many coroutines that wait for room for what they send hold memory enough: nothing more is begun.
constexpr size_t kMostWaitingToSend = 64;
/// PHP lets go of strings only while it runs: when it has not for this long, all that are lent are looked at
/// once.
constexpr int kIdleMs = 20;
constexpr uint64_t kLongestWaitMs = 3'600'000;
/// While the worker ends, how often to check whether it may.
constexpr int kStoppingWaitMs = 50;
/// A suspended Fiber of a handler has nearly always been resumed by then.
constexpr uint64_t kTellHeldMs = 5000;

/// One call of onWorkerStart() or onWorkerStop().
struct Call {
    Worker& worker;
    const Callback& callback;
    const char* where;
    bool ended = false;
    bool failed = false;
};

void make_call(const void* argument) {
    Call& self = *static_cast<Call*>(const_cast<void*>(argument));
    zval worker_value;
    ZVAL_OBJ_COPY(&worker_value, worker_object(self.worker));
    ++self.worker.handlers;
    call(self.callback, 1, &worker_value);
    end_output_of_handler();
    --self.worker.handlers;
    // Error handlers and the like that are set in onWorkerStart() hold for the message handlers.
    if (current_coroutine()) keep_engine_state();
    zval_ptr_dtor(&worker_value);
    self.failed = EG(exception);
    if (EG(exception)) log_exception(self.where);
    self.ended = true;
}

/// False when the script called exit() or, with `must_succeed`, threw.
bool call_each(Worker& worker, const std::vector<Callback>& callbacks, const char* where, bool must_succeed) {
    for (const Callback& callback : callbacks) {
        Call one{worker, callback, where};
        run_handler(make_call, &one);
        while (!EG(exception) && !one.ended) {
            worker.port->wait_without_messages(scheduler()->wait_ms());
            scheduler()->run_ready();
        }
        if (EG(exception) || (one.failed && must_succeed)) return false;
    }
    return true;
}

size_t live_coroutines() {
    return scheduler() ? scheduler()->live() : 0;
}

/// Whether a notice may be taken now. A request may still stand before its cancellation: then that must wait.
bool is_awaited(const Inbound& notice) {
    const auto* cancellation = notice.as<inbound::Cancellation>();
    return !cancellation || current_worker()->handlings.has(notice.connection, cancellation->request);
}

/// The messages of one turn.
class Turn final : public MessageSource {
  public:
    explicit Turn(Worker& worker)
        : worker_(worker),
          begun_ms_(monotonic_tick_ms()),
          most_messages_(scheduler() ? scheduler()->most_live() : worker.port->limits().coroutines) {}

    bool take(Inbound& message) override {
        if (is_over()) return false;
        was_full_ = is_full(worker_.pipelines.size());
        if (!(was_full_ ? worker_.port->take_notice(message, is_awaited) : worker_.port->take(message)))
            return false;
        ++taken_;
        return true;
    }

    bool may_handle() override {
        // Those that wait in pipelines have been taken, and each has a coroutine only now.
        if (is_full(0) || is_over()) return false;
        ++taken_;
        return true;
    }

    bool took_any() const { return taken_ > 0; }
    uint64_t begun_ms() const { return begun_ms_; }
    /// Whether the next turn has something to do at once.
    bool has_more() const {
        return !took_all_ || (was_full_ && !is_full(worker_.pipelines.size())) ||
               (worker_.pipelines.has_ready() && !is_full(0));
    }

  private:
    /// Whether this turn has taken enough.
    bool is_over() {
        if (taken_ < kMessagesPerTurn && (taken_ == 0 || monotonic_tick_ms() == begun_ms_)) return false;
        took_all_ = false;
        return true;
    }
    /// Whether the worker takes no more messages; further ones wait in the ring, except notices.
    bool is_full(size_t in_pipelines) const {
        if (worker_.leak_watch && worker_.leak_watch->is_busy()) return true;
        // The asking coroutine has ended its handler.
        const size_t others = live_coroutines() - (current_coroutine() ? 1 : 0);
        return others + worker_.waiting.size() + in_pipelines >= most_messages_ ||
               worker_.ways_out.waiting() >= kMostWaitingToSend;
    }

    Worker& worker_;
    const uint64_t begun_ms_;
    const size_t most_messages_;
    unsigned taken_ = 0;
    bool took_all_ = true;
    bool was_full_ = false;  ///< at the last look: further messages were left where they are
};

/// Waits for a message or a timer. Once nothing has run for a while, gives back all that PHP has let go of.
void wait(Worker& worker, const Lifetime& lifetime, const OverdueHandlers& overdue, bool& swept) {
    int timeout_ms = lifetime.wait_ms();
    auto at_most = [&timeout_ms](int most_ms) {
        timeout_ms = timeout_ms < 0 ? most_ms : std::min(timeout_ms, most_ms);
    };
    if (overdue.wait_ms() >= 0) at_most(overdue.wait_ms());
    if (worker.leak_watch && worker.leak_watch->wait_ms() >= 0) at_most(worker.leak_watch->wait_ms());
    if (worker.active_timers > 0)
        at_most(static_cast<int>(worker.timers.wait_ms(monotonic_ms(), kLongestWaitMs)));
    if (scheduler() && scheduler()->wait_ms() >= 0) at_most(scheduler()->wait_ms());
    if (worker.port->stopping()) at_most(kStoppingWaitMs);
    if (swept || worker.strings.empty() || (timeout_ms >= 0 && timeout_ms < kIdleMs)) {
        worker.port->wait(timeout_ms);
        return;
    }
    const uint64_t begun_ms = monotonic_ms();
    worker.port->wait(kIdleMs);
    if (monotonic_ms() - begun_ms < static_cast<uint64_t>(kIdleMs)) return;
    worker.strings.sweep();
    swept = true;
}

/// How a worker ends.
struct Ending {
    bool cancelled = false;
    bool has_told_own_parts = false;  ///< their timers do not keep the worker
    uint64_t stuck_since_ms = 0;      ///< 0: something may still wake one of the coroutines

    /// Whether all coroutines have waited for one another for a while, as consumers of a channel do. Answers
    /// of reactors, which take less, wake some of them.
    bool is_stuck(const Worker& worker) {
        const bool is_so = scheduler()->is_deadlocked() && worker.active_timers == 0 &&
                           worker.open_responses == 0 && worker.ways_out.waiting() == 0;
        const uint64_t now_ms = monotonic_ms();
        if (!is_so) stuck_since_ms = 0;
        if (is_so && stuck_since_ms == 0) stuck_since_ms = now_ms;
        return is_so && now_ms - stuck_since_ms >= kStuckMs;
    }

    static constexpr uint64_t kStuckMs = 100;
};

/// Asked while the worker is to end. Spawned coroutines may end by themselves until the master's deadline;
/// then they are cancelled, once no handler runs.
bool may_end(Worker& worker, ServiceRun* service, Ending& ending) {
    if (service && !service->is_over() && !scheduler()) return false;
    if (live_coroutines() == 0) return worker.open_responses == 0 || worker.active_timers == 0;
    if (worker.handlers == 0 && !ending.cancelled &&
        (monotonic_ms() >= worker.port->patient_until_ms() || ending.is_stuck(worker))) {
        ending.cancelled = true;
        if (service) service->cancel();
        scheduler()->for_each_task(
            [](Coroutine& coroutine) { scheduler()->interrupt(coroutine, "The worker ends"); });
    }
    return false;
}

/// Of a service, nothing that it has begun is left: no coroutine, and no timer.
bool is_through(const Worker& worker, const ServiceRun& service) {
    return service.is_over() && live_coroutines() == 0 && worker.active_timers == 0;
}

/// For Server::stats(), when they are others than `published`.
void publish_counts(Worker& worker, CoroutineCounts& published) {
    if (!scheduler()) return;
    const CoroutineCounts counts = {static_cast<uint32_t>(scheduler()->live()),
                                    static_cast<uint32_t>(scheduler()->pooled()),
                                    static_cast<uint32_t>(scheduler()->peak()),
                                    worker.handlers,
                                    worker.turns.waiting(),
                                    worker.handled,
                                    zend_memory_usage(true)};
    if (counts == published) return;
    published = counts;
    worker.port->set_coroutines(counts);
}

/// False when the script called exit(). `service`: whose process this is, which gets no messages; nullptr: a
/// worker's.
bool serve(Worker& worker, const ServerSetup& setup, ServiceRun* service) {
    bool swept = true;
    Ending ending;
    CoroutineCounts published;
    uint64_t hooked_ms = 0;
    MemoryShortage shortage;
    const bool is_worker = !service && !worker.identity.is_request_process;
    OverdueHandlers overdue(is_worker ? worker.port->limits().kill_ms : 0);
    Lifetime lifetime(is_worker ? setup.lifetime : LifetimeLimits{});
    LeakWatch leak_watch(worker, setup.leak_detector);
    if (setup.leak_detector && is_worker) {
        worker.leak_watch = &leak_watch;
        if (!leak_watch.look()) return false;
    }
    for (;;) {
        // Asked first, so that messages from before the stop are taken below.
        const bool stopping = worker.port->stopping();
        Turn turn(worker);
        if (!dispatch(worker, setup, turn) || worker.forked) return false;
        if (worker.port->leaving()) worker.until_end.serve_all();
        if (scheduler()) {
            scheduler()->run_ready();
            if (EG(exception)) return false;
            // Once a tick of the clock: it asks the C library.
            if (turn.begun_ms() != hooked_ms) {
                hook_new_libraries();
                hooked_ms = turn.begun_ms();
            }
        }
        const bool has_timers = worker.active_timers > 0;
        if (has_timers && !fire_due_timers(worker, monotonic_ms())) return false;
        if (turn.took_any() || has_timers) {
            worker.strings.sweep_some();
            swept = false;
        }
        if (UNEXPECTED(worker.leak_watch) && !leak_watch.look()) return false;
        publish_counts(worker, published);
        shortage.look(worker);
        lifetime.look(worker);
        overdue.look(worker);
        if (turn.has_more()) {
            worker.port->wait(0);
            continue;
        }
        if (stopping && is_worker && !ending.has_told_own_parts) {
            ending.has_told_own_parts = true;
            if (!call_each(worker, setup.own_ends, "the end of a worker", false)) return false;
        }
        if (stopping && may_end(worker, service, ending)) return true;
        if (service && (service->has_failed() || (!stopping && is_through(worker, *service)))) return true;
        // What was handled may have been the last: whether to end is asked at once.
        if (!stopping && worker.port->stopping()) continue;
        wait(worker, lifetime, overdue, swept);
    }
}

bool is_pool(const Worker& worker) {
    const int service = worker.identity.service;
    return service >= 0 && worker.config->services[static_cast<size_t>(service)].is_pool;
}

/// Its exit status.
int serve_as_service(Worker& worker, const ServerSetup& setup) {
    // After exit() in another coroutine it is PHP that ends this one, when all of this has returned.
    static std::optional<ServiceRun> run;
    ServiceRun& service = run.emplace(worker, setup.services[static_cast<size_t>(worker.identity.service)]);
    close_isolation();
    if (!is_pool(worker)) worker.port->ready();  // PoolProcess::ready() says so
    service.start();
    if (!EG(exception)) serve(worker, setup, &service);
    return service.has_failed() ? 255 : 0;
}

/// Sends the commands that the port has kept; gives up on a reactor that takes nothing any more.
void send_the_rest(Worker& worker) {
    const uint64_t due_ms = monotonic_ms() + kSubmitWaitMs;
    while (worker.port->has_kept() && monotonic_ms() < due_ms)
        worker.port->wait_without_messages(1);
    worker.port->flush();
}

}  // namespace

void run_worker(Worker& worker, const ServerSetup& setup) {
    // A terminal that has gone must not end the worker at its next echo.
    PG(ignore_user_abort) = true;
    watch_output();
    pace_garbage();

    // A request has its process for itself.
    if (INI_BOOL("sluice.coroutines") && !worker.identity.is_request_process) {
        const Limits& limits = worker.port->limits();
        // Tasks compute, and it is their callers who say how long.
        const bool is_watched = !is_pool(worker);
        begin_scheduling(*worker.port, {{limits.coroutines, limits.pooled_stacks, "Limits::$coroutines"},
                                        {.tell_ms = is_watched ? limits.stall_ms : 0,
                                         .end_ms = is_watched ? limits.kill_ms : 0},
                                        [] { current_worker()->port->count_stall(); }});
        scheduler()->tell_of_held_after(kTellHeldMs);
        charge_for_what_runs();
    }

    ProfileDesk* const desk = worker.port->profile_desk();
    if (desk && !worker.config->admin.address.empty()) begin_profiling(*desk, current_occasion);
    worker.observers = &setup.observers;
    tell_of_logged_exceptions();
    int status = 0;
    if (worker.identity.service >= 0) {
        status = serve_as_service(worker, setup);
    } else if (!call_each(worker, setup.on_worker_start, "onWorkerStart", true)) {
        if (!EG(exception)) status = 255;
    } else if (!worker.identity.is_request_process &&
               !call_each(worker, setup.own_starts, "the start of a worker", true)) {
        if (!EG(exception)) status = 255;
    } else {
        close_isolation();
        if (!worker.identity.is_request_process) survive_fatal_errors();
        worker.port->ready();
        if (serve(worker, setup, nullptr)) call_each(worker, setup.on_worker_stop, "onWorkerStop", false);
    }
    send_the_rest(worker);
    die_of_fatal_errors();
    if (has_survived_fatal_error()) end_as_after_fatal_error();
    worker.observers = nullptr;
    if (EG(exception)) {
        worker.exited = true;
        return;
    }
    if (!worker.forked) EG(exit_status) = status;
    zend_throw_unwind_exit();
}

}  // namespace sluice::php
