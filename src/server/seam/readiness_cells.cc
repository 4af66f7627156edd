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

}  // namespace sluice
