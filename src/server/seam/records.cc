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
           record.close_code >= static_cast<uint16_t>(CancelReason::kClientGone) &&
           record.close_code <= static_cast<uint16_t>(CancelReason::kOverdue);
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
    size_t bytes = sizeof(InboundRecord) + (message.file_bytes ? sizeof(BodyPlace)
                                            : slot             ? 0
                                                               : message.payload.size());
    if (message.head) {
        bytes += sizeof(http::RequestHead) + message.fields.size_bytes() + message.head_text.size();
    }
    return bytes;
}

void write_inbound(char* place, const Inbound& message, bool slot, uint32_t slot_page) {
    uint16_t flags = (message.binary ? kFlagBinary : 0) | (message.head ? kFlagHead : 0) |
                     (slot ? kFlagSlot : 0) | (message.secure ? kFlagSecure : 0) |
                     (message.trusted ? kFlagTrusted : 0) | (message.file_bytes ? kFlagFile : 0);
    const BodyPlace body{message.file_number, message.file_bytes};
    InboundRecord record{{static_cast<uint32_t>(inbound_record_bytes(message, slot)),
                          static_cast<uint16_t>(message.kind), flags},
                         message.connection,
                         message.request,
                         message.endpoint,
                         message.close_code,
                         static_cast<uint32_t>(message.file_bytes ? sizeof body : message.payload.size()),
                         slot_page};
    place = append(place, &record, sizeof record);
    if (message.head) {
        place = append(place, message.head, sizeof *message.head);
        place = append(place, message.fields.data(), message.fields.size_bytes());
        place = append(place, message.head_text.data(), message.head_text.size());
    }
    if (message.file_bytes) {
        append(place, &body, sizeof body);
    } else if (!slot) {
        append(place, message.payload.data(), message.payload.size());
    }
}

std::optional<DecodedInbound> read_inbound(std::span<const char> bytes, uint16_t kind) {
    InboundRecord record;
    if (bytes.size() < sizeof record) return std::nullopt;
    memcpy(&record, bytes.data(), sizeof record);
    if (kind < static_cast<uint16_t>(InboundKind::kRequest) ||
        kind > static_cast<uint16_t>(InboundKind::kDatagram)) {
        return std::nullopt;
    }
    if (kind == static_cast<uint16_t>(InboundKind::kDatagram) && !is_datagram(record)) return std::nullopt;
    if (kind == static_cast<uint16_t>(InboundKind::kCancel) && !is_cancellation(record)) return std::nullopt;
    const char* at = bytes.data() + sizeof record;
    size_t left = bytes.size() - sizeof record;

    DecodedInbound decoded;
    Inbound& message = decoded.message;
    message.kind = static_cast<InboundKind>(kind);
    message.binary = record.record.flags & kFlagBinary;
    message.secure = record.record.flags & kFlagSecure;
    message.trusted = record.record.flags & kFlagTrusted;
    message.endpoint = record.endpoint;
    message.close_code = record.close_code;
    message.request = record.request;
    message.connection = record.connection;
    if (record.record.flags & kFlagHead) {
        if (left < sizeof(http::RequestHead)) return std::nullopt;
        message.head = reinterpret_cast<const http::RequestHead*>(at);
        uint16_t field_count = message.head->field_count;
        size_t text_bytes = message.head->head_bytes;
        at += sizeof(http::RequestHead);
        left -= sizeof(http::RequestHead);
        if (left < field_count * sizeof(http::Field) + text_bytes) return std::nullopt;
        message.fields = {reinterpret_cast<const http::Field*>(at), field_count};
        at += message.fields.size_bytes();
        message.head_text = {at, text_bytes};
        at += text_bytes;
        left -= message.fields.size_bytes() + text_bytes;
    }
    decoded.slot = record.record.flags & kFlagSlot;
    decoded.slot_page = record.slot_page;
    decoded.payload_bytes = record.payload_bytes;
    if (record.record.flags & kFlagFile) {
        BodyPlace body;
        if (decoded.slot || message.kind != InboundKind::kRequest || left != sizeof body ||
            record.payload_bytes != sizeof body) {
            return std::nullopt;
        }
        memcpy(&body, at, sizeof body);
        if (body.bytes == 0 || (body.bytes > INT64_MAX && body.bytes != http::kNoLength)) return std::nullopt;
        message.file_number = body.number;
        message.file_bytes = body.bytes;
    } else if (!decoded.slot) {
        if (left != record.payload_bytes) return std::nullopt;
        message.payload = {at, left};
    }
    return decoded;
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
