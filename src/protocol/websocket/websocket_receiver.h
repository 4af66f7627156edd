#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/room.h"
#include "core/utf8.h"
#include "protocol/websocket/websocket_deflate.h"
#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_mask.h"

namespace sluice::websocket {

enum class Event : uint8_t {
    kNeedInput,     // the whole input is consumed; call again with more, or fill the window
    kNeedRoom,      // waits for `grant()`; keep the rest of the input until then
    kNeedInflater,  // waits for `lend()`; keep the rest of the input. Only with compression
    kMessage,       // a text or binary message is complete
    kPing,          // the pong has to carry `message()`
    kPong,
    kClose,  // the peer's last frame; whatever follows it is consumed and ignored
    kError,  // the receiver is dead; see `error()`
};

struct Limits {
    uint64_t max_message_bytes = 1 << 20;  // of a compressed message: once inflated
    uint32_t max_fragments = 1024;         // frames of one message, empty ones included
};

/// Which end of the connection this receiver stands at: a server takes masked frames only, a client unmasked
/// ones.
enum class Role : uint8_t { kServer, kClient };

/// Turns the bytes of one peer into messages and control frames (RFC 6455). It does no I/O, allocates
/// nothing, and keeps no payload of its own: payload stays where it arrived (unmasked in place) or is
/// assembled in a room that the caller lends.
///
/// How to drive it:
/// 1. Call `next(input)` until it says kNeedInput; handle each event before the next call.
/// 2. On kNeedRoom get memory of up to `needed()` bytes, copy `filled_bytes()` bytes from `room()`,
///    `grant()` it, and free the old one. Go on with 1. With less than `needed()`, kNeedRoom comes again when
///    the room is full; but a control frame (up to 125 bytes) needs all.
///    Offer the rest of the input again. When there is no memory now, call `next()` later: it repeats
///    kNeedRoom.
/// 3. When the input is used up and `window()` is not empty, the next bytes from the peer may be read
///    straight into the window, in any number of steps, with `filled(n)` after each.
///    When the window has become empty (the payload is complete, or its text is invalid), call `next()`
///    without input.
///    A compressed message has no window: it is inflated from the input into the room as it arrives.
/// 4. The room belongs to the caller at every moment.
///    On teardown, and after kError and kClose, free `room()`.
/// 5. On kNeedInflater lend one with `lend()`. It stays lent until `take_inflater()`, which is allowed after
///    kMessage and on teardown. Between messages the caller may reset it, and must if the peer has no context
///    takeover.
class Receiver {
  public:
    /// `deflate`: permessage-deflate was negotiated.
    explicit Receiver(Limits limits, Role role = Role::kServer, bool deflate = false);

    /// Consumes from the front of `input` up to the next event.
    Event next(std::span<char>& input);
    /// next() without input: for after `grant()` and `filled()`.
    Event next() {
        std::span<char> nothing;
        return next(nothing);
    }

    // After kNeedRoom.
    size_t needed() const;
    size_t filled_bytes() const { return filled_; }
    Room room() const { return room_; }
    void grant(Room room);

    // After kNeedInflater.
    void lend(Inflater* inflater) { inflater_ = inflater; }
    /// nullptr when none is lent.
    Inflater* take_inflater() { return std::exchange(inflater_, nullptr); }

    /// The unfilled rest of the current frame's payload in the room; empty when there is none.
    std::span<char> window();
    /// `size` bytes from the peer were put at the front of `window()`. They are unmasked and validated in
    /// place.
    void filled(size_t size);

    // Valid after kMessage, kPing, kPong and kClose, until the following `next()`.

    /// The payload. It stands in the room or in the input.
    std::span<char> message() const { return message_; }
    /// In how many frames a text or binary message came.
    uint32_t fragments() const { return fragments_; }
    /// Whether `message()` stands in the room and the room is now the caller's: the following `next()`
    /// forgets it. False for a ping between two fragments, which only borrows the end of the message's room.
    bool in_room() const { return gives_room_; }
    /// Takes the room at once, not only with the following `next()`: after a message that stands in it, or on
    /// teardown (after taking the room of an incomplete message only the destructor may follow).
    Room take_room();
    /// kText or kBinary: of the message begun, else of the message reported last.
    Opcode opcode() const { return message_opcode_; }

