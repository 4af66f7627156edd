#include "server/master/canary.h"

#include <cmath>
#include <cstdio>

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

std::string part(uint64_t some, uint64_t all) {
    char text[80];
    snprintf(text, sizeof text, "%llu of %llu requests (%.3g %%)", static_cast<unsigned long long>(some),
             static_cast<unsigned long long>(all), 100 * share_of(some, all));
    return text;
}

}  // namespace

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
    return "p99 is below " + bound_text(now) + ", before " + bound_text(before) + ": " +
           part(slower, canary.answered()) + " took longer than " + bound_text(before + 1);
}

}  // namespace sluice
