#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::php {

/// How often a worker looks for garbage cycles by itself. PHP does so whenever 10,000 objects and arrays may
/// be part of one, and follows all that can be reached from them. In a worker that is all that it has booted,
/// again and again: with a hundred applications it took a third of the CPU time. So a look that took long is
/// not repeated soon, unless memory grows.
class GarbagePace {
  public:
    /// Whether PHP may look now. `cpu_ns`: CPU time of this thread; `bytes`: memory that PHP uses; `limit`:
    /// what it may use, 0 for any number.
    bool may_collect(uint64_t cpu_ns, size_t bytes, size_t limit) const {
        return cpu_ns >= not_before_ns_ || bytes > bytes_ + kGrowthBytes || (limit && bytes > limit / 2);
    }

    /// A look is over.
    void collected(uint64_t begun_ns, uint64_t ended_ns, size_t bytes) {
        not_before_ns_ = ended_ns + (ended_ns - begun_ns) * kRest;
        bytes_ = bytes;
    }

    /// How many times longer than a look everything else takes at least.
    static constexpr uint64_t kRest = 19;
    static constexpr size_t kGrowthBytes = size_t{16} << 20;

  private:
    uint64_t not_before_ns_ = 0;
    size_t bytes_ = 0;  ///< after the last look
};

}  // namespace sluice::php
