#pragma once

#include <cstdint>

namespace sluice::php {

struct Worker;

/// Base mode: handles a `memory_limit` that leaves no room for messages, which would wait until their clients
/// give up. Collects memory, logs it, and in the end asks for another worker.
class MemoryShortage {
  public:
    /// Once per turn.
    void look(Worker& worker);

    /// How long running handlers have to free memory.
    static constexpr uint64_t kPatienceMs = 2000;

  private:
    uint64_t since_ms_ = 0;  ///< 0: no shortage
    uint64_t times_ = 0;
    bool gave_up_ = false;
};

}  // namespace sluice::php
