// Records to the reactors; records.cc has those to the workers.
#include <cstring>
#include <new>

#include "io/datagram_socket.h"
#include "protocol/http/http_syntax.h"
#include "server/seam/records.h"

namespace sluice {

namespace {
char* append(char* to, const void* from, size_t bytes) {
    if (bytes) memcpy(to, from, bytes);  // nothing may come from a null pointer
    return to + bytes;
}

std::string_view bytes_of(const Address& address) {
    return {reinterpret_cast<const char*>(&address), sizeof address};
}
std::string_view bytes_of(std::span<const ConnectionId> ids) {
    return {reinterpret_cast<const char*>(ids.data()), ids.size_bytes()};
}

/// The text of a kind, beside its payload and numbers.
std::string_view text_of(const Command& command) {
    return std::visit(
        [](const auto& one) -> std::string_view {
            using Kind = std::remove_cvref_t<decltype(one)>;
            if constexpr (requires { one.topic; }) return one.topic;
            if constexpr (requires { one.fields; }) return one.fields;
            if constexpr (requires { one.trailers; }) return one.trailers;
            if constexpr (std::is_same_v<Kind, command::SendMany>) return bytes_of(one.connections);
            if constexpr (std::is_same_v<Kind, command::SendDatagram>) return bytes_of(one.to);
            return {};
        },
        command.what);
}

/// The second text of a kind, which follows the first.
std::string_view end_of_text(const Command& command) {
    const auto* grant = command.as<command::GrantHandshake>();
    return grant ? grant->protocol : std::string_view();
}

uint16_t flag(bool is_set, uint16_t flag) {
    return is_set ? flag : 0;
}

// Writes one kind's own fields into the record; returns the kind's own flags.
uint16_t put(CommandRecord&, const command::Send& send) {
    return flag(send.binary, kFlagBinary);
}
uint16_t put(CommandRecord&, const command::SendMany& send) {
    return flag(send.binary, kFlagBinary);
}
uint16_t put(CommandRecord& record, const command::Publish& publish) {
    record.except = publish.except;
    return flag(publish.binary, kFlagBinary);
}
uint16_t put(CommandRecord& record, const command::Respond& response) {
    record.request = response.request;
    record.status = response.status;
    record.length = response.length;
    return flag(response.last, kFlagLast) | flag(response.has_length, kFlagLength);
}
uint16_t put(CommandRecord& record, const command::BodyPart& part) {
    record.request = part.request;
    return flag(part.last, kFlagLast);
}
uint16_t put(CommandRecord& record, const command::Inform& inform) {
    record.request = inform.request;
    return 0;
}
uint16_t put(CommandRecord& record, const command::GrantHandshake& grant) {
    record.request = grant.request;
    record.protocol_bytes = static_cast<uint16_t>(grant.protocol.size());
    return 0;
}
uint16_t put(CommandRecord& record, const command::WantBody& want) {
    record.request = want.request;
    return 0;
}
uint16_t put(CommandRecord& record, const command::Subscribe& subscribe) {
    record.request = subscribe.request;
    return flag(subscribe.is_prefix, kFlagPrefix);
}
uint16_t put(CommandRecord&, const command::Unsubscribe& unsubscribe) {
    return flag(unsubscribe.is_prefix, kFlagPrefix);
}
uint16_t put(CommandRecord&, const command::Ping&) {
    return 0;
}
uint16_t put(CommandRecord& record, const command::Close& close) {
    record.close_code = close.code;
    return 0;
}
uint16_t put(CommandRecord& record, const command::CountSubscribers& question) {
    record.question = question.question;
    return 0;
}
uint16_t put(CommandRecord& record, const command::ListSubscribers& question) {
    record.question = question.question;
    record.after = question.after;
    record.most_ids = question.most;
    return 0;
}
uint16_t put(CommandRecord& record, const command::ListTopics& question) {
    record.question = question.question;
    return 0;
}
uint16_t put(CommandRecord& record, const command::AwaitRoom& question) {
    record.question = question.question;
    record.most_bytes = question.most_bytes;
    return 0;
}
uint16_t put(CommandRecord& record, const command::Attach& question) {
    record.question = question.question;
    return 0;
}
uint16_t put(CommandRecord& record, const command::SendDatagram& datagram) {
    record.endpoint = datagram.endpoint;
    return 0;
}
uint16_t put(CommandRecord& record, const command::Tell& tell) {
    record.question = tell.question;
    return flag(tell.more_follow, kFlagMore);
}

// Reads what put() has written. False when it is invalid.
bool get(const CommandRecord& record, std::string_view, command::Send& send) {
    send.binary = record.record.flags & kFlagBinary;
    return true;
}
bool get(const CommandRecord& record, std::string_view text, command::SendMany& send) {
    send.connections = {reinterpret_cast<const ConnectionId*>(text.data()),
                        text.size() / sizeof(ConnectionId)};
    send.binary = record.record.flags & kFlagBinary;
    return text.size() % sizeof(ConnectionId) == 0;
}
bool get(const CommandRecord& record, std::string_view text, command::Publish& publish) {
    publish = {text, record.except, (record.record.flags & kFlagBinary) != 0};
    return true;
}
bool get(const CommandRecord& record, std::string_view text, command::Respond& response) {
    response.request = record.request;
    response.status = record.status;
    response.last = record.record.flags & kFlagLast;
    response.has_length = record.record.flags & kFlagLength;
    response.length = record.length;
    response.fields = text;
    return http::are_field_lines(text);
}
bool get(const CommandRecord& record, std::string_view text, command::BodyPart& part) {
    part.request = record.request;
    part.last = record.record.flags & kFlagLast;
    part.trailers = text;
    return http::are_field_lines(text);
}
bool get(const CommandRecord& record, std::string_view text, command::Inform& inform) {
    inform = {record.request, text};
    return http::are_field_lines(text);
}
bool get(const CommandRecord& record, std::string_view text, command::GrantHandshake& grant) {
    if (record.protocol_bytes > text.size()) return false;
    const size_t fields_bytes = text.size() - record.protocol_bytes;
    grant = {record.request, text.substr(0, fields_bytes), text.substr(fields_bytes)};
    return http::are_field_lines(grant.fields);
}
bool get(const CommandRecord& record, std::string_view, command::WantBody& want) {
    want = {record.request};
    return true;
}
bool get(const CommandRecord& record, std::string_view text, command::Subscribe& subscribe) {
    subscribe = {text, (record.record.flags & kFlagPrefix) != 0, record.request};
    return true;
}
bool get(const CommandRecord& record, std::string_view text, command::Unsubscribe& unsubscribe) {
    unsubscribe = {text, (record.record.flags & kFlagPrefix) != 0};
    return true;
}
bool get(const CommandRecord&, std::string_view, command::Ping&) {
    return true;
}
bool get(const CommandRecord& record, std::string_view, command::Close& close) {
    close = {record.close_code};
    return true;
}
bool get(const CommandRecord& record, std::string_view text, command::CountSubscribers& question) {
    question = {record.question, text};
    return true;
}
bool get(const CommandRecord& record, std::string_view text, command::ListSubscribers& question) {
    question = {record.question, text, record.after, record.most_ids};
    return true;
}
bool get(const CommandRecord& record, std::string_view, command::ListTopics& question) {
    question = {record.question};
    return true;
}
bool get(const CommandRecord& record, std::string_view, command::AwaitRoom& question) {
    question = {record.question, record.most_bytes};
    return true;
}
bool get(const CommandRecord& record, std::string_view, command::Attach& question) {
    question = {record.question};
    return true;
}
/// Valid: to one address, of a datagram's size, by a socket of the id's reactor.
bool get(const CommandRecord& record, std::string_view text, command::SendDatagram& datagram) {
    if (text.size() != sizeof datagram.to || record.payload_bytes > kMostDatagramBytes) return false;
    memcpy(&datagram.to, text.data(), sizeof datagram.to);
    datagram.endpoint = record.endpoint;
    return is_udp_id(record.connection);
}
bool get(const CommandRecord& record, std::string_view, command::Tell& tell) {
    tell = {record.question, (record.record.flags & kFlagMore) != 0};
    return true;
}

/// Whether a kind has a text or a payload: a record with a part that its kind does not have is invalid.
template <typename Kind>
constexpr bool kHasText = requires(Kind one) {
    one.topic;
}
|| requires(Kind one) {
    one.fields;
}
|| requires(Kind one) {
    one.trailers;
}
|| requires(Kind one) {
    one.connections;
}
|| requires(Kind one) {
    one.to;
};
template <typename Kind>
constexpr bool kHasPayload =
    std::is_same_v<Kind, command::Send> || std::is_same_v<Kind, command::SendMany> ||
    std::is_same_v<Kind, command::Publish> || std::is_same_v<Kind, command::Respond> ||
    std::is_same_v<Kind, command::BodyPart> || std::is_same_v<Kind, command::Ping> ||
    std::is_same_v<Kind, command::Close> || std::is_same_v<Kind, command::SendDatagram> ||
    std::is_same_v<Kind, command::Tell> || std::is_same_v<Kind, command::GrantHandshake> ||
    std::is_same_v<Kind, command::Attach>;

/// Whether the record has no text and no payload that its kind does not have.
template <typename Kind>
bool has_only_its_own(const CommandRecord& record, const Kind&) {
    const bool extent = record.record.flags & kFlagExtent;
    return (kHasText<Kind> || record.text_bytes == 0) &&
           (kHasPayload<Kind> || (!extent && record.payload_bytes == 0));
}

/// Makes `what` the kind with this number; false when there is no such kind.
template <size_t Index = 0>
bool choose(size_t index, Command::What& what) {
    if constexpr (Index < std::variant_size_v<Command::What>) {
        if (index != Index) return choose<Index + 1>(index, what);
        what.emplace<Index>();
        return true;
    }
    return false;
}

/// Takes the FilePlace in place of the payload; false when the kind takes no file, or the place is invalid.
bool take_place(std::string_view bytes, Command::What& what) {
    return std::visit(
        [bytes](auto& one) {
            if constexpr (requires { one.file; }) {
                FilePlace place;
                if (bytes.size() != sizeof place) return false;
                memcpy(&place, bytes.data(), sizeof place);
                one.file = {-1, place.offset, place.bytes};
                // Sums with these must not overflow, as they are compared with a file's size.
                return place.bytes != 0 && place.offset <= INT64_MAX &&
                       place.bytes <= INT64_MAX - place.offset;
            } else {
                return false;
            }
        },
        what);
}
}  // namespace

size_t command_record_bytes(const Command& command, bool extent) {
    const size_t payload_bytes = command.file() ? sizeof(FilePlace) : extent ? 0 : command.payload.size();
    return sizeof(CommandRecord) + text_of(command).size() + end_of_text(command).size() + payload_bytes;
}

void write_command(char* place, const Command& command, bool extent, uint64_t number) {
    const std::string_view text = text_of(command);
    const std::string_view end = end_of_text(command);
    const std::string_view payload = command.payload;
    const command::FilePart* file = command.file();
    const FilePlace part{file ? file->offset : 0, file ? file->bytes : 0};
    CommandRecord& record = *new (place) CommandRecord{};
    record.connection = command.connection;
    const uint16_t flags = std::visit([&record](const auto& one) { return put(record, one); }, command.what);
    const size_t behind = file ? sizeof part : extent ? 0 : payload.size();
    record.record = {static_cast<uint32_t>(sizeof record + text.size() + end.size() + behind),
                     number_of(command),
                     static_cast<uint16_t>(flags | flag(extent, kFlagExtent) | flag(file, kFlagFile))};
    record.text_bytes = static_cast<uint32_t>(text.size() + end.size());
    record.payload_bytes = static_cast<uint32_t>(file ? sizeof part : payload.size());
    record.out_offset = number;
    place = append(place + sizeof record, text.data(), text.size());
    place = append(place, end.data(), end.size());
    append(place, file ? reinterpret_cast<const char*>(&part) : payload.data(), behind);
}

namespace {
bool decode(std::span<const char> bytes, uint16_t kind, DecodedCommand& decoded) {
    CommandRecord record;
    if (bytes.size() < sizeof record) return false;
    memcpy(&record, bytes.data(), sizeof record);
    bytes = bytes.subspan(sizeof record);
    const bool extent = record.record.flags & kFlagExtent;
    const bool file = record.record.flags & kFlagFile;
    if (record.text_bytes > bytes.size() || (extent && file)) return false;
    if (bytes.size() - record.text_bytes != (extent ? 0 : record.payload_bytes)) return false;
    const std::string_view text{bytes.data(), record.text_bytes};
    const std::string_view behind{text.data() + text.size(), extent ? 0 : record.payload_bytes};

    Command& command = decoded.command;
    if (kind == 0 || !choose(kind - 1u, command.what)) return false;
    const bool is_valid = std::visit(
        [&](auto& one) { return has_only_its_own(record, one) && get(record, text, one); }, command.what);
    if (!is_valid || (file && !take_place(behind, command.what))) return false;
    if (!command.is<command::Publish>()) command.connection = record.connection;
    if (!file) command.payload = behind;
    decoded.extent = extent;
    decoded.number = record.out_offset;
    decoded.payload_bytes = record.payload_bytes;
    return true;
}
}  // namespace

std::optional<DecodedCommand> read_command(std::span<const char> bytes, uint16_t kind) {
    std::optional<DecodedCommand> decoded(std::in_place);  // filled where it is returned
    if (!decode(bytes, kind, *decoded)) decoded.reset();
    return decoded;
}

void write_note(char* place, const Note& note) {
    NoteRecord record{};
    record.record = {sizeof record, static_cast<uint16_t>(kFirstNote + note.index()), 0};
    std::visit(
        [&record](const auto& one) {
            if constexpr (requires { one.page; }) record.page = one.page;
            if constexpr (requires { one.number; }) record.file_number = one.number;
            if constexpr (requires { one.message_end; }) record.message_end = one.message_end;
            if constexpr (requires { one.parked_offset; }) record.parked_offset = one.parked_offset;
        },
        note);
    append(place, &record, sizeof record);
}

std::optional<Note> read_note(std::span<const char> bytes, uint16_t kind) {
    NoteRecord record;
    if (bytes.size() != sizeof record) return std::nullopt;
    memcpy(&record, bytes.data(), sizeof record);
    switch (kind - kFirstNote) {
        case 0: return note::Release{record.page};
        case 1: return note::ReleaseFile{record.file_number};
        case 2: return note::Hold{record.message_end};
        case 3: return note::Park{record.message_end, record.parked_offset};
        case 4: return note::Finished{record.message_end};
        default: return std::nullopt;
    }
}

}  // namespace sluice
