#pragma once

#include <string>

#include "server/observer/reactor_sums.h"

namespace sluice {

/// Connections by protocol and state, who waits for what, what was refused, and topics.
std::string json_of(const ReactorSums& sums);

}  // namespace sluice
