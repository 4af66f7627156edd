#pragma once

#include "io/control_channel.h"
#include "server/master/boot.h"
#include "server/master/launch_hooks.h"
#include "server/seam/launch_result.h"
#include "server/seam/shared_layout.h"

namespace sluice {

struct ServerConfig;

/// What a generation gets to make workers.
struct GenerationWiring {
    ControlChannel control;  ///< to the master
    SharedLayout layout;
    unsigned generation;
    std::vector<int> worker_doorbells;
    std::vector<int> reactor_doorbells;
};

/// Forks workers as the master asks. Returns only in a worker, with its port. The generation itself never
/// runs PHP again: it ends with _exit, so that neither destructors nor shutdown functions run in it.
LaunchResult serve_generation(GenerationWiring wiring, const ServerConfig& config, const LaunchHooks& hooks);

}  // namespace sluice
