#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace sluice::php {

/// The state of a coroutine.
enum class CoroutineState : uint8_t {
    kNew,      ///< its fiber has not begun
    kPooled,   ///< without a job; its fiber waits in the pool for the next one
    kWaiting,  ///< suspended by the scheduler, until it is woken
    kReady,    ///< woken, in the ready list
    kHeld,     ///< suspended by the application (Fiber::suspend()), until that resumes its Fiber
    kRunning,  ///< has a job, and runs or is in a call
    kEnded,    ///< its fiber has ended
};

/// Whether it has a job that has begun.
constexpr bool is_busy(CoroutineState state) {
    return state >= CoroutineState::kWaiting && state <= CoroutineState::kRunning;
}

/// Whether a coroutine may go from one state to the other.
constexpr bool is_legal_move(CoroutineState from, CoroutineState to) {
    switch (to) {
        case CoroutineState::kNew: return false;
        case CoroutineState::kPooled: return from == CoroutineState::kRunning;
        // An exception may resume a coroutine that was not woken: PHP ends, or the application throws into
        // its Fiber.
        case CoroutineState::kRunning: return from < CoroutineState::kRunning;
        case CoroutineState::kWaiting: return from == CoroutineState::kRunning;
        case CoroutineState::kHeld: return from == CoroutineState::kRunning;
        case CoroutineState::kReady: return from == CoroutineState::kWaiting || from == CoroutineState::kHeld;
        // After a fatal error a coroutine ends from any state, as no more code runs.
        case CoroutineState::kEnded: return from != CoroutineState::kEnded;
    }
    return false;
}

/// Makes and counts all changes of coroutines' states.
class CoroutineCensus {
  public:
    /// Jobs that have begun or are to begin.
    size_t live() const { return busy_ + pending_; }
    /// The highest value of live().
    size_t peak() const { return peak_; }
    /// Coroutines that have a job.
    size_t busy() const { return busy_; }
    /// Pooled fibers without a job.
    size_t pooled() const { return pooled_; }

    /// A job is to begin; then job_begins().
    void job_comes() {
        ++pending_;
        note_peak();
    }
    void job_begins() { --pending_; }

    void move_to(CoroutineState& state, CoroutineState next) {
        assert(is_legal_move(state, next) && "a coroutine goes on from where it stands");
        switch (next) {
            case CoroutineState::kRunning:
                if (is_busy(state)) break;
                if (state == CoroutineState::kPooled) --pooled_;
                ++busy_;
                note_peak();
                break;
            case CoroutineState::kPooled:
                --busy_;
                ++pooled_;
                break;
            case CoroutineState::kEnded:
                if (state == CoroutineState::kPooled) --pooled_;
                if (is_busy(state)) --busy_;
                break;
            default: break;
        }
        state = next;
    }

  private:
    void note_peak() {
        if (live() > peak_) peak_ = live();
    }

    size_t pending_ = 0;
    size_t busy_ = 0;
    size_t pooled_ = 0;
    size_t peak_ = 0;
};

}  // namespace sluice::php
