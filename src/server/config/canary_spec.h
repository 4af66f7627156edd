#pragma once

#include <cstdint>

namespace sluice {

/// How a reload tries out its generation before that takes over.
struct CanarySpec {
    uint32_t ms = 0;      ///< how long; 0: it takes over at once
    double share = 0.05;  ///< of the requests
};

}  // namespace sluice
