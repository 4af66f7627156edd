#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "server/seam/shared_layout.h"

namespace sluice {

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

/// Fewer answers than that have no 99th percentile.
inline constexpr uint64_t kLeastForP99 = 100;
/// So many failed requests are enough to refuse a canary before its time is over.
inline constexpr uint64_t kEnoughFailed = 10;

/// Why the canary is worse than the generation that serves; empty: it is not. Worse is what chance does not
/// explain: more than three standard deviations above what the other generation's share lets expect.
/// `is_over`: its time is; otherwise only many failed requests count.
std::string why_worse(const CanaryFigures& canary, const CanaryFigures& serving, bool is_over);

}  // namespace sluice
