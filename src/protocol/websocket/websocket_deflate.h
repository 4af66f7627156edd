#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <zlib.h>

#include "protocol/websocket/deflate_policy.h"

namespace sluice::websocket {

// permessage-deflate, RFC 7692, mostly at the server's end. The "window" is how far back compressed bytes may
// refer; with "takeover" they may refer into earlier messages, so both ends keep a context between messages.

/// The parameters that both ends have agreed on.
struct DeflateParameters {
    bool server_takeover = true;
    bool client_takeover = true;
    uint8_t server_window_bits = kMaxWindowBits;
    uint8_t client_window_bits = kMaxWindowBits;

    bool operator==(const DeflateParameters&) const = default;
};

struct DeflateAgreement {
    DeflateParameters parameters;
    std::string field;  ///< the value of Sec-WebSocket-Extensions in the response
};

/// Whether a Sec-WebSocket-Extensions field follows its grammar (RFC 6455 section 9.1); if not, the handshake
/// must fail. An empty field is well-formed.
bool extensions_are_well_formed(std::string_view extensions);

/// Agrees to the first acceptable offer of the client; nothing when there is none. The field must be
/// well-formed.
std::optional<DeflateAgreement> agree_on_deflate(std::string_view extensions, const DeflatePolicy& policy);

/// What Endpoint offers: any parameters that the server chooses.
inline constexpr std::string_view kDeflateOffer = "permessage-deflate; client_max_window_bits";

/// Reads the server's answer to kDeflateOffer; nothing when it is no valid answer to that offer.
std::optional<DeflateParameters> read_deflate_answer(std::string_view extensions);

/// The size that a context is accounted with: a little more than zlib allocates for it.
size_t inflater_bytes(uint8_t window_bits);
size_t deflater_bytes(uint8_t window_bits);

/// Inflates the messages of one peer. Takes payloads, not frames.
class Inflater {
  public:
    explicit Inflater(uint8_t window_bits);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Inflates the front of `input` into `out`, until one of them is used up, and returns the bytes written;
    /// nothing when the input is no DEFLATE data (then only reset() may follow). `out` must not be empty.
    /// When `out` is full, zlib may hold more back although `input` is empty.
    std::optional<size_t> inflate(std::string_view& input, std::span<char> out);

    /// After a message, kMessageTail, and a call that left room in `out`: whether the message was whole.
    bool at_boundary() const { return at_boundary_; }

    /// Forgets earlier messages.
    void reset();

  private:
    z_stream stream_{};
    bool at_boundary_ = false;
};

/// The end of each compressed message, which is left out on the wire (RFC 7692 section 7.2.1).
inline constexpr std::string_view kMessageTail{"\x00\x00\xff\xff", 4};

/// Compresses messages, one after the other.
class Deflater {
  public:
    Deflater(uint8_t window_bits, int level);
    ~Deflater();
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    /// Replaces `out` by the payload of a compressed frame. May refer to all messages since reset().
    void compress(std::string_view message, std::string& out);

    /// Forgets earlier messages.
    void reset();

  private:
    z_stream stream_{};
};

}  // namespace sluice::websocket
