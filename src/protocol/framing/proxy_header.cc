#include "protocol/framing/proxy_header.h"

#include <algorithm>
#include <optional>

namespace sluice::proxy {

namespace {

constexpr std::string_view kTextSignature = "PROXY ";
constexpr std::string_view kBinarySignature{"\r\n\r\n\0\r\nQUIT\n", 12};

// -- Version 1: one line of text

constexpr size_t kLongestLine = 107;

/// Takes the text up to the next space, and the space, off the line; empty when there is no space.
std::string_view take_word(std::string_view& line) {
    const size_t space = line.find(' ');
    if (space == line.npos) return {};
    const std::string_view word = line.substr(0, space);
    line.remove_prefix(space + 1);
    return word;
}

std::optional<uint16_t> read_port(std::string_view digits) {
    if (digits.empty() || digits.size() > 5 || (digits.size() > 1 && digits.front() == '0'))
        return std::nullopt;
    unsigned port = 0;
    for (char c : digits) {
        if (c < '0' || c > '9') return std::nullopt;
        port = port * 10 + static_cast<unsigned>(c - '0');
    }
    if (port > 65535) return std::nullopt;
    return static_cast<uint16_t>(port);
}

/// `wide`: an IPv6 address, perhaps IPv4-mapped; otherwise an IPv4 address.
std::optional<Address> read_address(std::string_view text, bool wide) {
    if ((text.find(':') != text.npos) != wide) return std::nullopt;
    return Address::parse_ip(text);
}

Verdict read_line(std::string_view line, Header& header) {
    line.remove_prefix(kTextSignature.size());
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) {
        header.is_anonymous = true;
        return Verdict::kHeader;
    }
    const std::string_view family = take_word(line);
    if (family != "TCP4" && family != "TCP6") return Verdict::kMalformed;
    const std::optional<Address> source = read_address(take_word(line), family == "TCP6");
    const std::optional<Address> destination = read_address(take_word(line), family == "TCP6");
    const std::optional<uint16_t> source_port = read_port(take_word(line));
    const std::optional<uint16_t> destination_port = read_port(line);
    if (!source || !destination || !source_port || !destination_port) return Verdict::kMalformed;
    header.source = *source;
    header.source.port = *source_port;
    header.destination = *destination;
    header.destination.port = *destination_port;
    return Verdict::kHeader;
}

Verdict read_text(std::string_view bytes, Header& header) {
    const std::string_view line = bytes.substr(0, kLongestLine);
    const size_t end = line.find('\n');
    // A valid line is printable: another byte makes it malformed before its end has come.
    for (size_t at = kTextSignature.size(); at < std::min(end, line.size()); ++at) {
        const bool ends = line[at] == '\r' && (at + 1 == end || (end == line.npos && at + 1 == line.size()));
        if (!ends && (line[at] < ' ' || line[at] > '~')) return Verdict::kMalformed;
    }
    if (end == line.npos) return bytes.size() < kLongestLine ? Verdict::kNeedMore : Verdict::kMalformed;
    if (line[end - 1] != '\r') return Verdict::kMalformed;
    header.bytes = end + 1;
    return read_line(line.substr(0, end - 1), header);
}

// -- Version 2: binary

constexpr size_t kFixedBytes = 16;

uint16_t read_u16(std::string_view bytes, size_t at) {
    return static_cast<uint16_t>(static_cast<uint8_t>(bytes[at]) << 8 | static_cast<uint8_t>(bytes[at + 1]));
}

Verdict read_binary(std::string_view bytes, Header& header) {
    // A malformed header is refused at its first wrong byte.
    const size_t known = bytes.size();
    constexpr size_t kVersionAt = 12, kFamilyAt = 13, kLengthAt = 14;
    if (known <= kVersionAt) return Verdict::kNeedMore;
    const uint8_t version_and_command = static_cast<uint8_t>(bytes[kVersionAt]);
    if (version_and_command != 0x20 && version_and_command != 0x21) return Verdict::kMalformed;
    if (known <= kFamilyAt) return Verdict::kNeedMore;
    const uint8_t family = static_cast<uint8_t>(bytes[kFamilyAt]) >> 4;
    const uint8_t transport = static_cast<uint8_t>(bytes[kFamilyAt]) & 15;
    if (family > 3 || transport > 2) return Verdict::kMalformed;
    if (known < kFixedBytes) return Verdict::kNeedMore;
    const size_t length = read_u16(bytes, kLengthAt);
    const bool is_local = version_and_command == 0x20;
    // By family: none, IPv4, IPv6, Unix.
    static constexpr size_t kAddressBytes[] = {0, 4, 16, 108};
    const size_t address = kAddressBytes[family];
    const size_t ports = family == 1 || family == 2 ? 4 : 0;
    if (kFixedBytes + length > kMaxHeaderBytes || (!is_local && length < 2 * address + ports)) {
        return Verdict::kMalformed;
    }
    header.bytes = kFixedBytes + length;
    if (known < header.bytes) return Verdict::kNeedMore;
    header.is_anonymous = is_local || family == 0 || transport == 0;
    if (header.is_anonymous) return Verdict::kHeader;
    if (family == 3) {
        header.source = header.destination = Address::unix_domain();
        return Verdict::kHeader;
    }
    const size_t ports_at = kFixedBytes + 2 * address;
    header.source = Address::of_bytes(bytes.data() + kFixedBytes, address, read_u16(bytes, ports_at));
    header.destination =
        Address::of_bytes(bytes.data() + kFixedBytes + address, address, read_u16(bytes, ports_at + 2));
    return Verdict::kHeader;
}

bool begins_like(std::string_view bytes, std::string_view signature) {
    return bytes.substr(0, signature.size()) == signature.substr(0, bytes.size());
}

}  // namespace

Verdict read_header(std::string_view bytes, Header& header) {
    header = {};
    const bool text = begins_like(bytes, kTextSignature);
    const bool binary = begins_like(bytes, kBinarySignature);
    if (!text && !binary) return Verdict::kNoHeader;
    if (text && bytes.size() >= kTextSignature.size()) return read_text(bytes, header);
    if (binary && bytes.size() >= kBinarySignature.size()) return read_binary(bytes, header);
    return Verdict::kNeedMore;
}

}  // namespace sluice::proxy
