#pragma once

#include <string>

#include "php/coroutine/callback.h"
#include "server/seam/inbound.h"

namespace sluice::php {

struct Worker;

/// Calls the leak detector after each message. The worker then handles one message at a time.
class LeakWatch {
  public:
    LeakWatch(Worker& worker, const Callback& detector) : worker_(worker), detector_(detector) {}

    /// The message goes to its handler. `place`: the site's address.
    void begins(const Inbound& message, const std::string& place);
    /// Whether the next message has to wait for look().
    bool is_busy() const { return is_due_; }
    /// Once per turn, outside of coroutines; the first time before any message. False when the script has
    /// called exit().
    bool look();
    /// For how long look() need not be called; -1: until something else happens.
    int wait_ms() const;

  private:
    size_t coroutines() const;
    bool may_settle();

    Worker& worker_;
    const Callback& detector_;
    std::string subject_;
    bool is_due_ = true;
    uint64_t settles_until_ms_ = 0;  ///< once the handler has ended
    size_t coroutines_before_ = 0;
};

}  // namespace sluice::php
