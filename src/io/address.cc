#include "io/address.h"

#include <arpa/inet.h>
#include <charconv>
#include <cstring>

namespace sluice {

std::optional<Address> Address::parse(std::string_view text) {
    size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string_view digits = text.substr(colon + 1);
    std::string host(text.substr(0, colon));
    Address address;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    if (host == "localhost") host = "127.0.0.1";
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        address.family = AF_INET6;
        host = host.substr(1, host.size() - 2);
    } else {
        address.family = AF_INET;
    }
    if (inet_pton(address.family, host.c_str(), address.ip) != 1) return std::nullopt;
    return address;
}

Address Address::from(const sockaddr_storage& storage) {
    Address address;
    if (storage.ss_family == AF_INET) {
        auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
        address.family = AF_INET;
        address.port = ntohs(v4.sin_port);
        memcpy(address.ip, &v4.sin_addr, 4);
    } else if (storage.ss_family == AF_INET6) {
        auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
        address.family = AF_INET6;
        address.port = ntohs(v6.sin6_port);
        memcpy(address.ip, &v6.sin6_addr, 16);
    } else if (storage.ss_family == AF_UNIX) {
        address.family = AF_UNIX;
    }
    return address;
}

socklen_t Address::to(sockaddr_storage& storage) const {
    storage = {};
    if (family == AF_INET6) {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        memcpy(&v6.sin6_addr, ip, 16);
        return sizeof v6;
    }
    auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    memcpy(&v4.sin_addr, ip, 4);
    return sizeof v4;
}

std::string Address::to_string() const {
    char text[INET6_ADDRSTRLEN];
    if (family == AF_UNIX) return "unix:";
    if (family == 0 || !inet_ntop(family, ip, text, sizeof text)) return {};
    std::string host = family == AF_INET6 ? "[" + std::string(text) + "]" : std::string(text);
    return host + ":" + std::to_string(port);
}

}  // namespace sluice
