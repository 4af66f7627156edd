#include "protocol/websocket/websocket_frame.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sluice::websocket {
namespace {

void write_big_endian(char* out, uint64_t value, size_t width) {
    for (size_t i = width; i-- != 0; value >>= 8) {
        out[i] = static_cast<char>(value);
    }
}

size_t write_header(char* out, Opcode opcode, bool fin, uint64_t payload_length, uint8_t mask_bit) {
    const bool control = (static_cast<uint8_t>(opcode) & 0x08) != 0;
    assert(!control || (fin && payload_length <= kMaxControlPayloadBytes));
    assert(payload_length >> 63 == 0);
    (void)control;

    out[0] = static_cast<char>((fin ? 0x80 : 0) | static_cast<uint8_t>(opcode));
    if (payload_length <= 125) {
        out[1] = static_cast<char>(mask_bit | payload_length);
        return 2;
    }
    if (payload_length <= 0xffff) {
        out[1] = static_cast<char>(mask_bit | 126);
        write_big_endian(out + 2, payload_length, 2);
        return 4;
    }
    out[1] = static_cast<char>(mask_bit | 127);
    write_big_endian(out + 2, payload_length, 8);
    return 10;
}

/// The longest prefix of `text` of at most `limit` bytes that does not end within a character.
std::string_view cut_at_character(std::string_view text, size_t limit) {
    if (text.size() <= limit) return text;
    while (limit != 0 && (static_cast<uint8_t>(text[limit]) & 0xc0) == 0x80) {
        --limit;
    }
    return text.substr(0, limit);
}

}  // namespace

size_t write_frame_header(char out[kMaxFrameHeaderBytes], Opcode opcode, bool fin, uint64_t payload_length,
                          bool compressed) {
    const size_t size = write_header(out, opcode, fin, payload_length, 0);
    if (compressed) out[0] |= 0x40;
    return size;
}

size_t write_masked_frame_header(char out[kMaxFrameHeaderBytes], Opcode opcode, bool fin,
                                 uint64_t payload_length, MaskKey key) {
    const size_t size = write_header(out, opcode, fin, payload_length, 0x80);
    std::memcpy(out + size, key.data(), key.size());
    return size + key.size();
}

bool close_code_allowed_on_wire(uint16_t code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

std::string check_close(uint16_t code, std::string_view reason) {
    if (!close_code_allowed_on_wire(code) || code == close_code::kMandatoryExtension) {
        return "A server cannot close a WebSocket with the code " + std::to_string(code) +
               "; allowed are 1000 to 1003, 1007 to 1009, 1011 to 1014 and 3000 to 4999.";
    }
    if (reason.size() > kMaxCloseReasonBytes) {
        return "The reason for closing a WebSocket has " + std::to_string(reason.size()) +
               " bytes; at most " + std::to_string(kMaxCloseReasonBytes) + " are allowed.";
    }
    if (!is_utf8(reason)) return "The reason for closing a WebSocket is not valid UTF-8; it must be.";
    return {};
}

size_t write_close_payload(char out[kMaxControlPayloadBytes], uint16_t code, std::string_view reason) {
    assert(close_code_allowed_on_wire(code));
    reason = cut_at_character(reason, kMaxCloseReasonBytes);
    write_big_endian(out, code, 2);
    reason.copy(out + 2, reason.size());
    return 2 + reason.size();
}

}  // namespace sluice::websocket
