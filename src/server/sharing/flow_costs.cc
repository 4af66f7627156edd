#include "server/sharing/flow_costs.h"

#include <algorithm>
#include <array>

namespace sluice {

namespace {

/// What the cell holds: a cost, and by when. Milliseconds wrap around after 49 days; a cell that nobody has
/// touched for so long is taken for a fresh one for half a second at the worst.
struct State {
    uint32_t cost_us;
    uint32_t at_ms;
};

State unpack(uint64_t bits) {
    return {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
}
uint64_t pack(State state) {
    return uint64_t{state.at_ms} << 32 | state.cost_us;
}

/// 2^(-ms / kHalfLifeMs), times 2^32.
constexpr auto kDecay = [] {
    constexpr double kPerMs = 0.9986146661010289;  // 2^(-1/500)
    static_assert(FlowCosts::kHalfLifeMs == 500);
    std::array<uint64_t, FlowCosts::kHalfLifeMs> factors{};
    double factor = 4294967296.0;
    for (uint64_t& it : factors) {
        it = static_cast<uint64_t>(factor);
        factor *= kPerMs;
    }
    return factors;
}();

uint32_t left_of(State state, uint64_t now_ms) {
    const uint32_t ms = static_cast<uint32_t>(now_ms) - state.at_ms;
    // Another reactor may have read its clock a moment later.
    if (static_cast<int32_t>(ms) <= 0) return state.cost_us;
    const uint32_t halvings = ms / FlowCosts::kHalfLifeMs;
    if (halvings >= 32) return 0;
    return static_cast<uint32_t>((state.cost_us >> halvings) * kDecay[ms % FlowCosts::kHalfLifeMs] >> 32);
}

}  // namespace

uint32_t FlowCosts::recent_us(uint64_t key, uint64_t now_ms) const {
    uint32_t least = kMostUs;
    for (size_t row = 0; row < kRows; ++row)
        least =
            std::min(least, left_of(unpack(cell(key, row).state.load(std::memory_order_relaxed)), now_ms));
    return least;
}

void FlowCosts::charge(uint64_t key, uint32_t cost_us, uint64_t now_ms) const {
    for (size_t row = 0; row < kRows; ++row) {
        std::atomic<uint64_t>& state = cell(key, row).state;
        const uint64_t sum =
            uint64_t{left_of(unpack(state.load(std::memory_order_relaxed)), now_ms)} + cost_us;
        state.store(
            pack({static_cast<uint32_t>(std::min<uint64_t>(sum, kMostUs)), static_cast<uint32_t>(now_ms)}),
            std::memory_order_relaxed);
    }
}

}  // namespace sluice
