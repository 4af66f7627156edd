#pragma once

#include <string>

#include "server/seam/canary_figures.h"

namespace sluice {

/// So many failed requests are enough to refuse a canary before its time is over.
inline constexpr uint64_t kEnoughFailed = 10;

/// Why the canary is worse than the generation that serves; empty: it is not. Worse is what chance does not
/// explain: more than three standard deviations above what the other generation's share lets expect.
/// `is_over`: its time is; otherwise only many failed requests count.
std::string why_worse(const CanaryFigures& canary, const CanaryFigures& serving, bool is_over);

}  // namespace sluice
