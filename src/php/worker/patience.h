#pragma once

#include "php/coroutine/waiting.h"

namespace sluice::php {

struct Worker;

/// How often and how long something that found no room on the way is tried again.
class Patience {
  public:
    Patience(Worker& worker, uint64_t most_ms) : worker_(worker), most_ms_(most_ms) {}

    enum class Then {
        kTryAgain,
        kGiveUp,       ///< the time is over
        kNobodyWaits,  ///< not where this was called
        kInterrupted,  ///< with an exception
    };
    /// Suspends for a moment. Without coroutines at all, when nothing else could go on in this worker anyway,
    /// it serves the port meanwhile.
    Then pause();
    /// Says in the log, now and then, that something was dropped after kGiveUp.
    void tell_of_loss() const;

  private:
    Worker& worker_;
    uint64_t most_ms_;
    uint64_t due_ms_ = 0;
    Repeated repeated_;
};

}  // namespace sluice::php
