#pragma once

#include <span>
#include <vector>

#include "core/timer_wheel.h"
#include "io/mapping_budget.h"
#include "io/stall_watch.h"
#include "php/coroutine/coroutine.h"
#include "php/coroutine/fd_waits.h"

namespace sluice::php {

/// Limits of the number of coroutines.
struct CoroutineLimits {
    size_t live;         ///< at most, including those that have not begun yet
    size_t pooled;       ///< Fibers that are kept for later jobs
    const char* option;  ///< the option that sets `live`, for messages
};

/// What a job takes over from the one that spawns it.
struct Spawner {
    uint64_t number = 0;           ///< of its job; 0: none
    uint64_t client = 0;           ///< see client_of()
    zend_object* trace = nullptr;  ///< see TraceScope, one reference
};

/// Runs coroutines one at a time, each up to its next suspension. There is one scheduler while the process is
/// a worker, or while Sluice\Coroutine\run() runs. For PHP's thread only.
class Scheduler {
  public:
    Scheduler(EventLoop& loop, const CoroutineLimits& limits);
    /// Ends the waiting coroutines, as PHP ends Fibers.
    ~Scheduler();

    // -- For the loop, outside coroutines. After an exit() in a coroutine, PHP's unwind-exit is set as the
    // exception, and no more code may run.

    /// Runs a job now, up to its first suspension. Without memory for another stack it runs outside a
    /// coroutine. When it ends without suspension, `again` is asked, in the coroutine: true begins the job
    /// anew, as another coroutine would, but without the cost of two switches.
    void start(Job job, const void* argument, Again again = nullptr, Spawner spawner = {});
    /// Runs each ready coroutine once.
    void run_ready();
    /// How long the loop may wait; -1: no limit.
    int wait_ms() const;
    /// Jobs that have begun or are to begin.
    size_t live() const { return census_.live(); }
    size_t most_live() const { return most_live_; }
    /// The highest value of live().
    size_t peak() const { return census_.peak(); }
    /// Pooled fibers without a job.
    size_t pooled() const { return census_.pooled(); }
    /// Logs coroutines whose Fiber the application has suspended and not resumed for `after_ms`, and ends
    /// those whose Fiber has no holder.
    void tell_of_held_after(uint64_t after_ms) { tell_held_ms_ = after_ms; }
    /// Whether all live coroutines wait for one another: only a signal could wake them.
    bool is_deadlocked() const;

    /// Ends a period, and begins the next. Looks at all coroutines: call it now and then.
    void begin_period();
    /// Whether a coroutine, or one that descends from it, has run in the period before. Nobody sees what one
    /// does whose Fiber the application suspends and resumes: it counts as running.
    bool has_run(const Coroutine& coroutine) const { return coroutine.ran_in + 1 == period_; }

    // -- For code in and outside coroutines

    /// Calls `rung`, outside coroutines, whenever the descriptor `bell` becomes readable. There are few
    /// bells.
    void watch_bell(int bell, void (*rung)());

    /// Whether another coroutine may begin; throws LimitException when not.
    bool require_room() const;
    /// Runs a job when the loop comes to it, as a child of the running coroutine.
    void start_later(Job job, const void* argument);
    /// Runs a job now, as a child of the running coroutine, up to its first suspension. False when there was
    /// no memory for its stack: the job was not begun.
    bool start_now(Job job, const void* argument);
    /// Ends a coroutine's suspension now: it runs up to its next one. Only for one that waits.
    void resume_now(Coroutine& coroutine);
    /// Ends a coroutine's suspension; does nothing when it is not suspended.
    void wake(Coroutine& coroutine, Wake by = Wake::kWoken);
    /// Throws CancelledError at the coroutine's current or next suspension. `reason` is a literal.
    void interrupt(Coroutine& coroutine, const char* reason);
    /// Call it before `fd` is closed: ends all waits for it. False when there are none.
    bool end_waits_for(int fd) {
        return fd_waits_.tell_closing(fd, [this](Coroutine& coroutine) { wake(coroutine); });
    }
    /// Another coroutine than `self` that waits for one of these events of a descriptor; nullptr: none.
    const Coroutine* waits_for(int fd, uint32_t events, const Coroutine& self) const {
        return fd_waits_.waits_for(fd, events, self);
    }
    /// For a fork: no other coroutine will ever be resumed, not even to clean up, as the parent does that.
    void forsake_others();
    template <typename F>
    void for_each_task(F&& f) {
        for (Coroutine* coroutine : all_)
            if (coroutine->task) f(*coroutine);
    }

    // -- For the coroutine that runs; see suspendable()

