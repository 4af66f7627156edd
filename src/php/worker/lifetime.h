#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::php {

struct Worker;

/// How long a worker may serve; 0: for ever.
struct LifetimeLimits {
    uint64_t requests = 0;  ///< and messages
    uint64_t duration_ms = 0;
    uint64_t memory_bytes = 0;
};

/// Asks for a successor once the worker has reached its limits. The worker goes on until that is ready; after
/// a fatal error it takes no further messages.
class Lifetime {
  public:
    explicit Lifetime(const LifetimeLimits& limits);

    /// Once per turn.
    void look(Worker& worker);
    /// In how many ms to call look() next; -1: never.
    int wait_ms() const;

  private:
    const char* reached(const Worker& worker) const;

    LifetimeLimits limits_;  ///< with a part added by chance, so that workers do not leave together
    uint64_t due_ms_ = 0;
    bool asked_ = false;
    bool is_broken_ = false;  ///< by a fatal error that a handler has survived
};

}  // namespace sluice::php
