#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/websocket/websocket_mask.h"

namespace sluice::websocket {

enum class Opcode : uint8_t {
    kContinuation = 0x0,
    kText = 0x1,
    kBinary = 0x2,
    kClose = 0x8,
    kPing = 0x9,
    kPong = 0xa,
};

/// Whether a frame that begins with this byte is a control frame (RFC 6455 section 5.5).
constexpr bool is_control(char first) {
    return (first & 0x08) != 0;
}

constexpr Opcode opcode_of(char first) {
    return static_cast<Opcode>(first & 0x0f);
}

/// RFC 6455 section 7.4.1 and the IANA registry. Plain numbers: applications define more, from 3000 on.
namespace close_code {
inline constexpr uint16_t kNormal = 1000;
inline constexpr uint16_t kGoingAway = 1001;
inline constexpr uint16_t kProtocolError = 1002;
inline constexpr uint16_t kUnsupportedData = 1003;
inline constexpr uint16_t kNoStatus = 1005;  // never on the wire: the close frame had no code
inline constexpr uint16_t kAbnormal = 1006;  // never on the wire: the connection ended without a close frame
inline constexpr uint16_t kInvalidPayload = 1007;
inline constexpr uint16_t kPolicyViolation = 1008;
inline constexpr uint16_t kMessageTooBig = 1009;
inline constexpr uint16_t kMandatoryExtension = 1010;  // only a client sends it
inline constexpr uint16_t kInternalError = 1011;
inline constexpr uint16_t kServiceRestart = 1012;
inline constexpr uint16_t kTryAgainLater = 1013;
inline constexpr uint16_t kBadGateway = 1014;
}  // namespace close_code

inline constexpr size_t kMaxFrameHeaderBytes = 14;
inline constexpr size_t kMaxControlPayloadBytes = 125;
inline constexpr size_t kMaxCloseReasonBytes = kMaxControlPayloadBytes - 2;

/// Writes the header of an unmasked frame (what a server sends) with the shortest length form; returns its
/// size (2, 4 or 10). `payload_length` must be below 2^63, and at most 125 with `fin` set for a control
/// opcode. `compressed` (RSV1) belongs on the first frame of a message whose payload a Deflater has written.
size_t write_frame_header(char out[kMaxFrameHeaderBytes], Opcode opcode, bool fin, uint64_t payload_length,
                          bool compressed = false);

/// write_frame_header() for a client's frame; returns 6, 8 or 14. The caller masks the payload with
/// `key`.
size_t write_masked_frame_header(char out[kMaxFrameHeaderBytes], Opcode opcode, bool fin,
                                 uint64_t payload_length, MaskKey key);

/// Whether a peer may put this code into a close frame: 1000-1003, 1007-1014 and 3000-4999.
bool close_code_allowed_on_wire(uint16_t code);

/// Empty when a server's application may close with this code and reason, else a sentence that says why not.
/// It may use every code that is allowed on the wire except 1010, which is a client's.
std::string check_close(uint16_t code, std::string_view reason);

/// Writes the payload of a close frame and returns its size. A reason of more than 123 bytes is cut at a
/// character's boundary. The code must be allowed on the wire; to send a close frame without a code, send an
/// empty payload.
size_t write_close_payload(char out[kMaxControlPayloadBytes], uint16_t code, std::string_view reason);

}  // namespace sluice::websocket