    /// A `due_ms` for suspend(): resumes once all ready coroutines have had a turn.
    static constexpr uint64_t kNextTurn = 1;
    /// Suspends until woken, or until `due_ms` of the monotonic clock; 0: for ever.
    Wake suspend(Coroutine& self, uint64_t due_ms);
    /// As suspend(), also until a descriptor is ready. A descriptor may be ready although `waits` does not
    /// say so: poll them. False with errno set when one of them cannot be waited for.
    bool suspend_for(Coroutine& self, std::span<FdWait> waits, uint64_t due_ms, Wake& wake);

    /// The entry of every fiber: runs one job after the other.
    void work(Coroutine& self);
    /// Call it at the end of a job in its coroutine: the next job is independent.
    void begin_another(Coroutine& self);

    template <typename F>
    void for_each_live(F&& f) const {
        for (Coroutine* coroutine : all_)
            if (is_busy(coroutine->state)) f(*coroutine);
    }
    /// Whether a live coroutine other than `except` is the job of this number, or was spawned by it or one of
    /// its children.
    bool has_family(uint64_t number, const Coroutine& except) const;
    bool descends_from(const Coroutine& self, uint64_t number) const { return leads_to(self.parent, number); }
    /// The live coroutine with this number; nullptr once it has ended.
    Coroutine* find(uint64_t number) const;
    /// Gives its children to its parent, as it ends.
    void bequeath_children(const Coroutine& self);
    /// `ends` is called in each coroutine at the end of its job, and may suspend.
    static void when_jobs_end(void (*ends)(Coroutine& self)) { tell_job_ends_ = ends; }
    /// `suspends` is called in coroutines that work for somebody as they are to suspend, `resumed`
    /// afterwards.
    static void when_suspended(void (*suspends)(Coroutine& self), void (*resumed)(Coroutine& self)) {
        tell_suspends_ = suspends;
        tell_resumed_ = resumed;
    }
    /// From here on each coroutine has Coroutine::waits_since_ns when it is suspended, which `ended` is
    /// called with afterwards; nullptr: no more.
    static void measure_waits(void (*ended)(Coroutine& self)) { tell_wait_ends_ = ended; }

    /// Marks when a coroutine begins to run, and when it stops.
    StallWatch& stall_watch() { return stall_watch_; }

  private:
    struct Pending {
        Job job;
        const void* argument;
        Spawner spawner;
    };

    static void (*tell_job_ends_)(Coroutine& self);
    static void (*tell_suspends_)(Coroutine& self);
    static void (*tell_resumed_)(Coroutine& self);
    static void (*tell_wait_ends_)(Coroutine& self);

    bool leads_to(uint64_t parent, uint64_t number) const;
    /// The only place that changes a coroutine's state.
    void move_to(Coroutine& coroutine, Coroutine::State next) { census_.move_to(coroutine.state, next); }
    /// As start(); false when there was no memory for a stack.
    bool enter(Job job, const void* argument, Again again, Spawner spawner);
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
    std::vector<Coroutine*> by_number_;  ///< the last one with each remainder of its number
    Coroutine* pool_ = nullptr;
    Coroutine* ready_ = nullptr;
    Coroutine** ready_end_ = &ready_;
    std::vector<Pending> pending_;
    size_t next_pending_ = 0;
    std::vector<ReadyFd> ready_fds_;
    struct Bell {
        int fd;
        void (*rung)();
    };
    std::vector<Bell> bells_;
    const Coroutine* starting_ = nullptr;  ///< the coroutine that start() has switched to, until it is back
    Again again_ = nullptr;                ///< for it
    uint64_t begun_ = 0;                   ///< jobs
    uint32_t period_ = 1;
    size_t forgotten_ = 0;  ///< coroutines freed since memory was given back
    size_t most_live_;
    const CoroutineLimits limits_;
    const MappingBudget mappings_;
    size_t timed_ = 0;  ///< coroutines suspended with a deadline
    uint64_t tell_held_ms_ = 0;
    size_t fd_bound_ = 0;  ///< coroutines that wait for descriptors
};

/// The process's scheduler; nullptr: none now.
Scheduler* scheduler();
/// For scheduling.h, which creates and destroys the scheduler.
void create_scheduler(EventLoop& loop, const CoroutineLimits& limits);
void destroy_scheduler();
void abandon_scheduler();

/// Runs a job in a coroutine if there is a scheduler. Otherwise runs it to its end, and does not ask
/// `again`.
inline void run_handler(Job job, const void* argument, Again again = nullptr) {
    if (Scheduler* with = scheduler()) {
        with->start(job, argument, again);
    } else {
        job(argument);
    }
}

extern zend_class_entry* limit_exception_class;

/// The running coroutine if it can be suspended here, with the application's own Fibers that run in it;
/// nullptr outside coroutines, while an exception propagates, and where PHP forbids it.
Coroutine* suspendable();
/// The same, also while an exception propagates: C functions wait when a callback has thrown, or when PHP
/// frees what they have made. The exception is set aside meanwhile.
Coroutine* suspendable_in_c();

}  // namespace sluice::php
