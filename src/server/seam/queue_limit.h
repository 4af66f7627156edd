#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "server/seam/transport.h"

namespace sluice {

/// How much may lie before a message in a worker's queue, where nobody can overtake anybody; Linux has the
/// same in its byte queue limits. As much as the worker begins within kMs, so that a quick request need not
/// wait longer behind slow ones, and at least as much as keeps the worker busy until the reactor brings more.
class QueueLimit {
  public:
    static constexpr size_t kLeast = 2, kFirst = 32, kMost = 256;
    static constexpr uint64_t kMs = 4;

    /// `is_contended`: others wait.
    size_t most_requests(bool is_contended = false) const {
        return is_contended ? std::min(most_, kMostContended) : most_;
    }
    /// Messages of conversations have a bound of bytes; many that are handled quickly may lie within it.
    size_t most_messages() const { return most_ < kMost ? most_ : SIZE_MAX; }
    /// Something had to wait because of this limit.
    void refused() { has_refused_ = true; }
    /// The worker has begun everything.
    void idle() {
        since_ms_ = 0;
        if (has_refused_) most_ = std::min(kMost, most_ * 2);
        has_refused_ = false;
    }
    /// The worker has begun so many messages in all, and there are more.
    void busy(uint64_t begun, uint64_t now_ms) {
        if (since_ms_ != 0) {
            const uint64_t ms = now_ms - since_ms_;
            if (ms < kMs) return;
            most_ = std::clamp(static_cast<size_t>((begun - begun_) * kMs / ms), kLeast, kMost);
        }
        since_ms_ = now_ms;
        begun_ = begun;
    }

  private:
    size_t most_ = kFirst;
    bool has_refused_ = false;
    uint64_t since_ms_ = 0;  ///< 0: nothing is measured
    uint64_t begun_ = 0;     ///< by then
};

}  // namespace sluice
