// Master: a generation that is tried out before it takes over.
#include <algorithm>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "server/master/canary.h"
#include "server/master/master.h"
#include "server/seam/control.h"

namespace sluice {

namespace {
constexpr uint64_t kLookMs = 100;
/// At most, for the last answers, when the canary gets no more requests; never longer than these came for.
constexpr uint64_t kMostSettleMs = 5000;
}  // namespace

/// All of the generation's workers are ready.
void Master::take_over_or_try(Generation& generation) {
    if (generation.is_canary) return;
    const bool is_tried = generation.config.canary.ms != 0 && config_.mode == Mode::kProcess;
    if (is_tried && current()) {
        begin_canary(generation);
    } else {
        activate(generation);
    }
}

void Master::begin_canary(Generation& generation) {
    const CanarySpec& spec = generation.config.canary;
    SLUICE_INFO("generation %u is tried out: it gets %.3g %% of the requests for %.3g s", generation.number,
                100 * spec.share, spec.ms / 1000.0);
    notifier_.tell("READY=1\nSTATUS=Serving, generation " + std::to_string(current_generation_) +
                   "; generation " + std::to_string(generation.number) + " is tried out\n");
    watch_.boot_ended();
    generation.is_canary = true;
    is_canary_settling_ = false;
    look_at_canary_ms_ = monotonic_ms() + kLookMs;
    canary_until_ms_ = monotonic_ms() + spec.ms;
    tell_reactor_of_canary(generation, spec.share);
    for (unsigned slot : workers_of(generation.number))
        if (workers_[slot].state == WorkerState::kReady) tell_reactor_of_ready(slot);
}

void Master::look_at_canary() {
    const uint64_t now_ms = monotonic_ms();
    look_at_canary_ms_ = now_ms + kLookMs;
    Generation& generation = *find_generation(pending_generation_);
    const auto canary = CanaryFigures::of(layout_, generation.number, CanaryCells::kCanary);
    const auto serving = CanaryFigures::of(layout_, generation.number, CanaryCells::kServing);
    const bool is_over = is_canary_settling_ && (canary.are_settled() || now_ms >= canary_until_ms_);
    if (const std::string why = why_worse(canary, serving, is_over); !why.empty()) {
        reload_failed("generation " + std::to_string(generation.number) + " is worse: " + why);
        return;
    }
    if (!is_canary_settling_ && now_ms >= canary_until_ms_) {
        is_canary_settling_ = true;
        canary_until_ms_ = now_ms + std::min<uint64_t>(kMostSettleMs, generation.config.canary.ms);
        tell_reactor_of_canary(generation, 0);
    }
    if (!is_over) return;
    look_at_canary_ms_ = 0;
    generation.trial = canary.describe() + "; generation " + std::to_string(current_generation_) + ": " +
                       serving.describe();
    SLUICE_INFO("generation %u is not worse: %s", generation.number, generation.trial.c_str());
    activate(generation);
}

/// Those of its workers that do not drain take all messages.
void Master::end_canary() {
    look_at_canary_ms_ = 0;
    const char order = static_cast<char>(Control::kEndCanary);
    tell_reactor({&order, 1});
}

void Master::tell_reactor_of_canary(const Generation& generation, double share) {
    WireWriter order;
    order.put(Control::kCanary);
    order.put(static_cast<uint32_t>(generation.number));
    order.put(share);
    tell_reactor(order.bytes());
}

bool Master::is_canary_under_way() const {
    return std::any_of(generations_.begin(), generations_.end(), [this](const auto& generation) {
        return generation->number == pending_generation_ && generation->is_canary;
    });
}

}  // namespace sluice
