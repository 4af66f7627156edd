#pragma once

#include <cstdint>

namespace sluice::http2 {

/// How often a peer may do something that costs it little and the server more. What a period leaves over is
/// lost.
class Budget {
  public:
    /// The period in which `allowed` holds.
    static constexpr uint64_t kPeriodMs = 10'000;

    explicit Budget(uint32_t allowed) : allowed_(allowed) {}

    /// False when it is used up.
    bool spend(uint64_t now_ms) {
        if (now_ms - began_ms_ >= kPeriodMs) {
            began_ms_ = now_ms;
            used_ = 0;
        }
        return ++used_ <= allowed_;
    }

  private:
    uint64_t began_ms_ = 0;
    uint32_t allowed_;
    uint32_t used_ = 0;
};

}  // namespace sluice::http2
