// Records to the workers; records_of_commands.cc has those to the reactors.
#include "server/seam/records.h"

#include <cstddef>
#include <cstring>
#include <new>

#include "io/datagram_socket.h"

namespace sluice {

namespace {
char* append(char* to, const void* from, size_t bytes) {
    if (bytes) memcpy(to, from, bytes);  // nothing may come from a null pointer
    return to + bytes;
}

/// Whether the record holds a known CancelReason, and nothing else.
bool is_cancellation(const InboundRecord& record) {
    return record.record.size == sizeof record && record.record.flags == 0 && record.payload_bytes == 0 &&
           record.cancel_reason >= static_cast<uint16_t>(CancelReason::kClientGone) &&
           record.cancel_reason <= static_cast<uint16_t>(CancelReason::kOverdue);
}

/// Whether the payload begins with an address, and the record holds nothing else.
bool is_datagram(const InboundRecord& record) {
    return (record.record.flags & ~kFlagExtent) == 0 && record.payload_bytes >= sizeof(Address) &&
           record.payload_bytes <= sizeof(Address) + UINT16_MAX;
}
}  // namespace

size_t inbound_record_bytes(const Inbound& message, bool extent) {
    size_t bytes = sizeof(InboundRecord) + (message.file() ? sizeof(BodyPlace)
                                            : extent       ? 0
                                                           : message.payload.size());
    if (const inbound::Head* head = message.head())
        bytes += sizeof *head->parsed + head->fields.size_bytes() + head->text.size();
    return bytes;
}

namespace {
// Writes the fields that one kind has beside those of all kinds.
void put(InboundRecord& record, const inbound::Request& request) {
    record.request = request.number;
    if (request.pipelined) record.record.flags |= kFlagPipelined;
}
void put(InboundRecord& record, const inbound::Opening& opening) {
    record.request = opening.number;
}
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

/// Reads what put() has written; a head and a file come behind the record. False when the record is not a
/// valid one of this kind.
bool get(const InboundRecord& record, InboundKind kind, Inbound::What& what) {
    switch (kind) {
        case InboundKind::kRequest:
            what = inbound::Request{.number = record.request,
                                    .pipelined = (record.record.flags & kFlagPipelined) != 0};
            return true;
        case InboundKind::kOpen: what = inbound::Opening{.number = record.request}; return true;
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

/// Takes a head off the front of `bytes`.
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

/// Reads the BodyPlace that makes up all of `bytes`.
bool take_place(std::span<const char> bytes, inbound::BodyFile& file) {
    BodyPlace place;
    if (bytes.size() != sizeof place) return false;
    memcpy(&place, bytes.data(), sizeof place);
    file.number = place.number;
    file.bytes = place.bytes;
    return place.bytes != 0 && (place.bytes <= INT64_MAX || place.bytes == http::kNoLength);
}
}  // namespace

void write_inbound(char* place, const Inbound& message, bool extent, uint32_t extent_page) {
    const inbound::Head* head = message.head();
    const inbound::BodyFile* file = message.file();
    const BodyPlace body{file ? file->number : 0, file ? file->bytes : 0};
    InboundRecord& record = *new (place) InboundRecord{};
    record.record = {static_cast<uint32_t>(inbound_record_bytes(message, extent)),
                     static_cast<uint16_t>(message.kind()),
                     static_cast<uint16_t>((head ? kFlagHead : 0) | (extent ? kFlagExtent : 0) |
                                           (message.secure ? kFlagSecure : 0) |
                                           (message.trusted ? kFlagTrusted : 0) | (file ? kFlagFile : 0))};
    record.connection = message.connection;
    record.endpoint = message.endpoint;
    record.payload_bytes = static_cast<uint32_t>(file ? sizeof body : message.payload.size());
    record.extent_page = extent_page;
    record.client = message.client;
    std::visit([&record](const auto& what) { put(record, what); }, message.what);
    place += sizeof record;
    if (head) {
        const auto* request = message.as<inbound::Request>();
        char* const parsed = place;
        place = append(place, head->parsed, sizeof *head->parsed);
        if (request)
            memcpy(parsed + offsetof(http::RequestHead, waits_since_us), &request->waits_since_us,
                   sizeof request->waits_since_us);
        place = append(place, head->fields.data(), head->fields.size_bytes());
        place = append(place, head->text.data(), head->text.size());
    }
    if (file) {
        append(place, &body, sizeof body);
    } else if (!extent) {
        append(place, message.payload.data(), message.payload.size());
    }
}

namespace {
bool decode(std::span<const char> bytes, uint16_t kind, DecodedInbound& decoded) {
    InboundRecord record;
    if (bytes.size() < sizeof record) return false;
    memcpy(&record, bytes.data(), sizeof record);
    bytes = bytes.subspan(sizeof record);
    const uint16_t flags = record.record.flags;

    Inbound& message = decoded.message;
    if (kind == 0 || kind > std::variant_size_v<Inbound::What> ||
        !get(record, static_cast<InboundKind>(kind), message.what)) {
        return false;
    }
    message.connection = record.connection;
    message.endpoint = record.endpoint;
    message.secure = flags & kFlagSecure;
    message.trusted = flags & kFlagTrusted;
    message.client = record.client;
    auto* request = std::get_if<inbound::Request>(&message.what);
    if (flags & kFlagHead) {
        auto* opening = std::get_if<inbound::Opening>(&message.what);
        if (!request && !opening) return false;
        if (!take_head(bytes, request ? request->head : opening->head)) return false;
        if (request) request->waits_since_us = request->head.parsed->waits_since_us;
    } else if (request) {
        return false;
    }
    decoded.extent = flags & kFlagExtent;
    decoded.extent_page = record.extent_page;
    decoded.payload_bytes = record.payload_bytes;
    if (flags & kFlagFile) {
        if (!request || decoded.extent || record.payload_bytes != bytes.size()) return false;
        if (!take_place(bytes, request->file)) return false;
    } else if (!decoded.extent) {
        if (bytes.size() != record.payload_bytes) return false;
        message.payload = {bytes.data(), bytes.size()};
    }
    return true;
}
}  // namespace

std::optional<DecodedInbound> read_inbound(std::span<const char> bytes, uint16_t kind) {
    std::optional<DecodedInbound> decoded(std::in_place);  // filled where it is returned
    if (!decode(bytes, kind, *decoded)) decoded.reset();
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

}  // namespace sluice
