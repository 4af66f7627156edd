#include "server/seam/readiness_cells.h"

#include <algorithm>
#include <cstring>

namespace sluice {

namespace {
template <size_t kBytes>
void put(char (&to)[kBytes], std::string_view text) {
    const size_t bytes = std::min(text.size(), kBytes - 1);
    memcpy(to, text.data(), bytes);
    memset(to + bytes, 0, kBytes - bytes);
}
}  // namespace

std::span<ReadinessCell> ReadinessCells::of(uint32_t generation) const {
    const std::span<ReadinessCell> first = cells_.first(kMost), second = cells_.last(kMost);
    const auto has = [](std::span<ReadinessCell> cells, uint32_t number) {
        return cells[0].generation.load(std::memory_order_acquire) == number;
    };
    if (has(first, generation)) return first;
    if (has(second, generation)) return second;
    // Boots that have failed have numbers, too: so the place is not told by the number.
    const uint32_t serving = serving_.load(std::memory_order_relaxed);
    return serving != 0 && has(first, serving) ? second : first;
}

void ReadinessCells::note(uint32_t generation, size_t index, std::string_view name,
                          ReadinessCell::Found found, std::string_view reason, uint64_t due_ms) const {
    if (index >= kMost) return;
    ReadinessCell& cell = of(generation)[index];
    const bool is_new = cell.generation.load(std::memory_order_acquire) != generation;
    // A worker that only declares the check must not hide what another one has found.
    if (found == ReadinessCell::Found::kNothing && !is_new) return;
    if (is_new) put(cell.name, name);
    put(cell.reason, reason);
    cell.found.store(found, std::memory_order_relaxed);
    cell.due_ms.store(due_ms, std::memory_order_relaxed);
    cell.generation.store(generation, std::memory_order_release);
}

uint64_t ReadinessCells::holds_ms(uint32_t generation, size_t index, uint64_t now_ms) const {
    if (index >= kMost) return 0;
    const ReadinessCell& cell = of(generation)[index];
    if (cell.generation.load(std::memory_order_acquire) != generation ||
        cell.found.load(std::memory_order_relaxed) == ReadinessCell::Found::kNothing)
        return 0;
    const uint64_t due_ms = cell.due_ms.load(std::memory_order_relaxed);
    return due_ms > now_ms ? due_ms - now_ms : 0;
}

}  // namespace sluice
