#include "protocol/websocket/websocket_receiver.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace sluice::websocket {
namespace {

/// The first room for a message of unknown size.
constexpr uint64_t kFirstRoomBytes = 1024;
/// A long frame of a compressed message gets more at once: four times its size, but no more than this, for a
/// header alone must not cost much memory.
constexpr uint64_t kFirstInflateRoomBytes = 16384;

/// Compressed bytes are unmasked in blocks of this size, in a copy: bytes that the inflater leaves must be
/// offered again, still masked.
constexpr size_t kInflateBlockBytes = 2048;

/// Beyond any memory, and small enough that sizes can be added without overflow.
constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 62;

constexpr uint8_t kReservedBits = 0x70;
constexpr uint8_t kCompressedBit = 0x40;  // RSV1, RFC 7692 section 6
constexpr uint8_t kMaskBit = 0x80;
constexpr uint8_t kLengthBits = 0x7f;

uint64_t read_big_endian(const uint8_t* at, size_t width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i) {
        value = value << 8 | at[i];
    }
    return value;
}

uint16_t read_close_code(std::span<const char> payload) {
    return static_cast<uint16_t>(static_cast<uint8_t>(payload[0]) << 8 | static_cast<uint8_t>(payload[1]));
}

}  // namespace

Receiver::Receiver(Limits limits, Role role, bool deflate)
    : max_message_bytes_(std::min(limits.max_message_bytes, kMaxMessageBytes)),
      max_fragments_(limits.max_fragments),
      role_(role),
      deflate_(deflate) {}

Event Receiver::next(std::span<char>& input) {
    if (gives_room_) take_room();
    message_ = {};
    for (;;) {
        std::optional<Event> event;
        switch (state_) {
            case State::kHeader: event = take_header(input); break;
            case State::kPayloadStart: event = start_payload(input); break;
            case State::kPayload: event = take_payload(input); break;
            case State::kInflate: event = inflate_payload(input); break;
            case State::kInflateEnd: event = inflate_end(); break;
            case State::kClosed: input = {}; return Event::kNeedInput;
            case State::kFailed: return Event::kError;
        }
        if (event) return *event;
    }
}

std::optional<Event> Receiver::take_header(std::span<char>& input) {
    const auto fill_up_to = [&](size_t size) {
        const size_t taken = std::min(size - header_filled_, input.size());
        if (taken != 0) std::memcpy(header_.data() + header_filled_, input.data(), taken);
        header_filled_ = static_cast<uint8_t>(header_filled_ + taken);
        input = input.subspan(taken);
        return header_filled_ == size;
    };
    if (header_filled_ < 2) {
        if (!fill_up_to(2)) return Event::kNeedInput;
        if (Fault fault = check_first_bytes(); fault != Fault::kNone) return fail(fault);
    }
    if (!fill_up_to(header_size())) return Event::kNeedInput;
    if (Fault fault = begin_frame(); fault != Fault::kNone) return fail(fault);
    return std::nullopt;
}

size_t Receiver::header_size() const {
    const uint8_t length = header_[1] & kLengthBits;
    const size_t extended = length == 127 ? 8 : length == 126 ? 2 : 0;
    return 2 + extended + ((header_[1] & kMaskBit) != 0 ? sizeof(MaskKey) : 0);
}

/// Checks what the first two bytes and the message's state tell, before the rest of the header has come.
Receiver::Fault Receiver::check_first_bytes() const {
    const uint8_t allowed = deflate_ ? kCompressedBit : 0;
    if ((header_[0] & kReservedBits & ~allowed) != 0) return Fault::kReservedBits;
    if ((header_[0] & kCompressedBit) != 0 && frame_opcode() != Opcode::kText &&
        frame_opcode() != Opcode::kBinary) {
        return Fault::kCompressedBit;
    }

    const bool masked = (header_[1] & kMaskBit) != 0;
    switch (frame_opcode()) {
        case Opcode::kContinuation:
            if (!in_message_) return Fault::kNothingToContinue;
            break;
        case Opcode::kText:
        case Opcode::kBinary:
            if (in_message_) return Fault::kMessageInterrupted;
            break;
        case Opcode::kClose:
        case Opcode::kPing:
        case Opcode::kPong:
            if (!frame_final()) return Fault::kControlFragmented;
            if ((header_[1] & kLengthBits) > kMaxControlPayloadBytes) return Fault::kControlTooLong;
            break;
        default: return Fault::kReservedOpcode;
    }
    if (role_ == Role::kServer && !masked) return Fault::kUnmasked;
    if (role_ == Role::kClient && masked) return Fault::kMasked;
    return Fault::kNone;
}

