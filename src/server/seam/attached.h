#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// What a worker has found attached to a connection: of what length, and where. See Attachments.
struct Attached {
    uint64_t place = 0;
    /// 0: nothing is attached.
    size_t bytes() const { return place & UINT16_MAX; }
};

}  // namespace sluice
