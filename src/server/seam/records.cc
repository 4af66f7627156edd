#include "server/seam/records.h"

#include <cstring>

#include "io/datagram_socket.h"

namespace sluice {

namespace {
char* append(char* to, const void* from, size_t bytes) {
    if (bytes) memcpy(to, from, bytes);  // nothing may come from a null pointer
    return to + bytes;
}

/// A reason that there is, and nothing else.
bool is_cancellation(const InboundRecord& record) {
    return record.record.size == sizeof record && record.record.flags == 0 && record.payload_bytes == 0 &&
           record.cancel_reason >= static_cast<uint16_t>(CancelReason::kClientGone) &&
           record.cancel_reason <= static_cast<uint16_t>(CancelReason::kOverdue);
}

/// Begins with an address, and is nothing else.
bool is_datagram(const InboundRecord& record) {
    return (record.record.flags & ~kFlagSlot) == 0 && record.payload_bytes >= sizeof(Address) &&
           record.payload_bytes <= sizeof(Address) + UINT16_MAX;
}

/// To one address, of a size that there is, by the sockets of its reactor.
bool is_datagram(const CommandRecord& record) {
    return (record.record.flags & kFlagFile) == 0 && record.head_bytes == sizeof(Address) &&
           record.body_bytes <= kMostDatagramBytes && serial_of(record.connection) == kUdpSerial;
}
}  // namespace

size_t inbound_record_bytes(const Inbound& message, bool slot) {
    size_t bytes = sizeof(InboundRecord) + (message.file() ? sizeof(BodyPlace)
                                            : slot         ? 0
                                                           : message.payload.size());
    if (const inbound::Head* head = message.head())
        bytes += sizeof *head->parsed + head->fields.size_bytes() + head->text.size();
    return bytes;
}

namespace {
// What each kind says beside what all have.
void put(InboundRecord& record, const inbound::Request& request) {
    record.request = request.number;
}
void put(InboundRecord&, const inbound::Opening&) {}
void put(InboundRecord& record, const inbound::Message& message) {
    if (message.binary) record.record.flags |= kFlagBinary;
}
void put(InboundRecord& record, const inbound::Closing& closing) {
    record.close_code = closing.code;
}
void put(InboundRecord& record, const inbound::Pong& pong) {
    record.round_trip_us = pong.round_trip_us;
}
void put(InboundRecord& record, const inbound::Cancellation& cancellation) {
    record.request = cancellation.request;
    record.cancel_reason = static_cast<uint16_t>(cancellation.reason);
}
void put(InboundRecord& record, const inbound::Answer& answer) {
    record.question = answer.question;
    if (answer.more_follow) record.record.flags |= kFlagMore;
}
void put(InboundRecord&, const inbound::Datagram&) {}

/// The same way back; a head and a file come behind the record. False when it cannot be of this kind.
bool get(const InboundRecord& record, InboundKind kind, Inbound::What& what) {
    switch (kind) {
        case InboundKind::kRequest: what = inbound::Request{record.request}; return true;
        case InboundKind::kOpen: what = inbound::Opening{}; return true;
        case InboundKind::kMessage:
            what = inbound::Message{(record.record.flags & kFlagBinary) != 0};
            return true;
        case InboundKind::kClose: what = inbound::Closing{record.close_code}; return true;
        case InboundKind::kPong: what = inbound::Pong{record.round_trip_us}; return true;
        case InboundKind::kCancel:
            what = inbound::Cancellation{record.request, static_cast<CancelReason>(record.cancel_reason)};
            return is_cancellation(record);
        case InboundKind::kAnswer:
            what = inbound::Answer{record.question, (record.record.flags & kFlagMore) != 0};
            return true;
        case InboundKind::kDatagram: what = inbound::Datagram{}; return is_datagram(record);
    }
    return false;
}

/// Takes the head in front of `bytes`.
bool take_head(std::span<const char>& bytes, inbound::Head& head) {
    if (bytes.size() < sizeof *head.parsed) return false;
    head.parsed = reinterpret_cast<const http::RequestHead*>(bytes.data());
    const size_t field_count = head.parsed->field_count;
    const size_t text_bytes = head.parsed->head_bytes;
    bytes = bytes.subspan(sizeof *head.parsed);
    if (bytes.size() < field_count * sizeof(http::Field) + text_bytes) return false;
    head.fields = {reinterpret_cast<const http::Field*>(bytes.data()), field_count};
    bytes = bytes.subspan(head.fields.size_bytes());
    head.text = {bytes.data(), text_bytes};
    bytes = bytes.subspan(text_bytes);
    return true;
}

/// Takes the place of a file, which is all of `bytes`.
bool take_place(std::span<const char> bytes, inbound::BodyFile& file) {
    BodyPlace place;
    if (bytes.size() != sizeof place) return false;
    memcpy(&place, bytes.data(), sizeof place);
    file.number = place.number;
    file.bytes = place.bytes;
    return place.bytes != 0 && (place.bytes <= INT64_MAX || place.bytes == http::kNoLength);
}
}  // namespace

void write_inbound(char* place, const Inbound& message, bool slot, uint32_t slot_page) {
    const inbound::Head* head = message.head();
    const inbound::BodyFile* file = message.file();
    const BodyPlace body{file ? file->number : 0, file ? file->bytes : 0};
    InboundRecord record{};
    record.record = {static_cast<uint32_t>(inbound_record_bytes(message, slot)),
                     static_cast<uint16_t>(message.kind()),
                     static_cast<uint16_t>((head ? kFlagHead : 0) | (slot ? kFlagSlot : 0) |
                                           (message.secure ? kFlagSecure : 0) |
                                           (message.trusted ? kFlagTrusted : 0) | (file ? kFlagFile : 0))};
    record.connection = message.connection;
    record.endpoint = message.endpoint;
    record.payload_bytes = static_cast<uint32_t>(file ? sizeof body : message.payload.size());
    record.slot_page = slot_page;
    std::visit([&record](const auto& what) { put(record, what); }, message.what);
    place = append(place, &record, sizeof record);
    if (head) {
        place = append(place, head->parsed, sizeof *head->parsed);
        place = append(place, head->fields.data(), head->fields.size_bytes());
        place = append(place, head->text.data(), head->text.size());
    }
    if (file) {
        append(place, &body, sizeof body);
    } else if (!slot) {
        append(place, message.payload.data(), message.payload.size());
    }
}

std::optional<DecodedInbound> read_inbound(std::span<const char> bytes, uint16_t kind) {
    InboundRecord record;
    if (bytes.size() < sizeof record) return std::nullopt;
    memcpy(&record, bytes.data(), sizeof record);
    bytes = bytes.subspan(sizeof record);
    const uint16_t flags = record.record.flags;

    DecodedInbound decoded;
    Inbound& message = decoded.message;
    if (kind == 0 || kind > std::variant_size_v<Inbound::What> ||
        !get(record, static_cast<InboundKind>(kind), message.what)) {
        return std::nullopt;
    }
    message.connection = record.connection;
    message.endpoint = record.endpoint;
    message.secure = flags & kFlagSecure;
    message.trusted = flags & kFlagTrusted;
    auto* request = std::get_if<inbound::Request>(&message.what);
    if (flags & kFlagHead) {
        auto* opening = std::get_if<inbound::Opening>(&message.what);
        if (!request && !opening) return std::nullopt;
        if (!take_head(bytes, request ? request->head : opening->head)) return std::nullopt;
    } else if (request) {
        return std::nullopt;
    }
    decoded.slot = flags & kFlagSlot;
    decoded.slot_page = record.slot_page;
    decoded.payload_bytes = record.payload_bytes;
    if (flags & kFlagFile) {
        if (!request || decoded.slot || record.payload_bytes != bytes.size()) return std::nullopt;
        if (!take_place(bytes, request->file)) return std::nullopt;
    } else if (!decoded.slot) {
        if (bytes.size() != record.payload_bytes) return std::nullopt;
        message.payload = {bytes.data(), bytes.size()};
    }
    return decoded;
}

const char* name_of(InboundKind kind) {
    switch (kind) {
        case InboundKind::kRequest: return "request";
        case InboundKind::kOpen: return "opening";
        case InboundKind::kMessage: return "message";
        case InboundKind::kClose: return "close";
        case InboundKind::kPong: return "pong";
        case InboundKind::kCancel: return "cancellation";
        case InboundKind::kAnswer: return "answer";
        case InboundKind::kDatagram: return "datagram";
    }
    return "message";
}

size_t command_record_bytes(const Command& command, bool slot) {
    if (command.file_bytes) return sizeof(CommandRecord) + command.head.size() + sizeof(FilePlace);
    return sizeof(CommandRecord) + command.head.size() + (slot ? 0 : command.body.size());
}

void write_command(char* place, const Command& command, bool slot, uint64_t slot_offset) {
    uint16_t flags = (command.binary ? kFlagBinary : 0) | (command.last ? kFlagLast : 0) |
                     (command.has_length ? kFlagLength : 0) | (slot ? kFlagSlot : 0) |
                     (command.file_bytes ? kFlagFile : 0);
    const FilePlace part{command.file_offset, command.file_bytes};
    CommandRecord record{{static_cast<uint32_t>(command_record_bytes(command, slot)),
                          static_cast<uint16_t>(command.kind), flags},
                         command.connection,
                         command.request,
                         command.code,
                         0,
                         static_cast<uint32_t>(command.head.size()),
                         static_cast<uint32_t>(command.file_bytes ? sizeof part : command.body.size()),
                         slot_offset,
                         command.length};
    place = append(place, &record, sizeof record);
    place = append(place, command.head.data(), command.head.size());
    if (command.file_bytes) {
        append(place, &part, sizeof part);
    } else if (!slot) {
        append(place, command.body.data(), command.body.size());
    }
}

std::optional<DecodedCommand> read_command(std::span<const char> bytes, uint16_t kind) {
    CommandRecord record;
    if (bytes.size() < sizeof record) return std::nullopt;
    memcpy(&record, bytes.data(), sizeof record);
    if (kind < static_cast<uint16_t>(CommandKind::kSend) ||
        kind > static_cast<uint16_t>(CommandKind::kFinished)) {
        return std::nullopt;
    }
    if (kind == static_cast<uint16_t>(CommandKind::kDatagram) && !is_datagram(record)) return std::nullopt;
    size_t left = bytes.size() - sizeof record;
    DecodedCommand decoded;
    Command& command = decoded.command;
    decoded.slot = record.record.flags & kFlagSlot;
    decoded.slot_offset = record.slot;
    decoded.body_bytes = record.body_bytes;
    if (record.head_bytes > left) return std::nullopt;
    if (left - record.head_bytes != (decoded.slot ? 0 : record.body_bytes)) return std::nullopt;
    command.kind = static_cast<CommandKind>(kind);
    command.binary = record.record.flags & kFlagBinary;
    command.last = record.record.flags & kFlagLast;
    command.has_length = record.record.flags & kFlagLength;
    command.code = record.code;
    command.request = record.request;
    command.connection = record.connection;
    command.length = record.length;
    command.head = {bytes.data() + sizeof record, record.head_bytes};
    decoded.file = record.record.flags & kFlagFile;
    if (decoded.file) {
        FilePlace part;
        const bool response = command.kind == CommandKind::kRespond || command.kind == CommandKind::kBody;
        if (!response || decoded.slot || record.body_bytes != sizeof part) return std::nullopt;
        memcpy(&part, command.head.data() + command.head.size(), sizeof part);
        // What is added to and compared with a file's size must not overflow.
        if (part.bytes == 0 || part.offset > INT64_MAX || part.bytes > INT64_MAX - part.offset) {
            return std::nullopt;
        }
        command.file_offset = part.offset;
        command.file_bytes = part.bytes;
        return decoded;
    }
    if (!decoded.slot) command.body = {command.head.data() + command.head.size(), record.body_bytes};
    return decoded;
}

}  // namespace sluice
