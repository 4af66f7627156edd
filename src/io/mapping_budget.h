#pragma once

#include <cstddef>

namespace sluice {

/// How many memory mappings the kernel allows a process (vm.max_map_count).
struct MappingBudget {
    size_t most = 0;  ///< 0: not known
    size_t used = 0;

    static MappingBudget of_process();
    /// How many fibers' stacks still fit, with a reserve for everything else. SIZE_MAX when the limit is not
    /// known.
    size_t stacks() const;
};

}  // namespace sluice
