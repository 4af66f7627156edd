#include "io/address.h"

#include <algorithm>
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

std::optional<Address> Address::parse_ip(std::string_view text) {
    char host[INET6_ADDRSTRLEN];
    if (text.size() >= sizeof host || text.find('\0') != text.npos) return std::nullopt;
    *std::copy(text.begin(), text.end(), host) = '\0';
    char bytes[16];
    if (inet_pton(AF_INET, host, bytes) == 1) return of_bytes(bytes, 4, 0);
    if (inet_pton(AF_INET6, host, bytes) == 1) return of_bytes(bytes, 16, 0);
    return std::nullopt;
}

Address Address::of_bytes(const char* bytes, size_t count, uint16_t port) {
    static constexpr char kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '\xff', '\xff'};
    Address address;
    address.port = port;
    if (count == 16 && memcmp(bytes, kMapped, sizeof kMapped) == 0) {
        bytes += sizeof kMapped;
        count = 4;
    }
    address.family = count == 4 ? AF_INET : AF_INET6;
    memcpy(address.ip, bytes, count);
    return address;
}

Address Address::unix_domain() {
    Address address;
    address.family = AF_UNIX;
    return address;
}

bool Address::is_ip() const {
    return family == AF_INET || family == AF_INET6;
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

std::string Address::ip_string() const {
    char text[INET6_ADDRSTRLEN];
    if (!is_ip() || !inet_ntop(family, ip, text, sizeof text)) return {};
    return text;
}

std::string Address::to_string() const {
    if (!is_ip()) return to_peer_string();
    const std::string host = ip_string();
    return (family == AF_INET6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string Address::to_peer_string() const {
    if (family == AF_UNIX) return "unix:";
    if (!is_ip()) return {};
    if (port) return to_string();
    return family == AF_INET6 ? "[" + ip_string() + "]" : ip_string();
}

}  // namespace sluice
