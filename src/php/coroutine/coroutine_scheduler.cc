#include "php/coroutine/coroutine_scheduler.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unordered_map>

#include "core/clock.h"
#include "php/coroutine/cancel_injection.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/current_trace.h"
#include "php/coroutine/engine_state.h"
#include "php/coroutine/fiber_switch.h"
#include "php/coroutine/held_fiber.h"
#include "php/coroutine/no_waiting.h"
#include "php/coroutine/output_buffers.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

zend_class_entry* limit_exception_class = nullptr;

namespace {

/// After this many freed coroutines, a sweep of PHP's memory costs less than their creation did.
constexpr size_t kManyForgotten = 4096;
constexpr uint64_t kLongestWaitMs = 3'600'000;
constexpr size_t kNumberSlots = 4096;

Scheduler* current = nullptr;

/// Takes a coroutine out of a list; returns the link that led to it.
Coroutine** take_out(Coroutine*& first, const Coroutine& coroutine) {
    Coroutine** place = &first;
    while (*place != &coroutine)
        place = &(*place)->next;
    *place = coroutine.next;
    return place;
}

/// An exception that a callback of a C function has thrown, or that PHP frees objects for: it waits while
/// others run.
class PendingException {
  public:
    void take() {
        exception_ = EG(exception);
        if (EXPECTED(!exception_)) return;
        opline_ = EG(opline_before_exception);
        EG(exception) = nullptr;
    }
    void put_back() const {
        if (EXPECTED(!exception_)) return;
        if (!EG(exception)) {
            EG(exception) = exception_;
            EG(opline_before_exception) = opline_;
        } else if (is_exit(exception_) || is_exit(EG(exception))) {
            OBJ_RELEASE(exception_);
        } else {
            zend_exception_set_previous(EG(exception), exception_);
        }
    }

  private:
    zend_object* exception_ = nullptr;
    const zend_op* opline_ = nullptr;
};

Spawner spawner_of(Coroutine* parent) {
    if (!parent) return {};
    parent->has_spawned = true;
    zend_object* const trace = current_trace();
    if (trace) GC_ADDREF(trace);
    return {parent->number, client_of(*parent), trace};
}

void throw_end(Coroutine& self) {
    zend_throw_exception_internal(end_overdue(self));
    self.thrown = EG(exception);
}

}  // namespace

Scheduler::Scheduler(EventLoop& loop, const CoroutineLimits& limits)
    : loop_(loop),
      fd_waits_(loop),
      timers_(monotonic_ms()),
      by_number_(kNumberSlots),
      limits_(limits),
      mappings_(MappingBudget::of_process()) {
    most_live_ = std::min(limits_.live, mappings_.stacks());
}

Scheduler::~Scheduler() {
    while (!all_.empty())
        forget(*all_.back());
}

void (*Scheduler::tell_job_ends_)(Coroutine& self) = nullptr;
void (*Scheduler::tell_suspends_)(Coroutine& self) = nullptr;
void (*Scheduler::tell_resumed_)(Coroutine& self) = nullptr;
void (*Scheduler::tell_wait_ends_)(Coroutine& self) = nullptr;

void Scheduler::start(Job job, const void* argument, Again again, Spawner spawner) {
    if (UNEXPECTED(!enter(job, argument, again, spawner))) job(argument);
}

bool Scheduler::enter(Job job, const void* argument, Again again, Spawner spawner) {
    Coroutine* coroutine = pool_;
    if (coroutine) {
        pool_ = coroutine->next;
    } else {
        coroutine = new Coroutine;
        create_fiber(*coroutine);
        coroutine->place = all_.size();
        all_.push_back(coroutine);
    }
    coroutine->job = job;
    coroutine->argument = argument;
    coroutine->parent = spawner.number;
    coroutine->client = spawner.client;
    coroutine->trace.object = spawner.trace;
    const bool is_new = coroutine->state == Coroutine::State::kNew;
    move_to(*coroutine, Coroutine::State::kRunning);
    stall_watch_.enter();
    starting_ = coroutine;
    again_ = again;
    if (is_new && !start_fiber(coroutine->fiber)) {
        starting_ = nullptr;
        zend_clear_exception();
        end_trace(coroutine->trace);
        forget(*coroutine);
        stall_watch_.leave();
        return false;
    }
    if (!is_new) resume_fiber(coroutine->fiber);
    starting_ = nullptr;
    stall_watch_.leave();
    left(*coroutine);
    return true;
}

