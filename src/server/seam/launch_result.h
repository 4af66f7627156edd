#pragma once

#include <memory>
#include <string>

#include "server/seam/worker_port.h"

namespace sluice {

/// What a process is once it has become a server.
struct LaunchResult {
    /// Set in a worker: serve with it, then destroy it and exit. Empty in the master once the server has
    /// stopped.
    std::unique_ptr<WorkerPort> port;
    WorkerIdentity identity;
    /// In the master: why it could not serve, or empty.
    std::string error;
};

}  // namespace sluice
