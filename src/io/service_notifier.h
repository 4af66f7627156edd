#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// What systemd wants to hear of a service with `Type=notify` (sd_notify(3)). Without systemd nothing is sent.
class ServiceNotifier {
  public:
    ServiceNotifier() = default;
    explicit ServiceNotifier(std::string socket) : socket_(std::move(socket)) {}

    /// By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
    static ServiceNotifier of_environment();

    /// Lines as `READY=1`. A message that nobody takes is lost: systemd's absence must not stop a server.
    void tell(std::string_view lines) const;
    /// RELOADING=1 with the time that systemd wants beside it.
    void tell_reloading() const;
    /// How often to tell WATCHDOG=1, twice as often as is demanded; 0: never.
    uint64_t watchdog_ms() const { return watchdog_ms_; }

  private:
    std::string socket_;  ///< a path, or `@name` in the abstract namespace; empty: nobody listens
    uint64_t watchdog_ms_ = 0;
};

}  // namespace sluice
