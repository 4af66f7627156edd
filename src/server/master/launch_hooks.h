#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sluice {

class MessageAllocator;

/// What the layer above gives the server: things only it can do.
struct LaunchHooks {
    /// Changes this process's title as `ps` shows it.
    std::function<void(const std::string& title)> set_title;
    /// For the log, once it is open.
    std::vector<std::string> hints;
    /// Base mode: memory for received messages. Must outlive the port.
    MessageAllocator* allocator = nullptr;
};

}  // namespace sluice
