#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/room.h"
#include "protocol/http/http_head.h"

namespace sluice::http1 {

/// Fields that frame, route, authenticate or describe a message have to be known before its body; in a
/// trailer they can only be meant to mislead (RFC 9110 6.5.1).
bool is_forbidden_in_trailers(std::string_view name);

/// Receives the body of one request: known length or chunked (RFC 9112 sections 6 and 7).
///
/// Driven by `next()`, which takes bytes from the front of what was received and says what is wanted:
/// - kNeedInput: all of `input` is used up. Receive more: into the caller's own buffer for the next call of
///   `next()`, or, when `window()` is not empty, straight into the window, and call `filled()` for that.
/// - kNeedRoom: get `needed()` bytes, or as many as are to be had above `filled_bytes()`, copy the first
///   `filled_bytes()` bytes of the old `room()` (if there is one) there, free the old one, `grant()` the new
///   one and call `next()` again. A room of fewer bytes is asked to grow once it is full. Bytes left in
///   `input` have to be kept until `grant()`; the caller may wait as long as it likes for memory.
/// - kMessage: the body is complete; `input` now begins with what follows it (the next request).
/// - kData: after `take_pieces()`; see `piece()`.
/// - kError: see `error()`. Nothing can be read from this connection any more.
///
/// Room is never asked for before the first byte of body has come, so an announced length alone costs no
/// memory. The receiver never frees: whoever granted a room frees it after the message, or when giving up.
class BodyReceiver {
  public:
    enum class Event : uint8_t { kNeedInput, kNeedRoom, kData, kMessage, kError };

    /// For all chunk extensions of one body. Nothing uses chunk extensions: they are only a way to waste the
    /// server's time.
    static constexpr uint32_t kMaxExtensionBytes = 4096;
    static constexpr uint32_t kMaxTrailerBytes = 8192;
    static constexpr uint16_t kMaxTrailerFields = 32;
    /// The least room that a chunked body asks for (if the limit allows); further rooms double it.
    static constexpr size_t kFirstRoomBytes = 4096;

    /// Prepares for the body that `head` announces (perhaps none: the first `next()` says kMessage then).
    /// A body over `max_body_bytes` is refused with 413, a known length at once.
    /// A chunked body asks for more room than `max_room_bytes` only when it needs it, not to grow there.
    void begin(const http::RequestHead& head, uint64_t max_body_bytes, uint64_t max_room_bytes = UINT64_MAX);

    Event next(std::span<char>& input);
    /// next() without input: for after `filled()`.
    Event next() {
        std::span<char> nothing;
        return next(nothing);
    }

    /// After kNeedRoom: size of the room wanted in total (not in addition). A body of known length wants
    /// exactly its length, and none when it stands whole in `input`.
    size_t needed() const { return needed_; }
    Room room() const { return room_; }
    void grant(Room room);
    /// From here on the body is not assembled: kData tells each piece, and kMessage the end alone. The caller
    /// takes the room first, with the bytes that stand in it.
    void take_pieces();
    /// After kData: the next piece, inside the last `input`.
    std::span<char> piece() const { return message_; }
    /// Makes the last `bytes` of the piece, which could not be used, the front of `input` again.
    void put_back(size_t bytes, std::span<char>& input);
    /// In pieces: how many bytes of the body come next. The caller may receive them where it likes, when
    /// next() has used up all earlier input, and tells so by `took()`.
    uint64_t piece_bytes() const { return in_pieces_ && is_in_data() ? left_ : 0; }
    void took(size_t bytes);
    /// Bytes of the body, or of the current chunk, that are still to come.
    uint64_t left_bytes() const { return left_; }
    /// How many bytes at the start of the room hold body.
    size_t filled_bytes() const { return room_ ? static_cast<size_t>(received_) : 0; }

    /// Where the next bytes from the socket may be received directly; empty when they may not. The window
    /// never covers more than this body (or the chunk being read), so a pipelined request cannot end up
    /// there. Use it only when `next()` has used up all earlier input.
    std::span<char> window() const;
    /// `n` bytes were received at the front of `window()`. Ask `next()` (with empty input) what follows.
    void filled(size_t n);

    /// After kMessage: the body. In the room, or (`in_room()` false) inside the last `input`, or empty.
    std::span<char> message() const { return message_; }
    bool in_room() const { return room_.data != nullptr && message_.data() == room_.data; }

    http::Error error() const { return error_; }
    /// Bytes of body so far, without the framing of chunks.
    uint64_t received_bytes() const { return received_; }

  private:
    enum class State : uint8_t {
        kLength,
        kSizeFirst,
        kSize,
        kExtension,  ///< blanks before a ';'
        kExtensionNameFirst,
        kExtensionName,
        kExtensionNameBlank,
        kExtensionValueFirst,
        kExtensionToken,
        kExtensionQuoted,
        kExtensionQuotedPair,
        kExtensionQuotedEnd,
        kSizeLf,
        kData,
        kDataCr,
        kDataLf,
        kTrailerStart,
        kTrailerName,
        kTrailerValue,
        kTrailerLf,
        kEndLf,
        kDone,
        kError,
    };

    bool is_in_data() const { return state_ == State::kLength || state_ == State::kData; }
    Event next_length(std::span<char>& input);
    Event next_chunked(std::span<char>& input);
    Event finish();
    bool take_data(std::span<char>& input);
    bool take_piece(std::span<char>& input);
    State read_byte(char c);
    State read_size(char c);
    State read_extension(char c);
    State read_trailer(char c);
    State begin_chunk();
    State finish_trailer_name();
    State fail(uint16_t status, const char* reason, const char* limit = nullptr);

    State state_ = State::kDone;
    bool chunked_ = false;
    bool in_pieces_ = false;
    uint8_t size_digits_ = 0;
    uint8_t trailer_name_length_ = 0;
    uint16_t trailer_fields_ = 0;
    uint16_t extension_bytes_ = 0;
    uint16_t trailer_bytes_ = 0;
    char trailer_name_[24] = {};  ///< start of the trailer name being read; longer names are none that matter
    uint64_t max_body_bytes_ = 0;
    uint64_t max_room_bytes_ = 0;
    uint64_t left_ = 0;  ///< bytes of the body, or of the current chunk, still to come
    uint64_t received_ = 0;
    size_t needed_ = 0;
    Room room_;
    std::span<char> message_;
    http::Error error_;
};

}  // namespace sluice::http1
