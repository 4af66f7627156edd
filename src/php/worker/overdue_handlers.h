#pragma once

#include <cstdint>

namespace sluice::php {

struct Worker;

/// Cancels handlers of messages that wait in one place for `killSeconds` and hold up others meanwhile:
/// further messages of their connection, its end included, or everybody, when all coroutines are in use. Who
/// goes on now and then, as a stream does, may take any time. Requests have a limit of their own.
class OverdueHandlers {
  public:
    /// `most_ms`: 0: no limit.
    explicit OverdueHandlers(uint64_t most_ms)
        : most_ms_(most_ms), period_ms_(most_ms ? most_ms / kPeriods + 1 : 0) {}

    /// Call it in each turn of the loop.
    void look(Worker& worker);
    /// In how many ms to look again; -1: not by time.
    int wait_ms() const;

  private:
    /// A place is seen this often, not timed: clocks are not read at each suspension.
    static constexpr unsigned kPeriods = 4;

    uint64_t most_ms_;
    uint64_t period_ms_;
    uint64_t next_ms_ = 0;  ///< 0: nobody waits
};

}  // namespace sluice::php
