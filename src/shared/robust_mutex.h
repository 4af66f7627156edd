#pragma once

#include <cstdint>
#include <pthread.h>

namespace sluice {

/// A mutex in shared memory that does not stay locked when its holder dies: pthread's own, process-shared
/// and robust (pthread_mutexattr_setrobust). Hold it for microseconds only: a waiting coroutine does not
/// suspend.
class RobustMutex {
  public:
    /// Far longer than a running process holds it. A holder that exceeds it has been stopped by a signal.
    static constexpr unsigned kPatienceMs = 5000;

    enum class Result : uint8_t {
        kLocked,
        kOwnerDied,  ///< locked, but its holder died: repair what the mutex guards, then call
                     ///< repaired()
        kTimedOut,
    };

    /// Called once, by the process that made the memory, before any other process maps it.
    void init();
    Result lock(unsigned patience_ms = kPatienceMs);
    void repaired() { pthread_mutex_consistent(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

  private:
    static constexpr unsigned kLookMs = 20;

    pthread_mutex_t mutex_;
};

}  // namespace sluice
