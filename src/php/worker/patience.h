#pragma once

#include "php/coroutine/waiting.h"
#include "php/worker/ways_out.h"

namespace sluice::php {

struct Worker;

/// Retries a command that found no room on its way to a reactor. Waiters of one way have turns in their
/// order, so that a coroutine that submits without end cannot starve others.
class Patience {
  public:
    Patience(Worker& worker, uint64_t most_ms) : worker_(worker), most_ms_(most_ms) {}
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;
    ~Patience() { leave(); }

    /// Call it before each try: false while others have waited longer.
    bool may_try(const Command& command) const;

    enum class Then {
        kTryAgain,
        kGiveUp,       ///< the time is over
        kNobodyWaits,  ///< suspending is impossible here
        kInterrupted,  ///< with an exception
    };
    /// Suspends for a moment. Without coroutines, when nothing else could run in this worker anyway, it
    /// serves the port meanwhile.
    Then pause(const Command& command);
    /// Logs, at growing intervals, that a command was dropped after kGiveUp.
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
