#pragma once

#include <cstddef>
#include <string>

namespace sluice {

/// Where the admin listener is reached, and who may use it.
struct AdminSpec {
    static constexpr size_t kLeastToken = 16, kMostToken = 512;

    std::string address;  ///< as of ListenAddress::parse(); empty: there is none
    std::string token;    ///< empty: whoever reaches the listener may look, and nobody may act

    bool operator==(const AdminSpec&) const = default;
};

}  // namespace sluice