/// The header is complete: takes over its length and key, and opens the message if it is its first frame.
Receiver::Fault Receiver::begin_frame() {
    const uint8_t length = header_[1] & kLengthBits;
    frame_left_ = length;
    if (length == 126) {
        frame_left_ = read_big_endian(header_.data() + 2, 2);
        if (frame_left_ <= 125) return Fault::kLengthNotMinimal;
    } else if (length == 127) {
        frame_left_ = read_big_endian(header_.data() + 2, 8);
        if (frame_left_ >> 63 != 0) return Fault::kLengthTopBit;
        if (frame_left_ <= 0xffff) return Fault::kLengthNotMinimal;
    }
    if (role_ == Role::kServer) {
        std::memcpy(key_.data(), header_.data() + header_size() - key_.size(), key_.size());
    }
    if (!frame_is_control()) {
        if (!in_message_) {
            in_message_ = true;
            fragments_ = 0;
            message_opcode_ = frame_opcode();
            compressed_ = (header_[0] & kCompressedBit) != 0;
            has_payload_ = false;
            text_.reset();
        }
        // Incompressible data grows by less than an eighth, even in the worst encoding.
        const uint64_t most =
            compressed_ ? max_message_bytes_ + max_message_bytes_ / 8 + 64 : max_message_bytes_ - filled_;
        if (frame_left_ > most) return Fault::kTooBig;
        if (++fragments_ > max_fragments_) return Fault::kTooManyFragments;
    }
    state_ = State::kPayloadStart;
    return Fault::kNone;
}

/// Decides whether the payload is used in place or assembled in the room.
std::optional<Event> Receiver::start_payload(std::span<char>& input) {
    if (compressed_ && !frame_is_control()) {
        state_ = State::kInflate;
        return std::nullopt;
    }
    if (frame_left_ == 0) return finish_frame({}, false);

    const bool whole_message = frame_final() && !room_;
    if (whole_message || frame_is_control()) {
        // Many peers send header and payload apart: the next input may hold the whole payload, and a length
        // alone gets no room.
        if (input.empty()) return Event::kNeedInput;
        if (input.size() >= frame_left_) {
            const std::span<char> payload = input.first(frame_left_);
            input = input.subspan(payload.size());
            frame_left_ = 0;
            if (!decode(payload)) return fail(Fault::kInvalidText);
            return finish_frame(payload, false);
        }
    }
    state_ = State::kPayload;
    return std::nullopt;
}

std::optional<Event> Receiver::take_payload(std::span<char>& input) {
    if (room_.size < least_room()) return Event::kNeedRoom;
    const std::span<char> place = rest_of_room();
    const size_t taken = std::min(place.size(), input.size());
    if (taken != 0) {
        std::memcpy(place.data(), input.data(), taken);
        input = input.subspan(taken);
        take_in(place.first(taken));
        if (state_ == State::kFailed) return Event::kError;
    }
    if (frame_left_ != 0) return taken == place.size() ? Event::kNeedRoom : Event::kNeedInput;
    if (!frame_is_control()) return finish_frame({}, true);
    return finish_frame({room_.data + filled_, control_length()}, true);
}

std::optional<Event> Receiver::inflate_payload(std::span<char>& input) {
    while (frame_left_ != 0) {
        if (input.empty()) return Event::kNeedInput;
        if (inflater_ == nullptr) return Event::kNeedInflater;
        if (needs_room_to_inflate()) return Event::kNeedRoom;
        char block[kInflateBlockBytes];
        const size_t size = std::min({uint64_t{sizeof block}, frame_left_, uint64_t{input.size()}});
        std::memcpy(block, input.data(), size);
        if (role_ == Role::kServer) unmask(block, size, key_);
        std::string_view bytes(block, size);
        if (Fault fault = inflate(bytes); fault != Fault::kNone) return fail(fault);
        const size_t taken = size - bytes.size();
        turn_key(taken);
        input = input.subspan(taken);
        frame_left_ -= taken;
        has_payload_ = true;
    }
    if (!frame_final()) return finish_frame({}, false);
    // An empty payload is no DEFLATE data, but some senders compress an empty message to it.
    tail_left_ = has_payload_ ? kMessageTail.size() : 0;
    state_ = State::kInflateEnd;
    return std::nullopt;
}

/// The payload has ended: inflates kMessageTail, and with it all bytes that the inflater holds back.
std::optional<Event> Receiver::inflate_end() {
    while (has_payload_) {
        if (needs_room_to_inflate()) return Event::kNeedRoom;
        const uint64_t filled_before = filled_;
        std::string_view bytes = kMessageTail.substr(kMessageTail.size() - tail_left_);
        if (Fault fault = inflate(bytes); fault != Fault::kNone) return fail(fault);
        tail_left_ = static_cast<uint8_t>(bytes.size()) & 7;
        if (bytes.empty() && filled_ == filled_before) break;
    }
    if (has_payload_ && !inflater_->at_boundary()) return fail(Fault::kInvalidDeflate);
    return finish_frame({}, false);
}

