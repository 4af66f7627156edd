#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Memory that a message is assembled in, lent to a protocol by whoever drives it.
///
/// A protocol never allocates: it asks for room (`Event::kNeedRoom`), its driver lends some and says how much
/// has arrived, and the protocol hands over the finished message. So it cannot tell an extent of the shared
/// arena from a fresh PHP string or from a test's buffer.
struct Room {
    char* data = nullptr;
    size_t size = 0;

    explicit operator bool() const { return data != nullptr; }
};

}  // namespace sluice
