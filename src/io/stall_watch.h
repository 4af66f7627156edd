#pragma once

#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <sys/types.h>

namespace sluice {

/// Notices that a thread does not come back from one call for too long. The thread marks when a call begins
/// and ends, which costs it a few loads and stores; a watching thread looks periodically whether the call is
/// still the one of its last look.
class StallWatch {
  public:
    /// How long a call may last before something is done about it; 0: nothing is.
    struct Limits {
        uint32_t tell_ms = 0;
        uint32_t end_ms = 0;
    };

    /// `held_ms` is how long the call has lasted at least.
    struct Hooks {
        /// In the watching thread, once for each stalled call: count it, ask the watched thread to say where
        /// it is.
        void (*stalled)(uint64_t held_ms);
        /// In the watching thread, later, when nobody has called claim(): the watched thread cannot answer.
        void (*unanswered)(uint64_t held_ms);
        /// In the watched thread, at the end of a stalled call.
        void (*over)(uint64_t held_ms);
        /// In the watching thread, once for each overdue call: ask the watched thread to end it.
        void (*overdue)(uint64_t held_ms);
        /// In the watching thread, some seconds after overdue(): the call has not ended.
        void (*endless)(uint64_t held_ms);
    };

    StallWatch() = default;
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;
    ~StallWatch() { end(); }

    /// Begins to watch. False when no thread can be created.
    bool begin(Limits limits, const Hooks& hooks);
    /// Ends the thread, and waits until no hook runs any more. Does nothing in a fork: it has no such thread.
    void end();

    void enter() { call_.store((call_.load(std::memory_order_relaxed) + 1) | 1, std::memory_order_relaxed); }
    void leave() {
        const uint64_t call = call_.load(std::memory_order_relaxed);
        call_.store((call + 1) & ~uint64_t{1}, std::memory_order_relaxed);
        if (stalled_.load(std::memory_order_relaxed) == call) [[unlikely]]
            tell_end();
    }

    /// True once for each call that has stalled and not ended, in the thread that is to report it.
    bool claim();
    /// True once for each overdue call that goes on, in the thread that is to end it.
    bool claim_end();
    /// How long the last stalled or overdue call has lasted.
    uint64_t held_ms() const;

  private:
    void watch();
    void look(uint64_t now_ms);
    void look_whether_to_tell(uint64_t call);
    void look_whether_to_end(uint64_t call);
    void tell_end();

    std::atomic<uint64_t> call_{0};      ///< odd: a call goes on
    std::atomic<uint64_t> stalled_{0};   ///< the last call that stalled
    std::atomic<uint64_t> claimed_{0};   ///< the last stalled call that somebody reports
    std::atomic<uint64_t> begun_ms_{0};  ///< of `stalled_` and `overdue_`, a little late
    std::atomic<uint64_t> overdue_{0};   ///< the last overdue call; 0 once somebody ends it

    // Used by the watching thread alone.
    uint64_t seen_ = 0;
    uint64_t seen_ms_ = 0;
    uint64_t looked_ms_ = 0;
    uint64_t held_ms_ = 0;  ///< without the time in which the watching thread did not run
    uint64_t unanswered_ms_ = 0;
    uint64_t ending_call_ = 0;
    uint64_t endless_ms_ = 0;

    Hooks hooks_ = {};
    Limits limits_;
    uint32_t period_ms_ = 0;
    pthread_t thread_ = {};
    pid_t process_ = 0;  ///< the process that has the thread; 0: none
    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed_ = {};
    bool ending_ = false;
};

}  // namespace sluice
