#pragma once

#include <cstddef>

namespace sluice {

/// What the kernel allows a process in mappings of memory: vm.max_map_count.
struct MappingBudget {
    size_t most = 0;  ///< 0: not known
    size_t used = 0;

    static MappingBudget of_process();
    /// Fibers' stacks that fit beside what is used, with some room left for everything else. SIZE_MAX when
    /// the limit is not known.
    size_t stacks() const;
};

}  // namespace sluice
