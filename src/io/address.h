#pragma once

#include <netinet/in.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace sluice {

/// An IP address and port, small enough for each connection's shared cell.
struct Address {
    uint8_t ip[16] = {};  ///< IPv4 in the first four bytes
    uint16_t port = 0;    ///< host byte order
    uint8_t family = 0;   ///< AF_INET, AF_INET6, AF_UNIX (an unnamed client), or 0: none

    /// `127.0.0.1:80`, `[::1]:80`, `localhost:80` (taken as 127.0.0.1). No other host names: they may block.
    static std::optional<Address> parse(std::string_view text);
    /// An IP address alone, `192.0.2.1` or `2001:db8::1`; its port is 0. An IPv4-mapped IPv6 address is read
    /// as IPv4.
    static std::optional<Address> parse_ip(std::string_view text);
    /// From the bytes of an IPv4 (4) or IPv6 (16) address.
    static Address of_bytes(const char* bytes, size_t count, uint16_t port);
    static Address unix_domain();
    static Address from(const sockaddr_storage& storage);
    socklen_t to(sockaddr_storage& storage) const;
    /// `127.0.0.1:80`, `[::1]:80`; `unix:` for a client of a Unix socket; empty for none.
    std::string to_string() const;
    /// As to_string(), but without a port of 0: an address that a proxy has named may have no port.
    std::string to_peer_string() const;
    /// `127.0.0.1`, `::1`; empty without an IP address.
    std::string ip_string() const;
    bool is_ip() const;

    bool operator==(const Address&) const = default;
};

}  // namespace sluice
