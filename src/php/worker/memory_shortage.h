#pragma once

#include <cstdint>

namespace sluice::php {

struct Worker;

/// Base mode: what becomes of a worker whose `memory_limit` leaves no room for messages. They would wait
/// until their clients give up; so memory is collected, the log told, and in the end the worker replaced.
class MemoryShortage {
  public:
    /// Once per turn.
    void look(Worker& worker);

    /// How long handlers that are under way have to give memory back.
    static constexpr uint64_t kPatienceMs = 2000;

  private:
    uint64_t since_ms_ = 0;  ///< 0: there is none
    uint64_t times_ = 0;
    bool gave_up_ = false;
};

}  // namespace sluice::php
