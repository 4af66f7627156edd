#include "protocol/framing/tcp_framing.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace sluice::tcp {
namespace {

/// The first room for a line: its size is not known before its end.
constexpr uint64_t kFirstRoomBytes = 256;

/// How many bytes at the end of `begun` are the beginning of a delimiter that `input` completes; 0:
/// none.
size_t straddling_bytes(std::string_view begun, std::string_view input, std::string_view delimiter) {
    // The longest first: of two delimiters that overlap, the one that began earlier counts.
    for (size_t before = std::min(delimiter.size() - 1, begun.size()); before != 0; --before) {
        if (begun.ends_with(delimiter.substr(0, before)) && input.starts_with(delimiter.substr(before))) {
            return before;
        }
    }
    return 0;
}

}  // namespace

Framing Framing::none(uint64_t max_message_bytes) {
    Framing framing;
    framing.max_message_bytes = max_message_bytes;
    return framing;
}

Framing Framing::line(std::string_view delimiter, uint64_t max_message_bytes) {
    Framing framing;
    framing.kind = Kind::kLine;
    framing.max_message_bytes = max_message_bytes;
    framing.delimiter_size = delimiter.size();
    delimiter.copy(framing.delimiter_bytes.data(), framing.delimiter_bytes.size());
    return framing;
}

Framing Framing::length_prefix(uint32_t width, uint64_t max_message_bytes) {
    Framing framing;
    framing.kind = Kind::kLengthPrefix;
    framing.max_message_bytes = max_message_bytes;
    framing.length_width = width;
    return framing;
}

std::string Framing::validate() const {
    using std::to_string;
    if (max_message_bytes == 0 || max_message_bytes > kMaxMessageBytes) {
        return "The largest message is " + to_string(max_message_bytes) + " bytes; allowed are 1 to " +
               to_string(kMaxMessageBytes) + ".";
    }
    if (kind == Kind::kLine && (delimiter_size == 0 || delimiter_size > kMaxDelimiterBytes)) {
        return "The delimiter of a line has " + to_string(delimiter_size) + " bytes; allowed are 1 to " +
               to_string(kMaxDelimiterBytes) + ".";
    }
    if (kind != Kind::kLengthPrefix) return {};

    if (length_width != 1 && length_width != 2 && length_width != 3 && length_width != 4 &&
        length_width != 8) {
        return "The length prefix is " + to_string(length_width) +
               " bytes wide; allowed are 1, 2, 3, 4 and 8.";
    }
    if (header_bytes() > kMaxHeaderBytes) {
        return "The length prefix ends at byte " + to_string(header_bytes()) +
               " of the header; allowed is at most " + to_string(kMaxHeaderBytes) + ".";
    }
    const auto most = static_cast<int64_t>(kMaxMessageBytes);
    if (length_adjust < -most || length_adjust > most) {
        return "The adjustment of the length is " + to_string(length_adjust) + " bytes; allowed are " +
               to_string(-most) + " to " + to_string(most) + ".";
    }
    const uint64_t least = (deliver_header ? header_bytes() : 0) + std::max<int64_t>(length_adjust, 0);
    if (least > max_message_bytes) {
        return "The smallest message has " + to_string(least) +
               " bytes by its header and the adjustment of its length, but the largest allowed is " +
               to_string(max_message_bytes) + ".";
    }
    return {};
}

Event Receiver::next(std::span<char>& input) {
    if (gives_room_) take_room();
    message_ = {};
    if (state_ == State::kFailed) return Event::kError;
    switch (framing_->kind) {
        case Framing::Kind::kNone: return next_piece(input);
        case Framing::Kind::kLine: return next_line(input);
        case Framing::Kind::kLengthPrefix: return next_length_prefixed(input);
    }
    return Event::kNeedInput;
}

Event Receiver::next_piece(std::span<char>& input) {
    if (input.empty()) return Event::kNeedInput;
    const std::span<char> piece = input.first(std::min<uint64_t>(input.size(), framing_->max_message_bytes));
    input = input.subspan(piece.size());
    return deliver(piece, false);
}

Event Receiver::next_line(std::span<char>& input) {
    const std::string_view delimiter = framing_->delimiter();
    const uint64_t max_bytes = framing_->max_message_bytes;

    // A delimiter that ends further on would end a line that is too long.
    const size_t searched = std::min<uint64_t>(input.size(), max_bytes + delimiter.size() - filled_);
    const std::string_view fresh(input.data(), searched);
    if (size_t before = straddling_bytes({room_.data, filled_}, fresh, delimiter)) {
        input = input.subspan(delimiter.size() - before);
        return deliver({room_.data, filled_ - before}, true);
    }
    const size_t end = fresh.find(delimiter);
    if (end == fresh.npos && filled_ + fresh.size() >= max_bytes + delimiter.size()) {
        return fail(Fault::kLineTooLong);
    }
    if (end != fresh.npos && !room_) {
        const std::span<char> line = input.first(end);
        input = input.subspan(end + delimiter.size());
        return deliver(line, false);
    }

    const size_t taken = end == fresh.npos ? fresh.size() : end;
    if (taken != 0) {
        if (room_.size < filled_ + taken) {
            const uint64_t grown = std::max(2 * uint64_t{room_.size}, kFirstRoomBytes);
            const uint64_t most = max_bytes + delimiter.size() - 1;
            needed_ = end != fresh.npos ? filled_ + taken : std::max(filled_ + taken, std::min(grown, most));
            return Event::kNeedRoom;
        }
        std::memcpy(room_.data + filled_, fresh.data(), taken);
        filled_ += taken;
        input = input.subspan(taken);
    }
    if (end == fresh.npos) return Event::kNeedInput;
    input = input.subspan(delimiter.size());
    return deliver({room_.data, filled_}, true);
}

