#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/address.h"
#include "io/address_range.h"
#include "protocol/http/http_head.h"

namespace sluice::http {

/// Which header fields a proxy fills in. Only one kind is believed: a proxy that sets the one passes on what
/// a client has written into the other.
enum class ProxyFields : uint8_t {
    kNone,
    kXForwarded,  ///< X-Forwarded-For, -Proto, -Host, -Port
    kForwarded,   ///< RFC 7239
};

/// Whom a listener believes what it says about clients.
struct TrustedProxies {
    std::vector<AddressRange> addresses;
    ProxyFields fields = ProxyFields::kNone;
    bool proxy_protocol = false;  ///< such a connection begins with a header of the PROXY protocol

    bool trusts(const Address& address) const { return contains(addresses, address); }
    bool operator==(const TrustedProxies&) const = default;
};

/// What trusted proxies have said of a request. What they have not said is left empty.
struct Forwarded {
    Address client;      ///< family 0: nothing usable was said; port 0: none was
    std::string scheme;  ///< "http", "https" or empty
    std::string host;    ///< with its port, or empty
};

/// Reads the fields of a request that has come from a trusted proxy. Each proxy has appended what it knew, so
/// the list is read from its end: as long as somebody trusted is named, what that one has said before him is
/// believed. What stands before the first one who is not trusted could come from anybody.
Forwarded read_forwarded(std::span<const Field> fields, std::string_view text, const TrustedProxies& proxies);

/// `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, and `2001:db8::1` without brackets,
/// which X-Forwarded-For has. No names: `unknown` and `_hidden` are nothing that could be believed or
/// counted.
std::optional<Address> parse_node(std::string_view text);

}  // namespace sluice::http
