#include "php/worker/server_sockets.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "io/address.h"

namespace sluice::php {

bool is_of_server(int fd, const WorkerIdentity& identity) {
    sockaddr_storage storage = {};
    socklen_t size = sizeof storage;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return false;
    const Address own = Address::from(storage);
    for (const std::string& text : identity.addresses) {
        if (storage.ss_family == AF_UNIX) {
            const sockaddr_un& name = reinterpret_cast<const sockaddr_un&>(storage);
            if (text == std::string("unix:") + name.sun_path) return true;
            continue;
        }
        // A listener of all addresses has connections of each.
        const std::optional<Address> listener = Address::parse(text);
        if (listener && own.is_ip() && own.port == listener->port) return true;
    }
    return false;
}

}  // namespace sluice::php
