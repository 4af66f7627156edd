#include "io/service_notifier.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {

ServiceNotifier ServiceNotifier::of_environment() {
    const char* const socket = getenv("NOTIFY_SOCKET");
    ServiceNotifier notifier(socket ? socket : "");
    const char* const period = getenv("WATCHDOG_USEC");
    const char* const pid = getenv("WATCHDOG_PID");
    if (socket && period && (!pid || strtoll(pid, nullptr, 10) == getpid())) {
        const uint64_t us = strtoull(period, nullptr, 10);
        if (us > 0) notifier.watchdog_ms_ = std::max<uint64_t>(us / 2000, 1);
    }
    return notifier;
}

void ServiceNotifier::tell(std::string_view lines) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_[0] == '@') address.sun_path[0] = '\0';
    const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) return;
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    sendto(fd.get(), lines.data(), lines.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
           reinterpret_cast<const sockaddr*>(&address), size);
}

void ServiceNotifier::tell_reloading() const {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    tell("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.tv_sec * 1'000'000 + now.tv_nsec / 1000) + "\n");
}

}  // namespace sluice
