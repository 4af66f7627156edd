#include "io/mapping_budget.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {

namespace {
/// A stack's pages, and the guard below them.
constexpr size_t kMappingsPerStack = 2;
/// For libraries that are loaded later, PHP's own memory, the application's files.
constexpr size_t kReserve = 1024;

/// Calls `each(const char*, size_t)` with what the file holds, in pieces.
template <typename F>
bool read_pieces(const char* path, F each) {
    UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
    if (!fd) return false;
    char piece[4096];
    ssize_t bytes;
    while ((bytes = read(fd.get(), piece, sizeof piece)) > 0)
        each(piece, static_cast<size_t>(bytes));
    return bytes == 0;
}
}  // namespace

MappingBudget MappingBudget::of_process() {
    MappingBudget budget;
    char text[32] = "";
    const bool known = read_pieces("/proc/sys/vm/max_map_count", [&](const char* piece, size_t bytes) {
        const size_t kept = std::min(bytes, sizeof text - 1);
        memcpy(text, piece, kept);
        text[kept] = '\0';
    });
    const bool counted = read_pieces("/proc/self/maps", [&](const char* piece, size_t bytes) {
        budget.used += static_cast<size_t>(std::count(piece, piece + bytes, '\n'));
    });
    if (known && counted) budget.most = strtoull(text, nullptr, 10);
    return budget;
}

size_t MappingBudget::stacks() const {
    if (most == 0) return SIZE_MAX;
    const size_t taken = used + kReserve;
    return taken < most ? std::max<size_t>((most - taken) / kMappingsPerStack, 1) : 1;
}

}  // namespace sluice