bool Scheduler::start_now(Job job, const void* argument) {
    Coroutine* const parent = enclosing_coroutine();
    const Spawner spawner = spawner_of(parent);
    const Coroutine* const outer = starting_;
    const Again outer_again = again_;
    EngineAside engine;
    engine.take();
    const int error = errno;
    const bool begun = enter(job, argument, nullptr, spawner);
    engine.put_back();
    errno = error;
    starting_ = outer;
    again_ = outer_again;
    if (parent) stall_watch_.enter();
    return begun;
}

void Scheduler::resume_now(Coroutine& coroutine) {
    move_to(coroutine, Coroutine::State::kRunning);
    coroutine.woken_by = Wake::kWoken;
    EngineAside engine;
    engine.take();
    const int error = errno;
    resume(coroutine);
    engine.put_back();
    errno = error;
    if (enclosing_coroutine()) stall_watch_.enter();
}

/// Whether a coroutine, whose job has ended, runs the job anew (see start()).
bool Scheduler::begins_again(const Coroutine& coroutine) const {
    return starting_ == &coroutine && again_ && again_(coroutine.argument);
}

void Scheduler::resume(Coroutine& coroutine) {
    stall_watch_.enter();
    coroutine.ran_in = period_;
    if (is_suspended(coroutine.fiber)) {
        if (UNEXPECTED(coroutine.woken_by == Wake::kInterrupted)) {
            throw_into(coroutine);
        } else {
            resume_fiber(coroutine.fiber);
        }
    }
    stall_watch_.leave();
    left(coroutine);
}

/// Call it after a switch back from the coroutine.
void Scheduler::left(Coroutine& coroutine) {
    if (is_dead(coroutine.fiber)) {
        forget(coroutine);
    } else if (UNEXPECTED(coroutine.state == Coroutine::State::kRunning)) {
        hold(coroutine);
    }
}

/// The coroutine has called Fiber::suspend(), and only the holder of its Fiber can resume it. Other
/// coroutines never end in a server, so a deadlock would not be noticed: watch it by a timer.
void Scheduler::hold(Coroutine& coroutine) {
    if (coroutine.state != Coroutine::State::kHeld) move_to(coroutine, Coroutine::State::kHeld);
    const bool is_interrupted = (coroutine.interruption && !coroutine.shields) || is_overdue(coroutine);
    if (is_interrupted || (tell_held_ms_ && !is_held_elsewhere(coroutine))) {
        make_ready(coroutine, Wake::kInterrupted);
    } else if (coroutine.must_end_ms || tell_held_ms_) {
        const uint64_t tell_ms = monotonic_ms() + (tell_held_ms_ ? tell_held_ms_ : kCleanUpMs);
        const bool ends_before = coroutine.must_end_ms > monotonic_ms() && coroutine.must_end_ms < tell_ms;
        timers_.arm(coroutine.timer, ends_before ? coroutine.must_end_ms : tell_ms);
        ++timed_;
    }
}

/// Call it before the running `self` waits or ends: the application may have resumed it.
void Scheduler::end_holding(Coroutine& self) {
    if (EXPECTED(self.state == Coroutine::State::kRunning)) return;
    disarm(self);
    if (self.state == Coroutine::State::kReady) {
        Coroutine** const place = take_out(ready_, self);
        if (!*place) ready_end_ = place;
    }
    move_to(self, Coroutine::State::kRunning);
}

void Scheduler::disarm(Coroutine& coroutine) {
    if (!coroutine.timer.armed()) return;
    TimerWheel::cancel(coroutine.timer);
    --timed_;
}

void Scheduler::forget(Coroutine& coroutine) {
    all_[coroutine.place] = all_.back();
    all_[coroutine.place]->place = coroutine.place;
    all_.pop_back();
    ++forgotten_;
    zend_object* const fiber = &coroutine.fiber->std;
    // The application may have kept the Fiber. Its stack refers to this scheduler, so it ends now.
    if (!(OBJ_FLAGS(fiber) & IS_OBJ_DESTRUCTOR_CALLED)) {
        GC_ADD_FLAGS(fiber, IS_OBJ_DESTRUCTOR_CALLED);
        fiber->handlers->dtor_obj(fiber);
    }
    if (coroutine.state != Coroutine::State::kEnded) move_to(coroutine, Coroutine::State::kEnded);
    disarm(coroutine);
    Coroutine*& slot = by_number_[coroutine.number % kNumberSlots];
    if (slot == &coroutine) slot = nullptr;
    OBJ_RELEASE(fiber);
    delete &coroutine;
}

