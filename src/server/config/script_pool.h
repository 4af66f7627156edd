#pragma once

#include <cstdint>

namespace sluice {

/// What the processes of a pool for scripts keep to beside their number, as those of php-fpm's `pm`.
struct ScriptPool {
    uint32_t least = 2;         ///< processes that stay, whatever there is to do
    uint32_t requests = 0;      ///< after so many a process ends, and another one takes its place; 0: never
    uint32_t idle_ms = 10'000;  ///< further processes that nobody has needed for so long end
    uint32_t terminate_ms = 0;  ///< a request may take so long; 0: any time
    uint32_t slow_ms = 0;       ///< the stack of a request that takes longer is logged; 0: of none
};

}  // namespace sluice
