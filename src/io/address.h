#pragma once

#include <netinet/in.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace sluice {

/// An IP address and port, kept small enough to stand in each connection's shared cell.
struct Address {
    uint8_t ip[16] = {};  ///< IPv4 in the first four bytes
    uint16_t port = 0;    ///< host byte order
    uint8_t family = 0;   ///< AF_INET, AF_INET6, AF_UNIX: a client without a name of its own, or 0: none

    /// `127.0.0.1:80`, `[::1]:80`, `localhost:80` (taken as 127.0.0.1). No other names: a look-up may block.
    static std::optional<Address> parse(std::string_view text);
    static Address from(const sockaddr_storage& storage);
    socklen_t to(sockaddr_storage& storage) const;
    /// `127.0.0.1:80`, `[::1]:80`; `unix:` for a client of the Unix domain; empty for none.
    std::string to_string() const;
};

}  // namespace sluice