/// Frees the memory that PHP keeps after many coroutines have ended.
void Scheduler::give_memory_back() {
    forgotten_ = 0;
    zend_mm_gc(zend_mm_get_heap());
}

void Scheduler::forsake_others() {
    const Coroutine* const running = enclosing_coroutine();
    for (const Coroutine* coroutine : all_)
        if (coroutine != running) GC_ADD_FLAGS(&coroutine->fiber->std, IS_OBJ_DESTRUCTOR_CALLED);
}

void Scheduler::begin_job(Coroutine& self) {
    self.number = ++begun_;
    by_number_[self.number % kNumberSlots] = &self;
    self.ran_in = period_;
    self.buffer = OG(active);
    begin_error_handlers();
}

void Scheduler::end_job(Coroutine& self) {
    end_holding(self);
    end_output_buffers(self.buffer);
    end_error_handlers();
    drop_engine_state();
    end_trace(self.trace);
    self.interruption = nullptr;
    self.shields = self.awaits_children = 0;
    self.must_end_ms = 0;
    self.is_ended = false;
    self.thrown = nullptr;
    self.task = nullptr;
    self.parent = self.client = self.begun_us = 0;
    self.has_spawned = self.is_part_of_parent = false;
}

void Scheduler::begin_another(Coroutine& self) {
    end_job(self);
    stall_watch_.leave();
    stall_watch_.enter();
    begin_job(self);
}

void Scheduler::work(Coroutine& self) {
    shrink_frame_stack();
    do {
        begin_job(self);
        self.job(self.argument);
        if (UNEXPECTED(EG(exception)) && ends_overdue()) zend_clear_exception();
        if (tell_job_ends_ && current == this && !EG(exception)) tell_job_ends_(self);
        end_job(self);
        // In a fork of this process there is no loop to go back to.
        if (UNEXPECTED(current != this) && !EG(exception)) zend_throw_unwind_exit();
        // Do not reuse a Fiber that the application refers to: what it keeps for it, as in a WeakMap, is not
        // for the next job.
        if (EG(exception) || is_held_elsewhere(self)) break;
        if (begins_again(self)) {
            stall_watch_.leave();
            stall_watch_.enter();
            continue;
        }
        if (pooled() >= limits_.pooled) break;
        self.next = pool_;
        pool_ = &self;
        move_to(self, Coroutine::State::kPooled);
        // An application that resumes a pooled Fiber gets control back at once.
        bool goes_on;
        do
            goes_on = suspend_fiber(self.fiber);
        while (goes_on && self.state == Coroutine::State::kPooled);
        if (!goes_on) {
            // PHP ends, or the application threw into a pooled Fiber.
            take_out(pool_, self);
            break;
        }
    } while (true);
    move_to(self, Coroutine::State::kEnded);
}

void Scheduler::start_later(Job job, const void* argument) {
    pending_.push_back({job, argument, spawner_of(enclosing_coroutine())});
    census_.job_comes();
}

Coroutine* Scheduler::find(uint64_t number) const {
    Coroutine* const last = by_number_[number % kNumberSlots];
    if (EXPECTED(last && last->number == number)) return is_busy(last->state) ? last : nullptr;
    for (Coroutine* coroutine : all_)
        if (coroutine->number == number && is_busy(coroutine->state)) return coroutine;
    return nullptr;
}

bool Scheduler::leads_to(uint64_t parent, uint64_t number) const {
    while (parent && parent != number) {
        const Coroutine* const one = find(parent);
        parent = one ? one->parent : 0;
    }
    return parent;
}

bool Scheduler::has_family(uint64_t number, const Coroutine& except) const {
    for (size_t index = next_pending_; index < pending_.size(); ++index)
        if (leads_to(pending_[index].spawner.number, number)) return true;
    for (const Coroutine* one : all_) {
        if (one == &except || !is_busy(one->state)) continue;
        if (one->number == number || leads_to(one->parent, number)) return true;
    }
    return false;
}

void Scheduler::begin_period() {
    std::unordered_map<uint64_t, Coroutine*> by_number;
    for (Coroutine* one : all_) {
        if (!is_busy(one->state)) continue;
        by_number.emplace(one->number, one);
        if (one->state == Coroutine::State::kHeld) one->ran_in = period_;
    }
    for (const auto& [number, one] : by_number) {
        for (uint64_t parent = one->ran_in == period_ ? one->parent : 0; parent;) {
            const auto place = by_number.find(parent);
            // One that has run passes it on itself, or has done so.
            if (place == by_number.end() || place->second->ran_in == period_) break;
            place->second->ran_in = period_;
            parent = place->second->parent;
        }
    }
    ++period_;
}

