#include "io/listener.h"

#include <cerrno>
#include <cstring>
#include <netinet/tcp.h>

namespace sluice {

UniqueFd open_listener(const Address& address, bool share, Address& bound, std::string& error) {
    UniqueFd fd(socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    int on = 1;
    sockaddr_storage storage;
    socklen_t size = address.to(storage);
    bool ok = static_cast<bool>(fd) && setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              (!share || setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) &&
              (address.family != AF_INET6 ||
               setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
              bind(fd.get(), reinterpret_cast<sockaddr*>(&storage), size) == 0 && listen(fd.get(), 4096) == 0;
    if (ok) {
        size = sizeof storage;
        ok = getsockname(fd.get(), reinterpret_cast<sockaddr*>(&storage), &size) == 0;
    }
    if (!ok) {
        error = "Cannot listen on " + address.to_string() + ": " + strerror(errno);
        return {};
    }
    bound = Address::from(storage);
    return fd;
}

}  // namespace sluice
