#include "io/listen_address.h"

#include <sys/un.h>

namespace sluice {

std::optional<ListenAddress> ListenAddress::parse(std::string_view text) {
    static constexpr std::string_view kUnix = "unix:";
    ListenAddress address;
    if (text.starts_with(kUnix)) {
        const std::string_view path = text.substr(kUnix.size());
        // One byte of sun_path is for the NUL behind it.
        if (path.size() < 2 || path.front() != '/' || path.back() == '/' ||
            path.size() >= sizeof sockaddr_un{}.sun_path || path.find('\0') != path.npos) {
            return std::nullopt;
        }
        address.path = path;
        return address;
    }
    std::optional<Address> ip = Address::parse(text);
    if (!ip) return std::nullopt;
    address.ip = *ip;
    return address;
}

}  // namespace sluice