void Scheduler::bequeath_children(const Coroutine& self) {
    for (Pending& pending : pending_)
        if (pending.spawner.number == self.number) pending.spawner.number = self.parent;
    for (Coroutine* one : all_)
        if (one->parent == self.number) one->parent = self.parent;
}

bool Scheduler::require_room() const {
    if (live() < most_live_) return true;
    if (most_live_ == limits_.live) {
        zend_throw_exception_ex(
            limit_exception_class, 0,
            "There are %zu coroutines, and %s allows no more at a time: wait for some of them, "
            "or raise the limit",
            live(), limits_.option);
    } else {
        zend_throw_exception_ex(
            limit_exception_class, 0,
            "There are %zu coroutines, and the kernel's vm.max_map_count of %zu leaves no room for more "
            "stacks: wait for some of them, or raise vm.max_map_count with sysctl",
            live(), mappings_.most);
    }
    return false;
}

void Scheduler::wake(Coroutine& coroutine, Wake by) {
    if (coroutine.state == Coroutine::State::kWaiting) make_ready(coroutine, by);
}

void Scheduler::make_ready(Coroutine& coroutine, Wake by) {
    move_to(coroutine, Coroutine::State::kReady);
    coroutine.woken_by = by;
    coroutine.next = nullptr;
    *ready_end_ = &coroutine;
    ready_end_ = &coroutine.next;
}

void Scheduler::interrupt(Coroutine& coroutine, const char* reason) {
    coroutine.interruption = reason;
    if (coroutine.shields) return;
    if (UNEXPECTED(coroutine.state == Coroutine::State::kHeld)) {
        if (is_suspended(coroutine.fiber)) make_ready(coroutine, Wake::kInterrupted);
    } else {
        wake(coroutine);
    }
}

Wake Scheduler::suspend(Coroutine& self, uint64_t due_ms) {
    end_holding(self);
    self.thrown = nullptr;
    const bool is_bounded = UNEXPECTED(self.must_end_ms) && !self.shields && !self.awaits_children;
    if (is_bounded && (due_ms == 0 || due_ms > self.must_end_ms)) due_ms = self.must_end_ms;
    if (is_bounded && is_overdue(self)) {
        throw_end(self);
        return Wake::kInterrupted;
    }
    if (!self.interruption || self.shields) {
        move_to(self, Coroutine::State::kWaiting);
        self.frame = EG(current_execute_data);
        const bool has_deadline = due_ms > kNextTurn;
        if (has_deadline) {
            timers_.arm(self.timer, due_ms);
            ++timed_;
        } else if (due_ms == kNextTurn) {
            wake(self);
        }
        if (is_cancelled_here(self)) interrupt(self, "Cancelled by sluice.cancel_at");
        const bool is_charged = tell_suspends_ && (self.occasion || self.client);
        if (is_charged) tell_suspends_(self);
        PendingException pending;
        pending.take();
        EngineAside engine;
        engine.take();
        // errno is the thread's: other coroutines change it.
        const int error = errno;
        if (UNEXPECTED(tell_wait_ends_)) self.waits_since_ns = monotonic_ns();
        bool goes_on;
        do
            goes_on = suspend_fiber(self.fiber);
        while (goes_on && self.state != Coroutine::State::kRunning);
        if (UNEXPECTED(tell_wait_ends_)) tell_wait_ends_(self);
        engine.put_back();
        pending.put_back();
        if (is_charged) tell_resumed_(self);
        errno = error;
        if (has_deadline) {
            --timed_;
            if (self.timer.armed()) TimerWheel::cancel(self.timer);
        }
        if (!goes_on) {
            end_holding(self);
            self.thrown = EG(exception);
            return Wake::kInterrupted;
        }
    }
    if (UNEXPECTED(self.interruption && !self.shields)) {
        zend_throw_exception(cancelled_error_class, self.interruption, 0);
        self.interruption = nullptr;
        self.thrown = EG(exception);
        note_cancelled(self);
        return Wake::kInterrupted;
    }
    if (is_bounded && self.woken_by == Wake::kTimedOut && is_overdue(self)) {
        throw_end(self);
        return Wake::kInterrupted;
    }
    return self.woken_by;
}