    // After kClose.
    /// The peer's code, or 1005 when it gave none.
    uint16_t close_code() const;
    std::string_view close_reason() const;

    struct Error {
        uint16_t close_code;          // the code to close with
        std::string sentence;         // what happened; short enough for a close frame's reason
        const char* limit = nullptr;  // the parameter by which; nullptr: by none
    };
    /// After kError.
    Error error() const;

    /// Whether a message has begun and is not complete: the deadline of its progress runs.
    bool in_message() const { return in_message_; }
    /// Whether it stands between two messages, and holds nothing of either: a new receiver would do as well,
    /// but for a lent inflater.
    bool at_rest() const { return state_ == State::kHeader && header_filled_ == 0 && !in_message_ && !room_; }
    /// Whether the message begun is compressed, so that there will be no `window()` for it.
    bool inflates() const { return in_message_ && compressed_; }

  private:
    enum class State : uint8_t { kHeader, kPayloadStart, kPayload, kInflate, kInflateEnd, kClosed, kFailed };
    enum class Fault : uint8_t {
        kNone,
        kReservedBits,
        kCompressedBit,
        kReservedOpcode,
        kUnmasked,
        kMasked,
        kControlFragmented,
        kControlTooLong,
        kLengthNotMinimal,
        kLengthTopBit,
        kNothingToContinue,
        kMessageInterrupted,
        kTooBig,
        kTooManyFragments,
        kInflatedTooBig,
        kInvalidDeflate,
        kInvalidText,
        kCloseTooShort,
        kCloseCode,
        kCloseReason,
    };

    std::optional<Event> take_header(std::span<char>& input);
    size_t header_size() const;
    Fault check_first_bytes() const;
    Fault begin_frame();
    std::optional<Event> start_payload(std::span<char>& input);
    std::optional<Event> take_payload(std::span<char>& input);
    std::optional<Event> inflate_payload(std::span<char>& input);
    std::optional<Event> inflate_end();
    Fault inflate(std::string_view& bytes);
    bool needs_room_to_inflate() const;
    bool decode(std::span<char> piece);
    void turn_key(size_t size);
    std::optional<Event> finish_frame(std::span<char> payload, bool payload_in_room);
    Event finish_control(std::span<char> payload, bool payload_in_room);
    Event fail(Fault fault);

    Opcode frame_opcode() const { return static_cast<Opcode>(header_[0] & 0x0f); }
    bool frame_final() const { return (header_[0] & 0x80) != 0; }
    bool frame_is_control() const { return (header_[0] & 0x08) != 0; }
    size_t control_length() const;
    uint64_t room_wanted() const;
    uint64_t least_room() const;
    std::span<char> rest_of_room();
    void take_in(std::span<char> arrived);

    uint64_t max_message_bytes_;
    uint32_t max_fragments_;
    uint32_t fragments_ = 0;  // frames of the message begun
    Room room_;
    Inflater* inflater_ = nullptr;
    std::span<char> message_;
    uint64_t filled_ = 0;      // bytes of the message begun that stand in the room
    uint64_t frame_left_ = 0;  // payload bytes of the current frame still to come
    std::array<uint8_t, kMaxFrameHeaderBytes> header_{};
    uint8_t header_filled_ = 0;
    MaskKey key_{};  // turned so that its first byte is the one for the next payload byte
    Utf8Validator text_;
    State state_ = State::kHeader;
    Fault fault_ = Fault::kNone;
    Opcode message_opcode_ = Opcode::kContinuation;
    Role role_ : 1;
    bool in_message_ : 1 = false;
    bool gives_room_ : 1 = false;
    bool deflate_ : 1;              // negotiated
    bool compressed_ : 1 = false;   // the message begun
    bool has_payload_ : 1 = false;  // of the compressed message begun: a byte at least
    uint8_t tail_left_ : 3 = 0;     // bytes of kMessageTail that are still to be inflated
};

}  // namespace sluice::websocket
