#pragma once

#include <cstdint>
#include <pthread.h>

namespace sluice {

/// A mutex in shared memory that the death of who holds it does not leave locked: pthread's own,
/// process-shared and robust (pthread_mutexattr_setrobust). For what takes microseconds: who waits does not
/// suspend.
class RobustMutex {
  public:
    /// Far longer than anybody holds it who runs. Who does not run has been stopped by a signal.
    static constexpr unsigned kPatienceMs = 5000;

    enum class Result : uint8_t {
        kLocked,
        kOwnerDied,  ///< locked, and what it guards is as a dead process has left it: repaired() once it is
                     ///< mended
        kTimedOut,
    };

    /// Once, by who has made the memory, before anybody else knows it.
    void init();
    Result lock(unsigned patience_ms = kPatienceMs);
    void repaired() { pthread_mutex_consistent(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

  private:
    pthread_mutex_t mutex_;
};

}  // namespace sluice