bool Scheduler::suspend_for(Coroutine& self, std::span<FdWait> waits, uint64_t due_ms, Wake& wake) {
    size_t added = 0;
    bool all_added = true;
    for (FdWait& wait : waits) {
        wait.coroutine = &self;
        if (wait.fd >= 0 && !fd_waits_.add(wait)) {
            all_added = false;
            break;
        }
        ++added;
    }
    const int error = errno;
    if (all_added) {
        ++fd_bound_;
        if (!waits.empty()) self.waits_for_fd = waits[0].fd;
        wake = suspend(self, due_ms);
        self.waits_for_fd = -1;
        --fd_bound_;
    }
    for (FdWait& wait : waits.first(added))
        if (wait.fd >= 0) fd_waits_.remove(wait);
    errno = error;
    return all_added;
}

void Scheduler::watch_bell(int bell, void (*rung)()) {
    if (bell < 0 || std::ranges::any_of(bells_, [bell](const Bell& one) { return one.fd == bell; })) return;
    bells_.push_back({bell, rung});
    loop_.watch(bell, POLLIN);
}

void Scheduler::expire_timers() {
    if (timed_ == 0) return;
    const uint64_t now_ms = monotonic_ms();
    while (TimerNode* node = timers_.expire(now_ms)) {
        Coroutine& coroutine =
            *reinterpret_cast<Coroutine*>(reinterpret_cast<char*>(node) - offsetof(Coroutine, timer));
        if (UNEXPECTED(coroutine.state == Coroutine::State::kHeld)) {
            --timed_;
            if (tell_held_ms_ && !coroutine.must_end_ms) tell_of_held(coroutine, tell_held_ms_);
            hold(coroutine);
        } else {
            wake(coroutine, Wake::kTimedOut);
        }
    }
}

void Scheduler::run_ready() {
    loop_.take_ready(ready_fds_);
    for (const ReadyFd& ready : ready_fds_) {
        const auto bell = std::ranges::find(bells_, ready.fd, &Bell::fd);
        if (UNEXPECTED(bell != bells_.end())) {
            bell->rung();
            loop_.watch(ready.fd, POLLIN);
        } else {
            fd_waits_.tell(ready, [this](Coroutine& coroutine) { wake(coroutine); });
        }
    }
    expire_timers();

    // Coroutines that become ready meanwhile wait for the next call: the loop has other work. New ones begin
    // first, as sleep(0) promises.
    Coroutine* last = nullptr;
    if (ready_)
        last = reinterpret_cast<Coroutine*>(reinterpret_cast<char*>(ready_end_) - offsetof(Coroutine, next));
    for (size_t count = pending_.size() - next_pending_; count > 0; --count) {
        const Pending pending = pending_[next_pending_++];
        census_.job_begins();
        if (next_pending_ == pending_.size()) {
            pending_.clear();
            next_pending_ = 0;
        }
        start(pending.job, pending.argument, nullptr, pending.spawner);
        if (EG(exception)) return;
    }
    for (bool more = last; more;) {
        Coroutine* coroutine = ready_;
        if (!coroutine) break;
        more = coroutine != last;
        ready_ = coroutine->next;
        if (!ready_) ready_end_ = &ready_;
        move_to(*coroutine, Coroutine::State::kRunning);
        resume(*coroutine);
        if (EG(exception)) return;
    }
    if (forgotten_ >= kManyForgotten && live() < forgotten_ / 8) give_memory_back();
}

int Scheduler::wait_ms() const {
    if (ready_ || next_pending_ < pending_.size()) return 0;
    if (timed_ == 0) return -1;
    return static_cast<int>(timers_.wait_ms(monotonic_ms(), kLongestWaitMs));
}

bool Scheduler::is_deadlocked() const {
    return !ready_ && next_pending_ == pending_.size() && timed_ == 0 && fd_bound_ == 0 && census_.busy() > 0;
}

Scheduler* scheduler() {
    return current;
}

void create_scheduler(EventLoop& loop, const CoroutineLimits& limits) {
    current = new Scheduler(loop, limits);
}

void destroy_scheduler() {
    delete current;
    current = nullptr;
}

void abandon_scheduler() {
    current->forsake_others();
    current = nullptr;
}

Coroutine* suspendable() {
    return EG(exception) ? nullptr : suspendable_in_c();
}

Coroutine* suspendable_in_c() {
    if (!current) return nullptr;
    Coroutine* self = enclosing_coroutine();
    if (!self || zend_fiber_switch_blocked() || is_waiting_forbidden() ||
        (self->fiber->flags & ZEND_FIBER_FLAG_DESTROYED))
        return nullptr;
    return self;
}

}  // namespace sluice::php
