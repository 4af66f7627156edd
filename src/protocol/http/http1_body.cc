#include "protocol/http/http1_body.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>

#include "protocol/http/http_syntax.h"

namespace sluice::http1 {

namespace {

constexpr uint8_t kMaxSizeDigits = 16;

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

}  // namespace

bool is_forbidden_in_trailers(std::string_view name) {
    static constexpr std::string_view kForbidden[] = {
        "authorization",  "connection",    "content-encoding",
        "content-length", "content-range", "content-type",
        "cookie",         "expect",        "proxy-authorization",
        "host",           "set-cookie",    "te",
        "trailer",        "upgrade",       "transfer-encoding",
    };
    return std::any_of(std::begin(kForbidden), std::end(kForbidden),
                       [&](std::string_view forbidden) { return http::equals_caseless(name, forbidden); });
}

void BodyReceiver::begin(const http::RequestHead& head, uint64_t max_body_bytes, uint64_t max_room_bytes) {
    *this = BodyReceiver();
    max_body_bytes_ = max_body_bytes;
    max_room_bytes_ = max_room_bytes;
    chunked_ = head.chunked;
    if (chunked_) {
        state_ = State::kSizeFirst;
    } else if (head.has_body) {
        left_ = head.content_length;
        state_ = State::kLength;
        if (left_ > max_body_bytes) {
            state_ = fail(413, "The body is longer than the limit for bodies of requests.", "bodyBytes");
        }
    }
}

BodyReceiver::Event BodyReceiver::next(std::span<char>& input) {
    return chunked_ ? next_chunked(input) : next_length(input);
}

BodyReceiver::Event BodyReceiver::next_length(std::span<char>& input) {
    if (state_ == State::kError) return Event::kError;
    if (state_ == State::kDone) return Event::kMessage;
    if (in_pieces_) {
        if (left_ == 0) return finish();
        return take_piece(input) ? Event::kData : Event::kNeedInput;
    }
    if (!room_ && input.size() >= left_) {
        message_ = input.first(left_);
        input = input.subspan(left_);
        received_ = left_;
        left_ = 0;
        state_ = State::kDone;
        return Event::kMessage;
    }
    if (!take_data(input)) return Event::kNeedRoom;
    return left_ == 0 ? finish() : Event::kNeedInput;
}

BodyReceiver::Event BodyReceiver::next_chunked(std::span<char>& input) {
    while (true) {
        if (state_ == State::kError) return Event::kError;
        if (state_ == State::kDone) return Event::kMessage;
        if (state_ == State::kData && in_pieces_) {
            if (left_ != 0) return take_piece(input) ? Event::kData : Event::kNeedInput;
            state_ = State::kDataCr;
        } else if (state_ == State::kData) {
            if (!take_data(input)) return Event::kNeedRoom;
            if (left_ != 0) return Event::kNeedInput;
            state_ = State::kDataCr;
        }
        if (input.empty()) return Event::kNeedInput;
        const char c = input.front();
        input = input.subspan(1);
        state_ = read_byte(c);
        if (state_ == State::kDone) return finish();
    }
}

void BodyReceiver::take_pieces() {
    in_pieces_ = true;
    room_ = {};
    message_ = {};
}

bool BodyReceiver::take_piece(std::span<char>& input) {
    message_ = input.first(static_cast<size_t>(std::min<uint64_t>(input.size(), left_)));
    input = input.subspan(message_.size());
    received_ += message_.size();
    left_ -= message_.size();
    return !message_.empty();
}

void BodyReceiver::put_back(size_t bytes, std::span<char>& input) {
    assert(in_pieces_ && bytes <= message_.size() && message_.data() + message_.size() == input.data());
    input = {input.data() - bytes, input.size() + bytes};
    received_ -= bytes;
    left_ += bytes;
}

void BodyReceiver::took(size_t bytes) {
    assert(bytes <= piece_bytes());
    received_ += bytes;
    left_ -= bytes;
}

/// Moves input of the body or chunk into the room; false when the room is full before its end.
bool BodyReceiver::take_data(std::span<char>& input) {
    const size_t size = std::min(input.size(), window().size());
    if (size != 0) {
        memcpy(room_.data + received_, input.data(), size);
        input = input.subspan(size);
        received_ += size;
        left_ -= size;
    }
    if (left_ == 0 || !window().empty() || (input.empty() && !room_)) return true;
    const uint64_t total = received_ + left_;
    needed_ = static_cast<size_t>(total);
    if (chunked_) {
        const uint64_t grown = std::max<uint64_t>({total, uint64_t{room_.size} * 2, kFirstRoomBytes});
        needed_ = static_cast<size_t>(std::min({grown, max_body_bytes_, std::max(total, max_room_bytes_)}));
    }
    return false;
}

BodyReceiver::Event BodyReceiver::finish() {
    state_ = State::kDone;
    if (in_pieces_) message_ = {};
    if (room_) message_ = {room_.data, static_cast<size_t>(received_)};
    return Event::kMessage;
}

void BodyReceiver::grant(Room room) {
    assert(room.data != nullptr && room.size > filled_bytes());
    room_ = room;
}

std::span<char> BodyReceiver::window() const {
    if (!is_in_data() || !room_) return {};
    return {room_.data + received_, static_cast<size_t>(std::min<uint64_t>(left_, room_.size - received_))};
}

void BodyReceiver::filled(size_t n) {
    assert(n <= window().size());
    received_ += n;
    left_ -= n;
}

BodyReceiver::State BodyReceiver::read_byte(char c) {
    switch (state_) {
        case State::kSizeFirst:
        case State::kSize: return read_size(c);
        case State::kSizeLf:
            if (c != '\n') return fail(400, "A chunk's size line has a CR without LF.");
            return begin_chunk();
        case State::kDataCr:
            if (c != '\r') return fail(400, "A chunk is not followed by CR LF: its size is wrong.");
            return State::kDataLf;
        case State::kDataLf:
            if (c != '\n') return fail(400, "A chunk is not followed by CR LF: its size is wrong.");
            return State::kSizeFirst;
        case State::kEndLf:
            if (c != '\n') return fail(400, "The end of the chunked body has a CR without LF.");
            return State::kDone;
        case State::kTrailerStart:
        case State::kTrailerName:
        case State::kTrailerValue:
        case State::kTrailerLf: return read_trailer(c);
        default: return read_extension(c);
    }
}

BodyReceiver::State BodyReceiver::read_size(char c) {
    if (state_ == State::kSizeFirst) {
        left_ = 0;
        size_digits_ = 0;
    }
    const int digit = http::hex_value(c);
    if (digit >= 0) {
        if (size_digits_++ == kMaxSizeDigits) return fail(400, "A chunk size has more than 16 digits.");
        left_ = left_ << 4 | static_cast<uint64_t>(digit);
        return State::kSize;
    }
    if (state_ == State::kSize) {
        if (c == '\r') return State::kSizeLf;
        if (c == ';' || is_blank(c)) {
            state_ = State::kExtension;
            return read_extension(c);
        }
    }
    return fail(400, "A chunk size is not a hexadecimal number alone.");
}

/// chunk-ext of RFC 9112 7.1.1, with the "bad whitespace" around ';' and '=' that recipients must accept.
BodyReceiver::State BodyReceiver::read_extension(char c) {
    const bool token = http::is_token_byte(c);
    const bool blank = is_blank(c);
    if (c != '\r' && ++extension_bytes_ > kMaxExtensionBytes) {
        return fail(400, "The chunk extensions are longer than 4096 bytes in total.");
    }
    switch (state_) {
        case State::kExtension:
            if (blank) return state_;
            if (c == ';') return State::kExtensionNameFirst;
            break;
        case State::kExtensionNameFirst:
            if (blank) return state_;
            if (token) return State::kExtensionName;
            break;
        case State::kExtensionName:
            if (token) return state_;
            if (c == '\r') return State::kSizeLf;
            if (blank) return State::kExtensionNameBlank;
            [[fallthrough]];
        case State::kExtensionNameBlank:
            if (blank) return state_;
            if (c == '=') return State::kExtensionValueFirst;
            if (c == ';') return State::kExtensionNameFirst;
            break;
        case State::kExtensionValueFirst:
            if (blank) return state_;
            if (c == '"') return State::kExtensionQuoted;
            if (token) return State::kExtensionToken;
            break;
        case State::kExtensionQuoted:
            if (c == '"') return State::kExtensionQuotedEnd;
            if (c == '\\') return State::kExtensionQuotedPair;
            if (http::is_field_byte(c)) return state_;
            break;
        case State::kExtensionQuotedPair:
            if (http::is_field_byte(c)) return State::kExtensionQuoted;
            break;
        case State::kExtensionToken:
            if (token) return state_;
            [[fallthrough]];
        case State::kExtensionQuotedEnd:
            if (c == '\r') return State::kSizeLf;
            if (c == ';') return State::kExtensionNameFirst;
            if (blank) return State::kExtension;
            break;
        default: break;
    }
    return fail(400, "A chunk extension is not of the form ;name or ;name=value.");
}

BodyReceiver::State BodyReceiver::begin_chunk() {
    if (left_ == 0) return State::kTrailerStart;
    if (left_ > max_body_bytes_ - received_) {
        return fail(413, "The body is longer than the limit for bodies of requests.", "bodyBytes");
    }
    return State::kData;
}

BodyReceiver::State BodyReceiver::read_trailer(char c) {
    if (state_ == State::kTrailerStart && c == '\r') return State::kEndLf;
    if (++trailer_bytes_ > kMaxTrailerBytes) return fail(431, "The trailers are longer than 8192 bytes.");
    switch (state_) {
        case State::kTrailerStart:
            if (++trailer_fields_ > kMaxTrailerFields) return fail(431, "There are more than 32 trailers.");
            trailer_name_length_ = 0;
            [[fallthrough]];
        case State::kTrailerName: {
            if (c == ':' && trailer_name_length_ != 0) return finish_trailer_name();
            const char lower = http::lower_token_byte(c);
            if (lower == 0) return fail(400, "A trailer does not begin with a name and a colon.");
            if (trailer_name_length_ < sizeof(trailer_name_)) trailer_name_[trailer_name_length_++] = lower;
            return State::kTrailerName;
        }
        case State::kTrailerValue:
            if (http::is_field_byte(c)) return state_;
            if (c == '\r') return State::kTrailerLf;
            return fail(400, "A trailer's value has a control character.");
        default:
            if (c != '\n') return fail(400, "A trailer has a CR without LF.");
            return State::kTrailerStart;
    }
}

/// Refuses forbidden trailers; all others are dropped.
BodyReceiver::State BodyReceiver::finish_trailer_name() {
    if (is_forbidden_in_trailers({trailer_name_, trailer_name_length_})) {
        return fail(400, "A trailer field must stand in the head instead.");
    }
    return State::kTrailerValue;
}

BodyReceiver::State BodyReceiver::fail(uint16_t status, const char* reason, const char* limit) {
    error_ = {status, reason, limit};
    return State::kError;
}

}  // namespace sluice::http1
