#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/room.h"

namespace sluice::tcp {

/// How a stream of bytes is cut into messages. A plain value that all connections of a listener share.
struct Framing {
    enum class Kind : uint8_t {
        kNone,          // every piece of input is a message
        kLine,          // a message ends before a delimiter, which is not part of it
        kLengthPrefix,  // a message follows a header that holds its length
    };

    static constexpr size_t kMaxDelimiterBytes = 8;
    static constexpr size_t kMaxHeaderBytes = 32;
    static constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 40;
    static constexpr uint64_t kDefaultMaxMessageBytes = 1 << 20;

    Kind kind = Kind::kNone;
    /// Limit of delivered bytes: without the delimiter, and with the header only if `deliver_header`. With
    /// kNone, longer input is cut into pieces of this size.
    uint64_t max_message_bytes = kDefaultMaxMessageBytes;

    std::string_view delimiter() const { return {delimiter_bytes.data(), delimiter_size}; }
    std::array<char, kMaxDelimiterBytes> delimiter_bytes{};
    size_t delimiter_size = 0;  // as given, even when that is too much: `validate()` tells

    /// The header is `length_offset + length_width` bytes long, and `length + length_adjust` bytes follow it.
    /// `length_adjust` is minus the header's size when the length counts the header; it is the size of fields
    /// after the length that the length does not count, which are delivered with the message.
    uint32_t length_offset = 0;
    uint32_t length_width = 4;  // 1, 2, 3, 4 or 8 bytes
    int64_t length_adjust = 0;
    bool little_endian = false;
    bool deliver_header = false;

    static Framing none(uint64_t max_message_bytes = kDefaultMaxMessageBytes);
    static Framing line(std::string_view delimiter, uint64_t max_message_bytes = kDefaultMaxMessageBytes);
    static Framing length_prefix(uint32_t width, uint64_t max_message_bytes = kDefaultMaxMessageBytes);

    size_t header_bytes() const { return size_t{length_offset} + length_width; }
    /// Sets `length_adjust` for a length that includes the header.
    void length_counts_header() { length_adjust = -static_cast<int64_t>(header_bytes()); }

    /// Empty when the framing is valid, else a sentence that says what is wrong and what is allowed.
    std::string validate() const;
};

enum class Event : uint8_t {
    kNeedInput,  // the whole input is consumed; call again with more, or fill the window
    kNeedRoom,   // waits for `grant()`; keep the rest of the input until then
    kMessage,
    kError,  // the receiver is dead; see `error()`
};

/// Cuts the bytes of one peer into messages. It is driven as websocket::Receiver is, which describes the
/// steps. It does no I/O, allocates nothing, and delivers a message that stands whole in the input in
/// place.
class Receiver {
  public:
    /// `framing` must be valid, and outlive the receiver.
    explicit Receiver(const Framing& framing) : framing_(&framing) {}

    /// Consumes from the front of `input` up to the next event.
    Event next(std::span<char>& input);
    /// next() without input: for after `grant()` and `filled()`.
    Event next() {
        std::span<char> nothing;
        return next(nothing);
    }

    // After kNeedRoom: the room wanted. Less will do, and kNeedRoom comes again when that is full; the least
    // is the delivered header and a byte, or, of a line, what stands in the room and in the input. Copy
    // `filled_bytes()` bytes into each new room.
    size_t needed() const { return needed_; }
    size_t filled_bytes() const { return filled_; }
    Room room() const { return room_; }
    void grant(Room room);

    /// The room's unfilled rest for a length-prefixed message; always empty for lines, whose end is
    /// unknown.
    std::span<char> window();
    /// `size` bytes from the peer were put at the front of `window()`.
    void filled(size_t size) { filled_ += size; }

    /// After kMessage, until the following `next()`.
    std::span<char> message() const { return message_; }
    /// Whether `message()` stands in the room. Then the room is the caller's: the following `next()` forgets
    /// it.
    bool in_room() const { return gives_room_; }
    /// Takes the room at once, not only with the following `next()`: after a message that stands in it, or on
    /// teardown (after taking the room of an incomplete message only the destructor may follow).
    Room take_room();

    /// After kError: what happened, as a sentence.
    std::string error() const;
    /// By which parameter; nullptr: by none.
    const char* limit() const;

    /// Whether a message has begun and is not complete: the deadline of its progress runs.
    bool in_message() const { return filled_ != 0 || header_filled_ != 0; }
    /// Whether it stands between two messages, and holds nothing of either: a new receiver would do as well.
    bool at_rest() const { return state_ == State::kStart && !in_message() && !room_; }

  private:
    enum class State : uint8_t { kStart, kBody, kFailed };
    enum class Fault : uint8_t { kNone, kLineTooLong, kMessageTooBig, kLengthTooSmall };

    Event next_piece(std::span<char>& input);
    Event next_line(std::span<char>& input);
    Event next_length_prefixed(std::span<char>& input);
    bool take_header(std::span<char>& input);
    Fault begin_body();
    uint64_t declared_length() const;
    Event deliver(std::span<char> message, bool in_room);
    Event fail(Fault fault);

    const Framing* framing_;
    Room room_;
    std::span<char> message_;
    uint64_t filled_ = 0;  // bytes of the message begun that stand in the room
    uint64_t needed_ = 0;  // room wanted; for a length-prefixed message the message's size
    std::array<char, Framing::kMaxHeaderBytes> header_{};
    uint8_t header_filled_ = 0;
    State state_ = State::kStart;
    Fault fault_ = Fault::kNone;
    bool gives_room_ = false;
};

}  // namespace sluice::tcp
