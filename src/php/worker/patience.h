#pragma once

#include "php/coroutine/waiting.h"
#include "php/worker/ways_out.h"

namespace sluice::php {

struct Worker;

/// How often and how long something that found no room on the way is tried again. Who waits for the same way
/// has a turn in the order of coming: whoever submits without end leaves room to those who submit once.
class Patience {
  public:
    Patience(Worker& worker, uint64_t most_ms) : worker_(worker), most_ms_(most_ms) {}
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;
    ~Patience() { leave(); }

    /// Asked before each try: false while others have waited for longer.
    bool may_try(const Command& command) const;

    enum class Then {
        kTryAgain,
        kGiveUp,       ///< the time is over
        kNobodyWaits,  ///< not where this was called
        kInterrupted,  ///< with an exception
    };
    /// Suspends for a moment. Without coroutines at all, when nothing else could go on in this worker anyway,
    /// it serves the port meanwhile.
    Then pause(const Command& command);
    /// Says in the log, now and then, that something was dropped after kGiveUp.
    void tell_of_loss() const;

  private:
    void leave();

    Worker& worker_;
    uint64_t most_ms_;
    uint64_t due_ms_ = 0;
    Repeated repeated_;
    WaitQueue* line_ = nullptr;  ///< in which `waiter_` stands
    Waiter waiter_ = {};
};

}  // namespace sluice::php
