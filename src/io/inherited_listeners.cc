#include "io/inherited_listeners.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace sluice {

namespace {
constexpr int kFirst = 3;  ///< SD_LISTEN_FDS_START
constexpr long kMost = 1000;

int option(int fd, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}
}  // namespace

bool describe_socket(int fd, ListenAddress& bound, bool& is_udp) {
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return false;
    const int type = option(fd, SO_TYPE);
    is_udp = type == SOCK_DGRAM;
    if (!is_udp && (type != SOCK_STREAM || option(fd, SO_ACCEPTCONN) != 1)) return false;
    if (storage.ss_family == AF_UNIX) {
        const auto& name = reinterpret_cast<const sockaddr_un&>(storage);
        if (is_udp || size <= offsetof(sockaddr_un, sun_path) || name.sun_path[0] != '/') return false;
        bound.path = name.sun_path;
        return true;
    }
    bound.ip = Address::from(storage);
    return bound.ip.is_ip();
}

std::vector<InheritedListener> take_activated_sockets() {
    std::vector<InheritedListener> found;
    const char* const pid = getenv("LISTEN_PID");
    const char* const count = getenv("LISTEN_FDS");
    const char* const names = getenv("LISTEN_FDNAMES");
    if (!pid || !count || strtoll(pid, nullptr, 10) != getpid()) return found;
    std::istringstream each(names ? names : "");
    for (long i = 0, end = std::min(strtol(count, nullptr, 10), kMost); i < end; ++i) {
        InheritedListener listener;
        std::getline(each, listener.name, ':');
        const int fd = kFirst + static_cast<int>(i);
        if (fcntl(fd, F_GETFD) < 0) continue;
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        if (!describe_socket(fd, listener.bound, listener.is_udp)) continue;
        listener.fds.emplace_back(fd);
        found.push_back(std::move(listener));
    }
    for (const char* variable : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"})
        unsetenv(variable);
    return found;
}

}  // namespace sluice
