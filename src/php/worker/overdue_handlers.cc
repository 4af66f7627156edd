#include "php/worker/overdue_handlers.h"

#include <algorithm>
#include <string>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/occasion.h"
#include "php/worker/worker.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

constexpr uint64_t kLongestWaitMs = 3'600'000;
constexpr const char* kOverdue =
    "The handler has waited in one place for longer than Limits::$killSeconds allows, and has held up others";

/// Whether no message is taken any more until a coroutine ends.
bool is_full(const Worker& worker) {
    return scheduler()->live() + worker.waiting.size() + worker.pipelines.size() >= scheduler()->most_live();
}

void tell_of(const Coroutine& coroutine, size_t behind, uint64_t most_ms) {
    const std::string held_up = behind == 0 ? "all coroutines are in use"
                                : behind == 1
                                    ? "a message of its connection waits behind it"
                                    : std::to_string(behind) + " messages of its connection wait behind it";
    SLUICE_WARNING(
        "In %s: it has waited in one place for more than %.1f s (killSeconds), and %s. It is cancelled "
        "there, in %s",
        coroutine.occasion ? coroutine.occasion->name().text() : "what follows a handler",
        static_cast<double>(most_ms) / 1000, held_up.c_str(), place_of(coroutine.frame).c_str());
}

}  // namespace

void OverdueHandlers::look(Worker& worker) {
    if (period_ms_ == 0 || !scheduler()) return;
    if (worker.handlings.empty()) {
        next_ms_ = 0;
        return;
    }
    const uint64_t now_ms = monotonic_tick_ms();
    if (now_ms < next_ms_) return;
    const bool is_first = next_ms_ == 0;
    next_ms_ = now_ms + period_ms_;
    scheduler()->begin_period();
    if (is_first) return;
    const bool nobody_begins = is_full(worker);
    worker.handlings.for_each([&](Handling& handling) {
        Coroutine& coroutine = *handling.coroutine;
        const size_t behind = worker.waiting.behind(handling.message.connection);
        if (handling.message.is<inbound::Request>() || (behind == 0 && !nobody_begins) ||
            scheduler()->has_run(coroutine)) {
            handling.periods = 0;
        } else if (++handling.periods == kPeriods + 1) {  // the first of them had begun before
            tell_of(coroutine, behind, most_ms_);
            scheduler()->interrupt(coroutine, kOverdue);
        }
    });
}

int OverdueHandlers::wait_ms() const {
    if (next_ms_ == 0) return -1;
    const uint64_t now_ms = monotonic_tick_ms();
    return static_cast<int>(std::min(next_ms_ > now_ms ? next_ms_ - now_ms : 0, kLongestWaitMs));
}

}  // namespace sluice::php
