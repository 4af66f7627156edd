#include "server/master/canary.h"

#include <cmath>
#include <cstdio>
#include <numeric>

namespace sluice {

namespace {

double share_of(uint64_t some, uint64_t all) {
    return all ? static_cast<double>(some) / static_cast<double>(all) : 0;
}

/// Whether `some` of `all` are more than chance makes of a share. Counts of rare events are Poisson's, whose
/// variance is their mean.
bool is_more(uint64_t some, uint64_t all, double share) {
    const double expected = static_cast<double>(all) * share;
    return static_cast<double>(some) > expected + 3 * std::sqrt(expected);
}

std::string milliseconds(size_t bucket) {
    char text[32];
    snprintf(text, sizeof text, "%.3g ms", CanaryCounts::bound_us(bucket) / 1000);
    return text;
}

std::string part(uint64_t some, uint64_t all) {
    char text[80];
    snprintf(text, sizeof text, "%llu of %llu requests (%.3g %%)", static_cast<unsigned long long>(some),
             static_cast<unsigned long long>(all), 100 * share_of(some, all));
    return text;
}

}  // namespace

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
    for (uint64_t seen = taken[0]; seen * 100 < all * 99; seen += taken[bucket])
        ++bucket;
    return bucket;
}

std::string CanaryFigures::describe() const {
    const size_t bucket = p99();
    return std::to_string(given) + " requests, " + std::to_string(failed) + " failed, " +
           std::to_string(unanswered()) + " without an answer, p99 " +
           (bucket < taken.size() ? "below " + milliseconds(bucket)
                                  : "of fewer than " + std::to_string(kLeastForP99) + " not known");
}

std::string why_worse(const CanaryFigures& canary, const CanaryFigures& serving, bool is_over) {
    if (!is_over && canary.failed < kEnoughFailed) return {};
    if (is_more(canary.failed, canary.given, share_of(serving.failed, serving.given)))
        return part(canary.failed, canary.given) + " have failed, before " +
               part(serving.failed, serving.given);
    if (!is_over) return {};
    if (is_more(canary.unanswered(), canary.given, share_of(serving.unanswered(), serving.given)))
        return part(canary.unanswered(), canary.given) + " had no answer, before " +
               part(serving.unanswered(), serving.given);
    const size_t before = serving.p99(), now = canary.p99();
    if (before == CanaryCounts::kBuckets || now == CanaryCounts::kBuckets) return {};
    // The next bucket counts as that one: times just around its bound are in both.
    uint64_t slower = 0;
    for (size_t bucket = before + 2; bucket < canary.taken.size(); ++bucket)
        slower += canary.taken[bucket];
    if (!is_more(slower, canary.answered(), 0.01)) return {};
    return "p99 is below " + milliseconds(now) + ", before " + milliseconds(before) + ": " +
           part(slower, canary.answered()) + " took longer than " + milliseconds(before + 1);
}

}  // namespace sluice
