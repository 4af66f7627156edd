#include "io/listener.h"

#include <cerrno>
#include <cstring>
#include <netinet/tcp.h>
#include <utility>

namespace sluice {

namespace {

/// Bound, and not yet listening. On failure it is empty, and errno says why.
UniqueFd bind_socket(const Address& address, bool share) {
    UniqueFd fd(socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    int on = 1;
    sockaddr_storage storage;
    const socklen_t size = address.to(storage);
    const bool ok = static_cast<bool>(fd) &&
                    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                    (!share || setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) &&
                    (address.family != AF_INET6 ||
                     setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
                    bind(fd.get(), reinterpret_cast<sockaddr*>(&storage), size) == 0;
    return ok ? std::move(fd) : UniqueFd();
}

std::string why_not(const Address& address) {
    return "Cannot listen on " + address.to_string() + ": " + strerror(errno);
}

}  // namespace

UniqueFd open_listener(const Address& address, bool share, Address& bound, std::string& error) {
    UniqueFd fd = bind_socket(address, share);
    sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (!fd || listen(fd.get(), 4096) != 0 ||
        getsockname(fd.get(), reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
        error = why_not(address);
        return {};
    }
    bound = Address::from(storage);
    return fd;
}

UniqueFd claim_address(const Address& address, std::string& error) {
    UniqueFd fd = bind_socket(address, false);
    if (!fd) error = why_not(address);
    return fd;
}

}  // namespace sluice
