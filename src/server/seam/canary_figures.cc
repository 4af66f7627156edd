#include "server/seam/canary_figures.h"

#include <cstdio>
#include <numeric>

namespace sluice {

CanaryFigures CanaryFigures::of(const SharedLayout& layout, unsigned generation, CanaryCells::Side side) {
    CanaryFigures figures;
    for (unsigned i = 0; i < layout.shape().reactors; ++i) {
        const CanaryCells& cells = layout.reactor(i).canary;
        if (cells.generation.load(std::memory_order_acquire) != generation) continue;
        const CanaryCounts& counts = cells.of[side];
        figures.given += counts.given.load(std::memory_order_relaxed);
        figures.failed += counts.failed.load(std::memory_order_relaxed);
        figures.left += counts.left.load(std::memory_order_relaxed);
        for (size_t bucket = 0; bucket < figures.taken.size(); ++bucket)
            figures.taken[bucket] += counts.taken[bucket].load(std::memory_order_relaxed);
    }
    return figures;
}

uint64_t CanaryFigures::answered() const {
    return std::accumulate(taken.begin(), taken.end(), uint64_t{0});
}

uint64_t CanaryFigures::unanswered() const {
    const uint64_t ended = answered();
    return given > ended ? given - ended : 0;
}

size_t CanaryFigures::p99() const {
    const uint64_t all = answered();
    if (all < kLeastForP99) return CanaryCounts::kBuckets;
    size_t bucket = 0;
    // The counts may be anything, also such that these numbers wrap.
    for (uint64_t seen = taken[0]; bucket + 1 < taken.size() && seen * 100 < all * 99; seen += taken[bucket])
        ++bucket;
    return bucket;
}

std::string CanaryFigures::describe() const {
    const size_t bucket = p99();
    return std::to_string(given) + " requests, " + std::to_string(failed) + " failed, " +
           std::to_string(unanswered()) + " without an answer, p99 " +
           (bucket < taken.size() ? "below " + bound_text(bucket)
                                  : "of fewer than " + std::to_string(kLeastForP99) + " not known");
}

std::string bound_text(size_t bucket) {
    char text[32];
    const double ms = CanaryCounts::bound_us(bucket) / 1000;
    snprintf(text, sizeof text, ms < 1000 ? "%.3g ms" : "%.3g s", ms < 1000 ? ms : ms / 1000);
    return text;
}

}  // namespace sluice
