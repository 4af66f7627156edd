#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/config/config.h"
#include "server/seam/worker_port.h"

namespace sluice {

/// What the layer above gives the server: things only it can do.
struct LaunchHooks {
    /// Changes this process's title as `ps` shows it.
    std::function<void(const std::string& title)> set_title;
    /// Base mode: memory for received messages. Must outlive the port.
    MessageAllocator* allocator = nullptr;
};

struct LaunchResult {
    /// Set in a worker: serve with it, then destroy it and exit. Empty in the master once the server has
    /// stopped.
    std::unique_ptr<WorkerPort> port;
    WorkerIdentity identity;
    /// In the master: why it could not serve, or empty.
    std::string error;
};

/// Becomes a server. In the process that calls it, it returns when the server has stopped (or could not
/// start); in each worker that is forked, it returns at once. The processes between never return from it.
LaunchResult launch(const ServerConfig& config, const LaunchHooks& hooks);

}  // namespace sluice
