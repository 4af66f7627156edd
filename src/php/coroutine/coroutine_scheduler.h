#pragma once

#include <span>
#include <vector>

#include "core/timer_wheel.h"
#include "io/mapping_budget.h"
#include "io/stall_watch.h"
#include "php/coroutine/coroutine.h"
#include "php/coroutine/fd_waits.h"

namespace sluice::php {

/// How many coroutines there may be.
struct CoroutineLimits {
    size_t live;         ///< at most, those included that have not begun yet
    size_t pooled;       ///< Fibers that are kept for the next jobs
    const char* option;  ///< which one it is that bounds them, for a sentence
};

/// Runs coroutines one at a time, each up to where it waits. There is one while the process is a worker, or
/// while Sluice\Coroutine\run() runs; everything here belongs to PHP's thread.
class Scheduler {
  public:
    Scheduler(EventLoop& loop, const CoroutineLimits& limits);
    /// Ends those that still wait, as PHP ends Fibers.
    ~Scheduler();

    // -- For the loop, outside coroutines. Where one has called exit(), that is set as an exception
    //    afterwards, and nothing may be run any more.

    /// Runs a job now, up to where it waits. Without memory for another stack it runs outside a coroutine.
    /// When it ends without having waited, `again` is asked, in the coroutine: true begins the job anew, as
    /// another coroutine, but without the two switches that this would cost.
    void start(Job job, const void* argument, Again again = nullptr);
    /// Runs everything that has become ready, once.
    void run_ready();
    /// How long the loop may wait; -1: no limit.
    int wait_ms() const;
    /// Jobs that have begun or are to begin.
    size_t live() const { return census_.live(); }
    size_t most_live() const { return most_live_; }
    /// The most that have lived at a time.
    size_t peak() const { return census_.peak(); }
    /// Fibers that wait for a job.
    size_t pooled() const { return census_.pooled(); }
    /// Says it in the log when who holds the Fiber of a suspended coroutine has not gone on with it for so
    /// long, and ends the waiting of those whose Fiber nobody holds.
    void tell_of_held_after(uint64_t after_ms) { tell_held_ms_ = after_ms; }
    /// Whether all that live wait for one another: nothing but a signal will ever wake them.
    bool is_deadlocked() const;

    // -- For code in and outside coroutines

    /// Has `rung` called, outside coroutines, whenever the descriptor `bell` becomes readable. There is one
    /// bell.
    void watch_bell(int bell, void (*rung)());

    /// Whether there may be one more; throws LimitException when not.
    bool require_room() const;
    /// Runs a job when the loop comes to it.
    void start_later(Job job, const void* argument) {
        pending_.push_back({job, argument});
        census_.job_comes();
    }
    /// Ends the waiting of a coroutine; does nothing when it does not wait.
    void wake(Coroutine& coroutine, Wake by = Wake::kWoken);
    /// Throws CancelledError where the coroutine waits or will wait next. `reason` is a literal.
    void interrupt(Coroutine& coroutine, const char* reason);
    /// Before `fd` is closed: ends the waiting for it. False when nobody waits.
    bool end_waits_for(int fd) {
        return fd_waits_.tell_closing(fd, [this](Coroutine& coroutine) { wake(coroutine); });
    }
    /// Somebody else than `self` who waits for one of these events of a descriptor; nullptr when nobody does.
    const Coroutine* waits_for(int fd, uint32_t events, const Coroutine& self) const {
        return fd_waits_.waits_for(fd, events, self);
    }
    /// In a fork: none but the running one will ever go on, not even to clean up, as that is the parent's.
    void forsake_others();
    template <typename F>
    void for_each_task(F&& f) {
        for (Coroutine* coroutine : all_)
            if (coroutine->task) f(*coroutine);
    }

    // -- For the coroutine that runs; see suspendable()

    /// For suspend(), as the time: goes on once the others that can go on have had a turn.
    static constexpr uint64_t kNextTurn = 1;
    /// Waits to be woken, until `due_ms` of the monotonic clock at the latest; 0: for ever.
    Wake suspend(Coroutine& self, uint64_t due_ms);
    /// suspend(), also until one of the descriptors is ready. Some may be ready although none of `waits` says
    /// so: ask them. False with errno set when one of them cannot be waited for.
    bool suspend_for(Coroutine& self, std::span<FdWait> waits, uint64_t due_ms, Wake& wake);

    /// Every fiber begins here: does one job after the other.
    void work(Coroutine& self);
    /// Within a job, which is over: what follows is another one, that knows nothing of it.
    void begin_another(Coroutine& self);

    template <typename F>
    void for_each_live(F&& f) const {
        for (const Coroutine* coroutine : all_)
            if (is_busy(coroutine->state)) f(*coroutine);
    }

    /// Told whenever a coroutine begins to run, and when it stops.
    StallWatch& stall_watch() { return stall_watch_; }

  private:
    struct Pending {
        Job job;
        const void* argument;
    };

    /// Nothing else changes a coroutine's state.
    void move_to(Coroutine& coroutine, Coroutine::State next) { census_.move_to(coroutine.state, next); }
    void begin_job(Coroutine& self);
    void end_job(Coroutine& self);
    bool begins_again(const Coroutine& coroutine) const;
    void resume(Coroutine& coroutine);
    void left(Coroutine& coroutine);
    void make_ready(Coroutine& coroutine, Wake by);
    void hold(Coroutine& coroutine);
    void end_holding(Coroutine& self);
    void disarm(Coroutine& coroutine);
    void forget(Coroutine& coroutine);
    void expire_timers();
    void give_memory_back();

    EventLoop& loop_;
    StallWatch stall_watch_;
    FdWaits fd_waits_;
    TimerWheel timers_;
    CoroutineCensus census_;
    std::vector<Coroutine*> all_;
    Coroutine* pool_ = nullptr;
    Coroutine* ready_ = nullptr;
    Coroutine** ready_end_ = &ready_;
    std::vector<Pending> pending_;
    size_t next_pending_ = 0;
    std::vector<ReadyFd> ready_fds_;
    int bell_ = -1;  ///< once it is watched
    void (*bell_rung_)() = nullptr;
    const Coroutine* starting_ = nullptr;  ///< that start() has switched to, and not come back from
    Again again_ = nullptr;                ///< for it
    uint64_t begun_ = 0;                   ///< jobs
    size_t forgotten_ = 0;                 ///< coroutines, since memory was given back
    size_t most_live_;
    const CoroutineLimits limits_;
    const MappingBudget mappings_;
    size_t timed_ = 0;  ///< that wait with a deadline
    uint64_t tell_held_ms_ = 0;
    size_t fd_bound_ = 0;  ///< that wait for descriptors
};

/// nullptr when this process has none now.
Scheduler* scheduler();
/// For scheduling.h, where it begins and ends.
void create_scheduler(EventLoop& loop, const CoroutineLimits& limits);
void destroy_scheduler();
void abandon_scheduler();

/// Runs a job that is to be a coroutine when there are coroutines; without them it runs to its end, and
/// `again` is not asked.
inline void run_handler(Job job, const void* argument, Again again = nullptr) {
    if (Scheduler* with = scheduler()) {
        with->start(job, argument, again);
    } else {
        job(argument);
    }
}

extern zend_class_entry* limit_exception_class;

/// The running coroutine when it can be suspended here, with the Fibers of the application's own that run in
/// it; nullptr outside one, while an exception is on its way, and where PHP forbids it.
Coroutine* suspendable();

}  // namespace sluice::php
