#pragma once

#include "server/master/launch_hooks.h"
#include "server/seam/launch_result.h"

namespace sluice {

struct ServerConfig;

/// Becomes a server. In the process that calls it, it returns when the server has stopped (or could not
/// start); in each worker that is forked, it returns at once. The processes between never return from it.
LaunchResult launch(const ServerConfig& config, const LaunchHooks& hooks);

}  // namespace sluice
