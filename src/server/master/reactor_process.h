#pragma once

#include <vector>

#include "io/control_channel.h"
#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// The process that owns the clients in process mode: one thread for each reactor.
struct ReactorProcessWiring {
    ControlChannel control;  ///< to the master
    SharedLayout layout;
    Limits limits;
    std::string temporary_folder;
    std::vector<int> worker_doorbells;
    std::vector<int> reactor_doorbells;
};

/// Serves until the master is gone or stops it; never returns.
[[noreturn]] void serve_reactors(ReactorProcessWiring wiring);

}  // namespace sluice
