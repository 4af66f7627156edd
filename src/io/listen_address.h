#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/address.h"

namespace sluice {

/// Where a listener is reached: an IP address and port, or the path of a Unix socket.
struct ListenAddress {
    Address ip;        ///< family 0: none, `path` counts
    std::string path;  ///< absolute

    /// As Address::parse(), or `unix:/run/app.sock`: an absolute path, short enough for a socket.
    static std::optional<ListenAddress> parse(std::string_view text);
    bool is_unix() const { return !path.empty(); }
    std::string to_string() const { return is_unix() ? "unix:" + path : ip.to_string(); }
};

}  // namespace sluice
