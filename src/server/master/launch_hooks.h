#pragma once

#include <functional>
#include <string>

namespace sluice {

class MessageAllocator;

/// What the layer above (src/php) provides to the server.
struct LaunchHooks {
    /// Changes this process's title as `ps` shows it.
    std::function<void(const std::string& title)> set_title;
    /// The master has ended as it was asked to: called before signals reach this process again.
    std::function<void()> has_ended;
    /// Where PHP stands in a process forked from this one, in lines; empty when that cannot be seen.
    std::function<std::string(int pid)> stack_of;
    /// Base mode: memory for received messages. It must outlive the port.
    MessageAllocator* allocator = nullptr;
};

}  // namespace sluice
