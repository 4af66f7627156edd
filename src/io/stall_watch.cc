#include "io/stall_watch.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <unistd.h>

#include "core/clock.h"
#include "core/helper_thread.h"

namespace sluice {

namespace {

constexpr size_t kStackBytes = 256 * 1024;
/// Looks per time limit: a stall may be noticed one period late.
constexpr uint32_t kLooksPerLimit = 4;
constexpr uint32_t kLongestPeriodMs = 1000;
/// How long a call may go on after it was asked to end.
constexpr uint32_t kEndMs = 2000;

}  // namespace

bool StallWatch::begin(Limits limits, const Hooks& hooks) {
    hooks_ = hooks;
    limits_ = limits;
    const uint32_t least_ms = limits.tell_ms && limits.end_ms ? std::min(limits.tell_ms, limits.end_ms)
                                                              : limits.tell_ms + limits.end_ms;
    period_ms_ = std::clamp(least_ms / kLooksPerLimit, 1u, kLongestPeriodMs);
    ending_ = false;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&changed_, &clock);
    pthread_condattr_destroy(&clock);
    const int error = begin_helper_thread<&StallWatch::watch>(thread_, kStackBytes, *this);
    process_ = error ? 0 : getpid();
    errno = error;
    return !error;
}

void StallWatch::end() {
    // In a fork the lock may be held by a thread that does not exist there.
    if (process_ == 0 || process_ != getpid()) return;
    pthread_mutex_lock(&lock_);
    ending_ = true;
    pthread_cond_signal(&changed_);
    pthread_mutex_unlock(&lock_);
    pthread_join(thread_, nullptr);
    pthread_cond_destroy(&changed_);
    process_ = 0;
}

void StallWatch::watch() {
    looked_ms_ = monotonic_ms();
    pthread_mutex_lock(&lock_);
    while (!ending_) {
        timespec due;
        clock_gettime(CLOCK_MONOTONIC, &due);
        due.tv_sec += period_ms_ / 1000;
        due.tv_nsec += static_cast<long>(period_ms_ % 1000) * 1'000'000;
        if (due.tv_nsec >= 1'000'000'000) {
            ++due.tv_sec;
            due.tv_nsec -= 1'000'000'000;
        }
        while (!ending_ && pthread_cond_timedwait(&changed_, &lock_, &due) != ETIMEDOUT) {
        }
        if (ending_) break;
        pthread_mutex_unlock(&lock_);
        look(monotonic_ms());
        pthread_mutex_lock(&lock_);
    }
    pthread_mutex_unlock(&lock_);
}

void StallWatch::look(uint64_t now_ms) {
    // The time in which the machine slept, or the process was stopped, does not count.
    const uint64_t passed_ms = std::min<uint64_t>(now_ms - looked_ms_, 2 * period_ms_);
    looked_ms_ = now_ms;
    const uint64_t call = call_.load(std::memory_order_relaxed);
    if (call != seen_ || !(call & 1)) {
        seen_ = call;
        seen_ms_ = now_ms;
        held_ms_ = 0;
        return;
    }
    held_ms_ += passed_ms;
    if (limits_.tell_ms && held_ms_ >= limits_.tell_ms) look_whether_to_tell(call);
    if (limits_.end_ms && held_ms_ >= limits_.end_ms) look_whether_to_end(call);
}

void StallWatch::look_whether_to_tell(uint64_t call) {
    if (stalled_.load() != call) {
        begun_ms_.store(seen_ms_);
        unanswered_ms_ = held_ms_ + period_ms_;
        stalled_.store(call);
        hooks_.stalled(held_ms_);
    } else if (held_ms_ >= unanswered_ms_ && claimed_.load() != call && call_.load() == call) {
        hooks_.unanswered(held_ms_);
    }
}

void StallWatch::look_whether_to_end(uint64_t call) {
    if (ending_call_ != call) {
        ending_call_ = call;
        endless_ms_ = held_ms_ + kEndMs;
        begun_ms_.store(seen_ms_);
        overdue_.store(call);
        hooks_.overdue(held_ms_);
    } else if (held_ms_ >= endless_ms_ && call_.load() == call) {
        endless_ms_ = UINT64_MAX;
        hooks_.endless(held_ms_);
    }
}

bool StallWatch::claim_end() {
    uint64_t call = overdue_.load();
    return call != 0 && overdue_.compare_exchange_strong(call, 0) && call_.load() == call;
}

bool StallWatch::claim() {
    const uint64_t call = stalled_.load();
    if (call == 0 || call_.load() != call) return false;
    uint64_t before = claimed_.load();
    return before != call && claimed_.compare_exchange_strong(before, call);
}

uint64_t StallWatch::held_ms() const {
    return monotonic_ms() - begun_ms_.load();
}

void StallWatch::tell_end() {
    hooks_.over(held_ms());
}

}  // namespace sluice
