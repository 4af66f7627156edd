#pragma once

#include "server/master/launch_hooks.h"
#include "server/seam/launch_result.h"

namespace sluice {

struct ServerConfig;

/// Becomes a server. In the calling process it returns when the server has stopped (or could not start); in
/// each forked worker it returns at once. Generations and the reactor process never return from it.
LaunchResult launch(const ServerConfig& config, const LaunchHooks& hooks);

}  // namespace sluice
