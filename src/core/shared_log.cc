#include "core/shared_log.h"

#include <algorithm>
#include <cstring>

namespace sluice::log {

namespace {
std::atomic<SharedLog*> place = nullptr;
}

void SharedLog::remember(std::string_view text) {
    size_t size = std::min(text.size(), kLineBytes);
    // No character is cut in two.
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size - 1]) & 0xC0) == 0x80)
        --size;
    const uint64_t number = lines.fetch_add(1, std::memory_order_relaxed) + 1;
    Line& line = last[number % kLastLines];
    line.number.store(0, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_release);
    line.size = static_cast<uint32_t>(size);
    memcpy(line.text, text.data(), size);
    if (size > 0) line.text[size - 1] = '\n';
    line.number.store(number, std::memory_order_release);
}

std::string SharedLog::tail() const {
    std::string text;
    const uint64_t newest = lines.load(std::memory_order_acquire);
    for (uint64_t left = std::min<uint64_t>(newest, kLastLines); left > 0; --left) {
        const uint64_t number = newest - left + 1;
        const Line& line = last[number % kLastLines];
        if (line.number.load(std::memory_order_acquire) != number) continue;
        std::string copy(line.text, std::min<size_t>(line.size, kLineBytes));
        std::atomic_thread_fence(std::memory_order_acquire);
        // Another one has come to its place meanwhile.
        if (line.number.load(std::memory_order_relaxed) == number) text += copy;
    }
    return text;
}

void share(SharedLog& log) {
    place.store(&log);
}

void stop_sharing_in(std::span<const char> memory) {
    const auto* const at = reinterpret_cast<const char*>(place.load());
    if (at >= memory.data() && at < memory.data() + memory.size()) place.store(nullptr);
}

void count_dropped(std::atomic<uint64_t> SharedLog::*why, uint64_t lines) {
    if (SharedLog* const log = place.load()) (log->*why).fetch_add(lines, std::memory_order_relaxed);
}

void remember(std::string_view line) {
    if (SharedLog* const log = place.load()) log->remember(line);
}

}  // namespace sluice::log
