#pragma once

#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <sys/types.h>

namespace sluice {

/// Notices that a thread does not come back from one call for too long. The thread says when a call begins
/// and ends, which costs it a few loads and stores; another thread looks from time to time whether it is
/// still the same call.
class StallWatch {
  public:
    /// How long a call may last before something is done about it; 0: nothing is.
    struct Limits {
        uint32_t tell_ms = 0;
        uint32_t end_ms = 0;
    };

    /// `held_ms` is how long the call has lasted at least.
    struct Hooks {
        /// In the watching thread, once for each such call: count it, ask the watched thread to say where it
        /// is.
        void (*stalled)(uint64_t held_ms);
        /// In the watching thread, some time later when nobody has called claim(): the thread cannot answer.
        void (*unanswered)(uint64_t held_ms);
        /// In the watched thread, at the end of such a call.
        void (*over)(uint64_t held_ms);
        /// In the watching thread, once for each call that is to end: ask the watched thread to end it.
        void (*overdue)(uint64_t held_ms);
        /// In the watching thread, some seconds later: it has not ended.
        void (*endless)(uint64_t held_ms);
    };

    StallWatch() = default;
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;
    ~StallWatch() { end(); }

    /// Begins to watch. False when there is no thread to be had.
    bool begin(Limits limits, const Hooks& hooks);
    /// Waits until no hook runs any more. In a fork of the process, where the thread is not, does nothing.
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
    /// True once for each call that is to end and has not, in the thread that is to end it.
    bool claim_end();
    /// How long the last call of these has lasted.
    uint64_t held_ms() const;

  private:
    void watch();
    void look(uint64_t now_ms);
    void look_whether_to_tell(uint64_t call);
    void look_whether_to_end(uint64_t call);
    void tell_end();

    std::atomic<uint64_t> call_{0};      ///< odd: it goes on
    std::atomic<uint64_t> stalled_{0};   ///< the last one that was too long
    std::atomic<uint64_t> claimed_{0};   ///< the last one of these that somebody reports
    std::atomic<uint64_t> begun_ms_{0};  ///< of `stalled_` and `overdue_`, a little late
    std::atomic<uint64_t> overdue_{0};   ///< the last one that is to end; 0 when somebody sees to it

    // Of the watching thread.
    uint64_t seen_ = 0;
    uint64_t seen_ms_ = 0;
    uint64_t looked_ms_ = 0;
    uint64_t held_ms_ = 0;  ///< without the time in which this thread did not run either
    uint64_t unanswered_ms_ = 0;
    uint64_t ending_call_ = 0;
    uint64_t endless_ms_ = 0;

    Hooks hooks_ = {};
    Limits limits_;
    uint32_t period_ms_ = 0;
    pthread_t thread_ = {};
    pid_t process_ = 0;  ///< that has the thread; 0: there is none
    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed_ = {};
    bool ending_ = false;
};

}  // namespace sluice
