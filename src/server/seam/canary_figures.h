#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "server/seam/shared_layout.h"

namespace sluice {

/// Fewer answers than that have no 99th percentile.
inline constexpr uint64_t kLeastForP99 = 100;

/// What the requests of one generation have come to while a canary was under way, over all reactors.
struct CanaryFigures {
    uint64_t given = 0;
    uint64_t failed = 0;
    uint64_t left = 0;
    std::array<uint64_t, CanaryCounts::kBuckets> taken{};

    static CanaryFigures of(const SharedLayout& layout, unsigned generation, CanaryCells::Side side);

    uint64_t answered() const;
    /// That nobody has answered: they still wait, or their client has left.
    uint64_t unanswered() const;
    /// Whether some still wait.
    bool are_settled() const { return answered() + left >= given; }
    /// The bucket with the 99th percentile of the answered; CanaryCounts::kBuckets: there are too few.
    size_t p99() const;
    std::string describe() const;
};

/// The bound of a bucket, such as `23.8 ms`.
std::string bound_text(size_t bucket);

}  // namespace sluice
