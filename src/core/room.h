#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Memory that a message is assembled in, lent to a protocol by whoever drives it.
///
/// This is the middle of the seam "give me room for N bytes; N arrived; here is the finished message": a
/// protocol asks for room (`Event::kNeedRoom`), never allocates, and cannot tell an extent of the shared
/// arena from a fresh PHP string or from a test's buffer.
struct Room {
    char* data = nullptr;
    size_t size = 0;

    explicit operator bool() const { return data != nullptr; }
};

}  // namespace sluice
