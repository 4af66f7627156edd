#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace sluice::php {

/// Where a coroutine stands in its life.
enum class CoroutineState : uint8_t {
    kNew,      ///< its fiber has not begun
    kPooled,   ///< without a job; its fiber waits in the pool for the next one
    kWaiting,  ///< suspended by the scheduler, until it is woken
    kReady,    ///< woken, in the ready list
    kHeld,     ///< suspended by the application itself; runs whenever who holds its Fiber resumes it
    kRunning,  ///< has a job; runs, or waits for code that it called
    kEnded,    ///< its fiber does nothing any more
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
        // An exception - PHP ends, or the application throws into a Fiber that is not its own - resumes one
        // that was not woken.
        case CoroutineState::kRunning: return from < CoroutineState::kRunning;
        case CoroutineState::kWaiting: return from == CoroutineState::kRunning;
        case CoroutineState::kHeld: return from == CoroutineState::kRunning;
        case CoroutineState::kReady: return from == CoroutineState::kWaiting || from == CoroutineState::kHeld;
        // After a fatal error nothing runs that would bring it to an end of its own.
        case CoroutineState::kEnded: return from != CoroutineState::kEnded;
    }
    return false;
}

/// Where all changes of coroutines' states are made, and counted.
class CoroutineCensus {
  public:
    /// Jobs that have begun or are to begin.
    size_t live() const { return busy_ + pending_; }
    /// The most that have lived at a time.
    size_t peak() const { return peak_; }
    /// Coroutines that have a job.
    size_t busy() const { return busy_; }
    /// Fibers that wait for a job.
    size_t pooled() const { return pooled_; }

    /// A job is to begin, or begins.
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
