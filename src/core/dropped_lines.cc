#include "core/dropped_lines.h"

namespace sluice::log {

namespace {
std::atomic<DroppedLines*> place = nullptr;
}

void count_dropped_in(DroppedLines& lines) {
    place.store(&lines);
}

void stop_counting_in(std::span<const char> memory) {
    const auto* const at = reinterpret_cast<const char*>(place.load());
    if (at >= memory.data() && at < memory.data() + memory.size()) place.store(nullptr);
}

void count_dropped(std::atomic<uint64_t> DroppedLines::*why, uint64_t lines) {
    if (DroppedLines* const all = place.load()) (all->*why).fetch_add(lines, std::memory_order_relaxed);
}

}  // namespace sluice::log
