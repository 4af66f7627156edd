#pragma once

#include <string>

namespace sluice {

class Observer;

/// Pools that have a name, over all workers, and pools of tasks: as they tell of themselves in the metrics.
std::string json_of_pools(const Observer& observer);

}  // namespace sluice
