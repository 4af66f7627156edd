#pragma once

#include <cstdint>

namespace sluice {

/// What a connection waits for; see Admission.
enum class Resource : uint8_t {
    kWorker,     ///< any worker
    kItsWorker,  ///< the one that it is bound to
    kArena,      ///< memory for what it sends
    kOutMemory,  ///< memory for what it gets
    kInflater,
    kCount
};

}  // namespace sluice