Event Receiver::next_length_prefixed(std::span<char>& input) {
    const size_t header_bytes = framing_->header_bytes();
    if (state_ == State::kStart) {
        const std::span<char> from_header = input;
        const bool header_in_input = header_filled_ == 0;
        if (!take_header(input)) return Event::kNeedInput;
        if (Fault fault = begin_body(); fault != Fault::kNone) return fail(fault);
        if (framing_->deliver_header && header_in_input && from_header.size() >= needed_) {
            input = from_header.subspan(needed_);
            return deliver(from_header.first(needed_), false);
        }
    }
    // The receiver already holds the header to be delivered: its message must be assembled in a room.
    if (!framing_->deliver_header && !room_) {
        if (input.size() >= needed_) {
            const std::span<char> body = input.first(needed_);
            input = input.subspan(needed_);
            return deliver(body, false);
        }
        // The next input may hold the whole body; a declared length alone gets no room.
        if (input.empty()) return Event::kNeedInput;
    }
    if (!room_) return Event::kNeedRoom;
    assert(!framing_->deliver_header || filled_ >= header_bytes);
    (void)header_bytes;
    const size_t taken = std::min(input.size(), window().size());
    if (taken != 0) std::memcpy(room_.data + filled_, input.data(), taken);
    input = input.subspan(taken);
    filled_ += taken;
    if (filled_ != needed_) return window().empty() ? Event::kNeedRoom : Event::kNeedInput;
    return deliver({room_.data, needed_}, true);
}

bool Receiver::take_header(std::span<char>& input) {
    const size_t taken = std::min(framing_->header_bytes() - header_filled_, input.size());
    if (taken != 0) std::memcpy(header_.data() + header_filled_, input.data(), taken);
    header_filled_ = static_cast<uint8_t>(header_filled_ + taken);
    input = input.subspan(taken);
    return header_filled_ == framing_->header_bytes();
}

uint64_t Receiver::declared_length() const {
    uint64_t length = 0;
    for (size_t i = 0; i < framing_->length_width; ++i) {
        const size_t at = framing_->little_endian ? framing_->length_width - 1 - i : i;
        length = length << 8 | static_cast<uint8_t>(header_[framing_->length_offset + at]);
    }
    return length;
}

/// The header is complete: sets the size of the message, without overflow whatever length was declared.
Receiver::Fault Receiver::begin_body() {
    const uint64_t length = declared_length();
    const int64_t adjust = framing_->length_adjust;
    if (adjust < 0 && length < static_cast<uint64_t>(-adjust)) return Fault::kLengthTooSmall;
    const uint64_t base = framing_->deliver_header ? framing_->header_bytes() : 0;
    const uint64_t max_bytes = framing_->max_message_bytes;
    uint64_t body = length;
    if (adjust < 0) {
        body -= static_cast<uint64_t>(-adjust);
    } else if (body <= max_bytes) {
        body += static_cast<uint64_t>(adjust);
    }
    if (body > max_bytes || base + body > max_bytes) return Fault::kMessageTooBig;
    needed_ = base + body;
    state_ = State::kBody;
    return Fault::kNone;
}

void Receiver::grant(Room room) {
    assert(room.data != nullptr && room.size > filled_);
    room_ = room;
    if (state_ == State::kBody && framing_->deliver_header && filled_ == 0) {
        filled_ = framing_->header_bytes();
        std::memcpy(room_.data, header_.data(), filled_);
    }
}

std::span<char> Receiver::window() {
    if (state_ != State::kBody || !room_) return {};
    return {room_.data + filled_, std::min<uint64_t>(needed_, room_.size) - filled_};
}

Event Receiver::deliver(std::span<char> message, bool in_room) {
    message_ = message;
    gives_room_ = in_room;
    state_ = State::kStart;
    header_filled_ = 0;
    filled_ = 0;
    return Event::kMessage;
}

Room Receiver::take_room() {
    gives_room_ = false;
    return std::exchange(room_, {});
}

Event Receiver::fail(Fault fault) {
    state_ = State::kFailed;
    fault_ = fault;
    return Event::kError;
}

const char* Receiver::limit() const {
    return fault_ == Fault::kLineTooLong || fault_ == Fault::kMessageTooBig ? "messageBytes" : nullptr;
}

std::string Receiver::error() const {
    using std::to_string;
    const std::string allowed = to_string(framing_->max_message_bytes);
    switch (fault_) {
        case Fault::kNone: break;
        case Fault::kLineTooLong: return "A line is longer than the " + allowed + " bytes that are allowed.";
        case Fault::kMessageTooBig:
            return "A message's header holds the length " + to_string(declared_length()) +
                   ", which makes the message larger than the " + allowed + " bytes that are allowed.";
        case Fault::kLengthTooSmall:
            return "A message's header holds the length " + to_string(declared_length()) +
                   "; it must be at least " + to_string(-framing_->length_adjust) + ".";
    }
    return {};
}

}  // namespace sluice::tcp
