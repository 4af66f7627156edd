#pragma once

#include <functional>
#include <string>

namespace sluice {

class MessageAllocator;

/// What the layer above gives the server: things only it can do.
struct LaunchHooks {
    /// Changes this process's title as `ps` shows it.
    std::function<void(const std::string& title)> set_title;
    /// Base mode: memory for received messages. Must outlive the port.
    MessageAllocator* allocator = nullptr;
};

}  // namespace sluice
