#include "io/address_range.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sluice {

namespace {

uint8_t width_of(const Address& address) {
    return address.family == AF_INET ? 32 : 128;
}

bool same_bits(const uint8_t* one, const uint8_t* other, unsigned bits) {
    const unsigned bytes = bits / 8;
    if (memcmp(one, other, bytes) != 0) return false;
    const unsigned rest = bits % 8;
    return rest == 0 || ((one[bytes] ^ other[bytes]) >> (8 - rest)) == 0;
}

bool is_zero_behind(const Address& address, unsigned bits) {
    Address cut = address;
    for (unsigned bit = bits; bit < width_of(address); ++bit)
        cut.ip[bit / 8] = static_cast<uint8_t>(cut.ip[bit / 8] & ~(0x80u >> (bit % 8)));
    return cut == address;
}

}  // namespace

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
    AddressRange range;
    if (text == "unix") {
        range.first = Address::unix_domain();
        return range;
    }
    const size_t slash = text.find('/');
    std::optional<Address> first = Address::parse_ip(text.substr(0, slash));
    if (!first) return std::nullopt;
    range.first = *first;
    range.bits = width_of(range.first);
    if (slash == text.npos) return range;
    const std::string_view digits = text.substr(slash + 1);
    if (digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits.front() == '0'))
        return std::nullopt;
    unsigned bits = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (error != std::errc() || end != digits.data() + digits.size() || bits > width_of(range.first)) {
        return std::nullopt;
    }
    range.bits = static_cast<uint8_t>(bits);
    if (!is_zero_behind(range.first, bits)) return std::nullopt;
    return range;
}

bool AddressRange::contains(const Address& address) const {
    if (first.family != address.family) return false;
    return !address.is_ip() || same_bits(first.ip, address.ip, bits);
}

bool contains(const std::vector<AddressRange>& ranges, const Address& address) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const AddressRange& range) { return range.contains(address); });
}

}  // namespace sluice
