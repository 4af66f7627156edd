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

/// Which header fields a proxy sets. Only one kind is trusted: a proxy that sets one kind passes on what a
/// client has written into the other.
enum class ProxyFields : uint8_t {
    kNone,
    kXForwarded,  ///< X-Forwarded-For, -Proto, -Host, -Port
    kForwarded,   ///< RFC 7239
};

/// The proxies that a listener trusts to name clients.
struct TrustedProxies {
    std::vector<AddressRange> addresses;
    ProxyFields fields = ProxyFields::kNone;
    bool proxy_protocol = false;  ///< a trusted proxy's connection begins with a header of the PROXY protocol

    bool trusts(const Address& address) const { return contains(addresses, address); }
    bool operator==(const TrustedProxies&) const = default;
};

/// What trusted proxies have said of a request. Missing parts are empty.
struct Forwarded {
    Address client;      ///< family 0: no usable address; port 0: no port
    std::string scheme;  ///< "http", "https" or empty
    std::string host;    ///< with its port, or empty
};

/// Reads the fields of a request that has come from a trusted proxy. Each proxy appends the address of its
/// peer, so the list is read from its end: while the address is a trusted proxy's, the element before it is
/// trusted as well. Elements before the first untrusted address could come from anybody.
Forwarded read_forwarded(std::span<const Field> fields, std::string_view text, const TrustedProxies& proxies);

/// `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, and `2001:db8::1` without
/// brackets, as in X-Forwarded-For. Nothing for names like `unknown` and `_hidden`: they are no
/// addresses.
std::optional<Address> parse_node(std::string_view text);

}  // namespace sluice::http