/// Whether the room is full although the message may still grow.
bool Receiver::needs_room_to_inflate() const {
    return filled_ < max_message_bytes_ && filled_ >= room_.size;
}

/// Inflates the front of `bytes`, and appends the result to the message in the room.
Receiver::Fault Receiver::inflate(std::string_view& bytes) {
    const uint64_t end = std::min<uint64_t>(room_.size, max_message_bytes_);
    if (filled_ >= end) {
        // The message is as long as it may be: nothing more may come out.
        char probe;
        const std::optional<size_t> written = inflater_->inflate(bytes, {&probe, 1});
        if (!written) return Fault::kInvalidDeflate;
        return *written == 0 ? Fault::kNone : Fault::kInflatedTooBig;
    }
    const std::span<char> out{room_.data + filled_, std::min<size_t>(end - filled_, size_t{1} << 30)};
    const std::optional<size_t> written = inflater_->inflate(bytes, out);
    if (!written) return Fault::kInvalidDeflate;
    filled_ += *written;
    if (message_opcode_ == Opcode::kText && !text_.accept(out.data(), *written)) return Fault::kInvalidText;
    return Fault::kNone;
}

size_t Receiver::control_length() const {
    return header_[1] & kLengthBits;
}

/// The room that the current frame needs in total. A control frame's payload stands behind the bytes of the
/// message that it interrupts, and is overwritten by the message's next fragment.
uint64_t Receiver::room_wanted() const {
    if (frame_is_control()) return filled_ + control_length();
    // The final size of a compressed message is unknown.
    return compressed_ ? filled_ + 1 : filled_ + frame_left_;
}

/// The least room that allows progress.
uint64_t Receiver::least_room() const {
    if (frame_is_control()) return room_wanted();
    return filled_ + (frame_left_ != 0 ? 1 : 0);
}

size_t Receiver::needed() const {
    const uint64_t wanted = room_wanted();
    const bool last_room = !in_message_ || (frame_final() && !frame_is_control() && !compressed_);
    if (last_room) return wanted;
    // Doubling keeps the bytes copied from room to room below twice the message's size.
    // A ping's bytes count, or pings near the limit would make it grow, and be copied, byte by byte.
    const uint64_t most = max_message_bytes_ + (frame_is_control() ? kMaxControlPayloadBytes : 0);
    const uint64_t doubled = room_.size > most / 2 ? most : 2 * room_.size;
    const bool guess = compressed_ && !frame_is_control() && !room_;
    const uint64_t first = guess ? std::min(frame_left_, kFirstInflateRoomBytes / 4) * 4 : 0;
    return std::max(wanted, std::min(most, std::max({doubled, kFirstRoomBytes, first})));
}

void Receiver::grant(Room room) {
    assert(room.data != nullptr && room.size >= least_room());
    room_ = room;
}

std::span<char> Receiver::window() {
    if (state_ != State::kPayload || room_.size < least_room()) return {};
    return rest_of_room();
}

void Receiver::filled(size_t size) {
    take_in(window().first(size));
}

/// Where the frame's next bytes go, as far as there is room.
std::span<char> Receiver::rest_of_room() {
    const size_t begin = filled_ + (frame_is_control() ? control_length() - frame_left_ : 0);
    return {room_.data + begin, std::min<size_t>(frame_left_, room_.size - begin)};
}

/// Takes the frame's next bytes, which are already in their place in the room.
void Receiver::take_in(std::span<char> arrived) {
    frame_left_ -= arrived.size();
    if (!frame_is_control()) filled_ += arrived.size();
    if (!decode(arrived)) fail(Fault::kInvalidText);
}

/// Unmasks the next piece of the frame's payload. False when it is invalid text.
bool Receiver::decode(std::span<char> piece) {
    const bool is_text = !frame_is_control() && message_opcode_ == Opcode::kText;
    if (role_ == Role::kClient) return !is_text || text_.accept(piece.data(), piece.size());
    bool valid = true;
    if (is_text) {
        valid = unmask_text(piece.data(), piece.size(), key_, 0, text_);
    } else {
        unmask(piece.data(), piece.size(), key_);
    }
    turn_key(piece.size());
    return valid;
}

void Receiver::turn_key(size_t size) {
    std::rotate(key_.begin(), key_.begin() + (size & 3), key_.end());
}

std::optional<Event> Receiver::finish_frame(std::span<char> payload, bool payload_in_room) {
    state_ = State::kHeader;
    header_filled_ = 0;
    if (frame_is_control()) return finish_control(payload, payload_in_room);
    if (!frame_final()) return std::nullopt;
    if (message_opcode_ == Opcode::kText && !text_.complete()) return fail(Fault::kInvalidText);
    // There may be a room even for an empty message: a ping in between has needed it.
    message_ = room_ ? std::span<char>{room_.data, filled_} : payload;
    gives_room_ = static_cast<bool>(room_);
    in_message_ = false;
    filled_ = 0;
    return Event::kMessage;
}

