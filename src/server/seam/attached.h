#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Length and place of the data attached to a connection, as found by a worker. See Attachments.
struct Attached {
    uint64_t place = 0;
    /// 0: nothing is attached.
    size_t bytes() const { return place & UINT16_MAX; }
};

}  // namespace sluice
