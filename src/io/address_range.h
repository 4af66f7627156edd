#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "io/address.h"

namespace sluice {

/// All addresses that begin with the same bits, `10.0.0.0/8` or `2001:db8::/32`.
/// One address alone has no `/`.
/// `unix` stands for the clients of Unix sockets.
struct AddressRange {
    Address first;
    uint8_t bits = 0;

    /// Nothing when the text is no range, or has bits set behind its prefix.
    static std::optional<AddressRange> parse(std::string_view text);
    bool contains(const Address& address) const;

    bool operator==(const AddressRange&) const = default;
};

bool contains(const std::vector<AddressRange>& ranges, const Address& address);

}  // namespace sluice
