#pragma once

#include <memory>
#include <string>

#include "server/seam/worker_port.h"

namespace sluice {

/// The role of a process after it has become a server.
struct LaunchResult {
    /// Set in a worker: serve with it, then destroy it and exit. Empty in the master, once the server has
    /// stopped.
    std::unique_ptr<WorkerPort> port;
    WorkerIdentity identity;
    /// In the master: why the server could not start, or empty.
    std::string error;
};

}  // namespace sluice