Event Receiver::finish_control(std::span<char> payload, bool payload_in_room) {
    const Opcode opcode = frame_opcode();
    if (opcode == Opcode::kClose) {
        if (payload.size() == 1) return fail(Fault::kCloseTooShort);
        if (payload.size() >= 2) {
            if (!close_code_allowed_on_wire(read_close_code(payload))) {
                std::memcpy(header_.data() + 2, payload.data(), 2);  // for the sentence
                return fail(Fault::kCloseCode);
            }
            if (!is_utf8({payload.data() + 2, payload.size() - 2})) return fail(Fault::kCloseReason);
        }
        state_ = State::kClosed;
    }
    message_ = payload;
    gives_room_ = payload_in_room && (!in_message_ || opcode == Opcode::kClose);
    return opcode == Opcode::kClose ? Event::kClose : opcode == Opcode::kPing ? Event::kPing : Event::kPong;
}

Room Receiver::take_room() {
    gives_room_ = false;
    return std::exchange(room_, {});
}

uint16_t Receiver::close_code() const {
    return message_.size() < 2 ? close_code::kNoStatus : read_close_code(message_);
}

std::string_view Receiver::close_reason() const {
    if (message_.size() < 2) return {};
    return {message_.data() + 2, message_.size() - 2};
}

Event Receiver::fail(Fault fault) {
    state_ = State::kFailed;
    fault_ = fault;
    return Event::kError;
}

Receiver::Error Receiver::error() const {
    using std::to_string;
    const auto protocol_error = [](std::string sentence) {
        return Error{close_code::kProtocolError, std::move(sentence)};
    };
    const std::string opcode = to_string(header_[0] & 0x0f);
    switch (fault_) {
        case Fault::kNone: break;
        case Fault::kReservedBits:
            return protocol_error("A frame has reserved bits set that no negotiated extension uses.");
        case Fault::kCompressedBit:
            return protocol_error("A frame that begins no message (opcode " + opcode + ") has RSV1 set.");
        case Fault::kReservedOpcode:
            return protocol_error("A frame has the opcode " + opcode + "; allowed are 0, 1, 2, 8, 9 and 10.");
        case Fault::kUnmasked: return protocol_error("A frame from the client is not masked; all must be.");
        case Fault::kMasked: return protocol_error("A frame from the server is masked; none may be.");
        case Fault::kControlFragmented:
            return protocol_error("A control frame (opcode " + opcode + ") is fragmented; none may be.");
        case Fault::kControlTooLong:
            return protocol_error("A control frame (opcode " + opcode + ") is longer than 125 bytes.");
        case Fault::kLengthNotMinimal:
            return protocol_error("The length " + to_string(frame_left_) + " is not in its shortest form.");
        case Fault::kLengthTopBit: return protocol_error("The length of a frame is 2^63 or more.");
        case Fault::kNothingToContinue:
            return protocol_error("A continuation frame came where no message had begun.");
        case Fault::kMessageInterrupted:
            return protocol_error("A new message (opcode " + opcode +
                                  ") began before the last one had ended.");
        case Fault::kTooBig:
            return {close_code::kMessageTooBig,
                    "A message has " + std::string(frame_final() ? "" : "at least ") +
                        to_string(compressed_ ? frame_left_ : filled_ + frame_left_) +
                        (compressed_ ? " compressed" : "") + " bytes; allowed are " +
                        to_string(max_message_bytes_) + ".",
                    "messageBytes"};
        case Fault::kTooManyFragments:
            return {close_code::kPolicyViolation,
                    "A message has more than " + to_string(max_fragments_) + " fragments.",
                    "messageFragments"};
        case Fault::kInflatedTooBig:
            return {
                close_code::kMessageTooBig,
                "A message inflates to more than the " + to_string(max_message_bytes_) + " bytes allowed.",
                "messageBytes"};
        case Fault::kInvalidDeflate:
            return {close_code::kInvalidPayload, "A compressed message is not valid DEFLATE data."};
        case Fault::kInvalidText: return {close_code::kInvalidPayload, "A text message is not valid UTF-8."};
        case Fault::kCloseTooShort:
            return protocol_error("A close frame has 1 byte; it must have none, or a code of 2 bytes.");
        case Fault::kCloseCode:
            return protocol_error("A close frame has the code " + to_string(read_big_endian(&header_[2], 2)) +
                                  "; allowed are 1000-1003, 1007-1014 and 3000-4999.");
        case Fault::kCloseReason:
            return {close_code::kInvalidPayload, "The reason in a close frame is not valid UTF-8."};
    }
    return {close_code::kInternalError, {}};
}

}  // namespace sluice::websocket
