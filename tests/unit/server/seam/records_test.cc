#include "server/seam/records.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "io/address.h"

namespace sluice {
namespace {

/// A record in a heap block of exactly its size, 8-aligned as in a ring.
struct Block {
    explicit Block(size_t bytes) : size(bytes), data(new char[bytes]) {}
    explicit Block(std::span<const char> from) : Block(from.size()) {
        memcpy(data.get(), from.data(), from.size());
    }
    std::span<const char> span() const { return {data.get(), size}; }
    size_t size;
    std::unique_ptr<char[]> data;
};

Block inbound_block(const Inbound& message, bool extent = false, uint32_t page = 0) {
    Block block(inbound_record_bytes(message, extent));
    write_inbound(block.data.get(), message, extent, page);
    return block;
}

Block command_block(const Command& command, bool extent = false, uint64_t offset = 0) {
    Block block(command_record_bytes(command, extent));
    write_command(block.data.get(), command, extent, offset);
    return block;
}

uint16_t number(InboundKind kind) {
    return static_cast<uint16_t>(kind);
}
template <typename Kind>
uint16_t number() {
    return number_of({.what = Kind{}});
}

struct Request {
    Request() {
        head.field_count = static_cast<uint16_t>(fields.size());
        head.head_bytes = static_cast<uint16_t>(text.size());
        head.path = {4, 2};
        message.what = inbound::Request{5, {&head, fields, text}};
        std::get<inbound::Request>(message.what).waits_since_us = 123456;
        message.connection = make_connection_id(3, 77);
        message.endpoint = 9;
        message.payload = "the body";
    }
    std::string text = "GET /x HTTP/1.1\r\na: b\r\nc: d\r\n\r\n";
    http::RequestHead head;
    std::vector<http::Field> fields{{{17, 1}, {20, 1}}, {{23, 1}, {26, 1}}};
    Inbound message;
};

TEST(Records, ARequestGoesRoundTrip) {
    Request request;
    const Block block = inbound_block(request.message);
    const auto decoded = read_inbound(block.span(), number(InboundKind::kRequest));
    ASSERT_TRUE(decoded);
    const Inbound& message = decoded->message;
    EXPECT_FALSE(decoded->extent);
    EXPECT_EQ(message.kind(), InboundKind::kRequest);
    EXPECT_EQ(message.connection, make_connection_id(3, 77));
    EXPECT_EQ(message.as<inbound::Request>()->number, 5u);
    EXPECT_EQ(message.as<inbound::Request>()->waits_since_us, 123456u);
    EXPECT_EQ(message.endpoint, 9);
    ASSERT_NE(message.head(), nullptr);
    const inbound::Head& head = *message.head();
    EXPECT_EQ(head.parsed->path.in(head.text.data()), "/x");
    ASSERT_EQ(head.fields.size(), 2u);
    EXPECT_EQ(head.fields[1].name.in(head.text.data()), "c");
    EXPECT_EQ(head.fields[1].value.in(head.text.data()), "d");
    EXPECT_EQ(head.text, request.text);
    EXPECT_EQ(message.file(), nullptr);
    EXPECT_EQ(message.payload, "the body");
}

TEST(Records, AMessageInAnExtent) {
    const std::string payload(100'000, 'x');
    Inbound message;
    message.payload = payload;
    message.what = inbound::Message{true};
    const Block block = inbound_block(message, true, 42);
    EXPECT_EQ(block.size, sizeof(InboundRecord));
    const auto decoded = read_inbound(block.span(), number(InboundKind::kMessage));
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->extent);
    EXPECT_EQ(decoded->extent_page, 42u);
    EXPECT_EQ(decoded->payload_bytes, payload.size());
    EXPECT_TRUE(decoded->message.as<inbound::Message>()->binary);
    EXPECT_EQ(decoded->message.head(), nullptr);
}

TEST(Records, ACloseCarriesCodeAndReason) {
    Inbound message;
    message.what = inbound::Closing{4001};
    message.payload = "why";
    const Block block = inbound_block(message);
    const auto decoded = read_inbound(block.span(), number(InboundKind::kClose));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->message.as<inbound::Closing>()->code, 4001);
    EXPECT_EQ(decoded->message.payload, "why");
}

TEST(Records, WhatEveryKindSaysGoesRoundTrip) {
    const auto read_back = [](Inbound::What what) {
        const Inbound message{
            .what = what, .connection = 7, .secure = true, .trusted = true, .payload = "bytes"};
        const Block block = inbound_block(message);
        const auto decoded = read_inbound(block.span(), number(message.kind()));
        EXPECT_TRUE(decoded);
        EXPECT_EQ(decoded->message.kind(), message.kind());
        EXPECT_EQ(decoded->message.connection, 7u);
        EXPECT_TRUE(decoded->message.secure && decoded->message.trusted);
        EXPECT_EQ(decoded->message.payload, "bytes");
        return decoded->message.what;
    };
    EXPECT_EQ(std::get<inbound::Pong>(read_back(inbound::Pong{123'456})).round_trip_us, 123'456u);
    EXPECT_FALSE(std::get<inbound::Message>(read_back(inbound::Message{false})).binary);
    EXPECT_EQ(std::get<inbound::Opening>(read_back(inbound::Opening{})).head.parsed, nullptr);
    for (const bool more : {false, true}) {
        const auto answer = std::get<inbound::Answer>(read_back(inbound::Answer{77, more}));
        EXPECT_EQ(answer.question, 77u);
        EXPECT_EQ(answer.more_follow, more);
    }
}

TEST(Records, ARequestWithoutAHeadIsRefused) {
    const Inbound message{.what = inbound::Request{5}, .payload = "the body"};
    const Block block = inbound_block(message);
    EXPECT_FALSE(read_inbound(block.span(), number(InboundKind::kRequest)));
    EXPECT_TRUE(read_inbound(block.span(), number(InboundKind::kOpen))) << "an opening of TCP has no head";
}

TEST(Records, OnlyRequestsAndHandshakesHaveAHead) {
    Request request;
    const Block block = inbound_block(request.message);
    for (uint16_t kind = 1; kind <= number(InboundKind::kDatagram); ++kind) {
        const bool has_head = kind <= number(InboundKind::kOpen);
        EXPECT_EQ(read_inbound(block.span(), kind).has_value(), has_head) << kind;
    }
}

Inbound cancellation(uint16_t reason = static_cast<uint16_t>(CancelReason::kOverdue)) {
    return {.what = inbound::Cancellation{12, static_cast<CancelReason>(reason)},
            .connection = make_connection_id(3, 77)};
}

TEST(Records, ACancellationNamesItsRequestAndReason) {
    const Block block = inbound_block(cancellation());
    const auto decoded = read_inbound(block.span(), number(InboundKind::kCancel));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->message.kind(), InboundKind::kCancel);
    EXPECT_EQ(decoded->message.connection, make_connection_id(3, 77));
    const auto& got = *decoded->message.as<inbound::Cancellation>();
    EXPECT_EQ(got.request, 12u);
    EXPECT_EQ(got.reason, CancelReason::kOverdue);
}

TEST(Records, ACancellationIsThatAndNoMore) {
    auto is_taken = [](const Inbound& message, bool extent = false) {
        return read_inbound(inbound_block(message, extent).span(), number(InboundKind::kCancel)).has_value();
    };
    EXPECT_TRUE(is_taken(cancellation(1)));
    EXPECT_TRUE(is_taken(cancellation(2)));
    EXPECT_FALSE(is_taken(cancellation(0))) << "no reason";
    EXPECT_FALSE(is_taken(cancellation(3))) << "an unknown reason";
    EXPECT_FALSE(is_taken(cancellation(), true)) << "an extent";
    Inbound message = cancellation();
    message.payload = "words";
    EXPECT_FALSE(is_taken(message));
    Request request;
    request.message.payload = {};
    EXPECT_FALSE(is_taken(request.message)) << "a head";
}

TEST(Records, UnknownMessagesAreRefused) {
    Inbound message;
    message.payload = "x";
    const Block block = inbound_block(message);
    for (const unsigned kind : {0u, number(InboundKind::kDatagram) + 1u, 65535u})
        EXPECT_FALSE(read_inbound(block.span(), static_cast<uint16_t>(kind))) << kind;
}

TEST(Records, EveryTruncatedMessageIsRefused) {
    Request request;
    const Block whole = inbound_block(request.message);
    for (size_t size = 0; size < whole.size; ++size) {
        const Block cut(whole.span().first(size));
        EXPECT_FALSE(read_inbound(cut.span(), number(InboundKind::kRequest))) << size;
    }
}

TEST(Records, AMessageThatContradictsItselfIsRefused) {
    Request request;
    auto changed = [&](auto change) {
        Block block = inbound_block(request.message);
        change(*reinterpret_cast<InboundRecord*>(block.data.get()),
               *reinterpret_cast<http::RequestHead*>(block.data.get() + sizeof(InboundRecord)));
        return read_inbound(block.span(), number(InboundKind::kRequest)).has_value();
    };
    EXPECT_TRUE(changed([](InboundRecord&, http::RequestHead&) {}));
    EXPECT_FALSE(changed([](InboundRecord& record, http::RequestHead&) { ++record.payload_bytes; }));
    EXPECT_FALSE(changed([](InboundRecord& record, http::RequestHead&) { --record.payload_bytes; }));
    EXPECT_FALSE(
        changed([](InboundRecord& record, http::RequestHead&) { record.payload_bytes = UINT32_MAX; }));
    EXPECT_FALSE(changed([](InboundRecord&, http::RequestHead& head) { head.field_count = 65535; }));
    EXPECT_FALSE(changed([](InboundRecord&, http::RequestHead& head) { head.head_bytes = 65535; }));
    EXPECT_FALSE(changed([](InboundRecord&, http::RequestHead& head) { --head.field_count; }));
}

/// Writes a command, and returns what is read of it.
template <typename Kind>
std::pair<Kind, Command> read_back(const Kind& what, ConnectionId connection = make_connection_id(1, 2),
                                   std::string_view payload = {}) {
    static Block block(0);  // what was read points into it
    block = command_block({.what = what, .connection = connection, .payload = payload});
    const auto decoded = read_command(block.span(), number<Kind>());
    EXPECT_TRUE(decoded);
    if (!decoded) return {};
    EXPECT_FALSE(decoded->extent);
    EXPECT_EQ(decoded->command.connection, connection);
    EXPECT_EQ(decoded->command.payload, payload);
    EXPECT_TRUE(std::holds_alternative<Kind>(decoded->command.what));
    return {std::get<Kind>(decoded->command.what), decoded->command};
}

TEST(Records, WhatEveryCommandSaysGoesRoundTrip) {
    for (const bool flag : {false, true}) {
        EXPECT_EQ(read_back(command::Send{flag}, 5, "hello").first.binary, flag);
        const ConnectionId ids[] = {3, 1, 2};
        const auto many = read_back(command::SendMany{ids, flag}, kNoConnection, "to all").first;
        EXPECT_EQ(many.binary, flag);
        EXPECT_EQ(std::vector<ConnectionId>(many.connections.begin(), many.connections.end()),
                  (std::vector<ConnectionId>{3, 1, 2}));
        const auto publish = read_back(command::Publish{"topic", 77, flag}, kNoConnection, "news").first;
        EXPECT_EQ(publish.topic, "topic");
        EXPECT_EQ(publish.except, 77u);
        EXPECT_EQ(publish.binary, flag);
        const auto response = read_back(command::Respond{.request = 8,
                                                         .status = 404,
                                                         .last = flag,
                                                         .has_length = !flag,
                                                         .length = 1234567890123,
                                                         .fields = "a: b\r\n"},
                                        5, "some body")
                                  .first;
        EXPECT_EQ(response.request, 8u);
        EXPECT_EQ(response.status, 404);
        EXPECT_EQ(response.last, flag);
        EXPECT_EQ(response.has_length, !flag);
        EXPECT_EQ(response.length, 1234567890123u);
        EXPECT_EQ(response.fields, "a: b\r\n");
        const auto part =
            read_back(command::BodyPart{.request = 8, .last = flag, .trailers = "c: d\r\n"}, 5, "more").first;
        EXPECT_EQ(part.request, 8u);
        EXPECT_EQ(part.last, flag);
        EXPECT_EQ(part.trailers, "c: d\r\n");
        EXPECT_EQ(read_back(command::Subscribe{"room", flag}).first.topic, "room");
        EXPECT_EQ(read_back(command::Subscribe{"room", flag}).first.is_prefix, flag);
        EXPECT_EQ(read_back(command::Unsubscribe{"room", flag}).first.topic, "room");
        EXPECT_EQ(read_back(command::Unsubscribe{"room", flag}).first.is_prefix, flag);
        const auto tell = read_back(command::Tell{9, flag}, kNoConnection, "names").first;
        EXPECT_EQ(tell.question, 9u);
        EXPECT_EQ(tell.more_follow, flag);
    }
    const auto inform = read_back(command::Inform{8, "Link: x\r\n"}).first;
    EXPECT_EQ(inform.request, 8u);
    EXPECT_EQ(inform.fields, "Link: x\r\n");
    const auto grant = read_back(command::GrantHandshake{8, "a: b\r\n", "chat"}, 5, "attached").first;
    EXPECT_EQ(grant.request, 8u);
    EXPECT_EQ(grant.fields, "a: b\r\n");
    EXPECT_EQ(grant.protocol, "chat");
    EXPECT_EQ(read_back(command::WantBody{8}).first.request, 8u);
    read_back(command::Ping{}, 5, "are you there");
    EXPECT_EQ(read_back(command::Close{4001}, 5, "why").first.code, 4001);
    EXPECT_EQ(read_back(command::CountSubscribers{6, "topic"}, kNoConnection).first.topic, "topic");
    EXPECT_EQ(read_back(command::CountSubscribers{6, "topic"}, kNoConnection).first.question, 6u);
    const auto listed =
        read_back(command::ListSubscribers{6, "topic", 1234567890123, 1000}, kNoConnection).first;
    EXPECT_EQ(listed.question, 6u);
    EXPECT_EQ(listed.topic, "topic");
    EXPECT_EQ(listed.after, 1234567890123u);
    EXPECT_EQ(listed.most, 1000);
    EXPECT_EQ(read_back(command::ListTopics{6}).first.question, 6u);
    EXPECT_EQ(read_back(command::Attach{6}, 5, "attached").first.question, 6u);
    const auto room = read_back(command::AwaitRoom{6, uint64_t{1} << 40}).first;
    EXPECT_EQ(room.question, 6u);
    EXPECT_EQ(room.most_bytes, uint64_t{1} << 40);
}

TEST(Records, ACommandInAnExtent) {
    const std::string payload(20'000, 'x');
    const Block block = command_block({.what = command::Publish{"topic"}, .payload = payload}, true, 8192);
    EXPECT_EQ(block.size, sizeof(CommandRecord) + 5);
    const auto decoded = read_command(block.span(), number<command::Publish>());
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->extent);
    EXPECT_EQ(decoded->number, 8192u);
    EXPECT_EQ(decoded->payload_bytes, payload.size());
    EXPECT_EQ(decoded->command.as<command::Publish>()->topic, "topic");
    EXPECT_EQ(decoded->command.payload, "") << "the holder of the arena sets the payload";
}

TEST(Records, NotesGoRoundTrip) {
    const Note notes[] = {note::Release{7}, note::ReleaseFile{7}, note::Hold{7}, note::Park{7, 8192},
                          note::Finished{7}};
    for (const Note& note : notes) {
        char record[sizeof(NoteRecord)];
        write_note(record, note);
        const uint16_t kind = reinterpret_cast<const RecordHeader*>(record)->kind;
        EXPECT_TRUE(is_note(kind));
        const auto read = read_note(record, kind);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->index(), note.index());
        char again[sizeof(NoteRecord)];
        write_note(again, *read);
        EXPECT_EQ(memcmp(record, again, sizeof record), 0);
        EXPECT_FALSE(read_note(std::span(record).first(sizeof record - 8), kind)) << "too short";
        EXPECT_FALSE(read_command(record, kind)) << "a note is no command";
    }
    char record[sizeof(NoteRecord) + 8] = {};
    EXPECT_FALSE(read_note(record, kFirstNote)) << "too long";
    EXPECT_FALSE(
        read_note(std::span(record).first(sizeof(NoteRecord)), kFirstNote + std::variant_size_v<Note>));
}

TEST(Records, EveryTruncatedCommandIsRefused) {
    const Command command{.what = command::Publish{"the topic"}, .payload = "the payload"};
    for (bool extent : {false, true}) {
        const Block whole = command_block(command, extent);
        for (size_t size = 0; size < whole.size; ++size) {
            const Block cut(whole.span().first(size));
            EXPECT_FALSE(read_command(cut.span(), number_of(command))) << size;
        }
    }
}

TEST(Records, ACommandThatContradictsItselfIsRefused) {
    const Command command{.what = command::Publish{"the topic"}, .payload = "the payload"};
    auto changed = [&](auto change, bool extent = false) {
        Block block = command_block(command, extent);
        change(*reinterpret_cast<CommandRecord*>(block.data.get()));
        return read_command(block.span(), number_of(command)).has_value();
    };
    EXPECT_TRUE(changed([](CommandRecord&) {}));
    EXPECT_FALSE(changed([](CommandRecord& record) { ++record.text_bytes; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { --record.text_bytes; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { record.text_bytes = UINT32_MAX; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { ++record.payload_bytes; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { record.payload_bytes = UINT32_MAX; }));
    EXPECT_FALSE(changed([](CommandRecord& record) {
        record.text_bytes = 0x8000'0000;
        record.payload_bytes = 0x8000'0014;
    })) << "a sum that wraps around";
    EXPECT_FALSE(changed([](CommandRecord& record) { record.record.flags |= kFlagExtent; }))
        << "payload inline and in an extent";
    EXPECT_FALSE(changed([](CommandRecord& record) { record.record.flags &= ~kFlagExtent; }, true))
        << "payload nowhere";
    EXPECT_TRUE(changed([](CommandRecord& record) { record.record.size = 3; }))
        << "the ring has checked it already";
}

TEST(Records, UnknownCommandsAreRefused) {
    // A record without text and payload: any kind may be so but a datagram, which has an address.
    const Block block = command_block({.what = command::Ping{}, .connection = udp_id(1, 9)});
    for (uint32_t kind = 0; kind <= UINT16_MAX; ++kind) {
        const bool known = kind >= 1 && kind <= std::variant_size_v<Command::What> &&
                           kind != number<command::SendDatagram>();
        ASSERT_EQ(read_command(block.span(), static_cast<uint16_t>(kind)).has_value(), known) << kind;
    }
}

TEST(Records, NothingComesThatItsKindDoesNotHave) {
    const auto is_taken = [](const Command& written, uint16_t kind, bool extent = false) {
        const Block block = command_block(written, extent);
        return read_command(block.span(), kind).has_value();
    };
    const Command with_text{.what = command::Publish{"a: bcd\r\n"}};  // eight bytes, and a field
    const Command with_payload{.what = command::Send{}, .payload = "eight by"};
    const struct {
        uint16_t kind;
        bool has_text, has_payload, may_be_long;
    } kinds[] = {
        {number<command::Send>(), false, true, true},
        {number<command::SendMany>(), true, true, true},
        {number<command::Publish>(), true, true, true},
        {number<command::Respond>(), true, true, true},
        {number<command::BodyPart>(), true, true, true},
        {number<command::Inform>(), true, false, false},
        {number<command::GrantHandshake>(), true, true, true},
        {number<command::WantBody>(), false, false, false},
        {number<command::Subscribe>(), true, false, false},
        {number<command::Unsubscribe>(), true, false, false},
        {number<command::Ping>(), false, true, true},
        {number<command::Close>(), false, true, true},
        {number<command::CountSubscribers>(), true, false, false},
        {number<command::ListTopics>(), false, false, false},
        {number<command::ListSubscribers>(), true, false, false},
        {number<command::AwaitRoom>(), false, false, false},
        {number<command::Tell>(), false, true, true},
        {number<command::Attach>(), false, true, true},
    };
    EXPECT_EQ(std::size(kinds) + 1, std::variant_size_v<Command::What>)
        << "the table has all kinds but the datagram";
    for (const auto& one : kinds) {
        EXPECT_EQ(is_taken(with_text, one.kind), one.has_text) << one.kind;
        EXPECT_EQ(is_taken(with_payload, one.kind), one.has_payload) << one.kind;
        EXPECT_EQ(is_taken(with_payload, one.kind, true), one.may_be_long) << one.kind;
    }
    const Block grant = command_block({.what = command::GrantHandshake{8, "a: b\r\n", "chat"}}, false);
    reinterpret_cast<CommandRecord*>(grant.data.get())->protocol_bytes = 11;
    EXPECT_FALSE(read_command(grant.span(), number<command::GrantHandshake>()))
        << "a protocol beyond the text";
    const Command half{.what = command::Publish{"one and half"}};
    EXPECT_FALSE(is_taken(half, number<command::SendMany>())) << "one id and a half";
}

TEST(Records, FieldsAreWholeLines) {
    const auto is_taken = [](const Command& command) {
        return read_command(command_block(command, false).span(), number_of(command)).has_value();
    };
    const auto all = [](std::string_view text) {
        return std::vector<Command>{{.what = command::Respond{.fields = text}},
                                    {.what = command::BodyPart{.trailers = text}},
                                    {.what = command::Inform{1, text}},
                                    {.what = command::GrantHandshake{1, text, "chat"}}};
    };
    for (const Command& command : all("a: b\r\nc:d\r\n"))
        EXPECT_TRUE(is_taken(command)) << number_of(command);
    for (const std::string_view text :
         {"a: b", "a: b\n", "a: b\r\nc: d", "a: b\r\n\r\n", "\r\n", ": no name\r\n"})
        for (const Command& command : all(text))
            EXPECT_FALSE(is_taken(command)) << number_of(command) << ' ' << text;
}

TEST(Records, ACommandWithAFile) {
    const command::FilePart part{5, 7, uint64_t{1} << 40};
    const Command commands[] = {
        {.what = command::Respond{.request = 1, .fields = "content-type: a/b\r\n", .file = part}},
        {.what = command::BodyPart{.request = 1, .trailers = "content-type: a/b\r\n", .file = part}}};
    for (const Command& command : commands) {
        const Block block = command_block(command, false, 99);
        const auto decoded = read_command(block.span(), number_of(command));
        ASSERT_TRUE(decoded);
        EXPECT_EQ(decoded->number, 99u);
        EXPECT_EQ(decoded->command.payload, "");
        const command::FilePart* file = decoded->command.file();
        ASSERT_NE(file, nullptr);
        EXPECT_EQ(file->fd, -1) << "a descriptor's number in another process means nothing here";
        EXPECT_EQ(file->offset, part.offset);
        EXPECT_EQ(file->bytes, part.bytes);
    }
}

TEST(Records, AFileThatCannotBeIsRefused) {
    const auto is_taken = [](uint64_t offset, uint64_t bytes, uint16_t kind = number<command::Respond>()) {
        const Block block = command_block({.what = command::Respond{.file = {-1, offset, bytes}}});
        return read_command(block.span(), kind).has_value();
    };
    EXPECT_TRUE(is_taken(0, 5));
    EXPECT_FALSE(is_taken(0, 5, number<command::Send>())) << "only a response has a body in a file";
    EXPECT_TRUE(is_taken(uint64_t{INT64_MAX} - 5, 5));
    EXPECT_FALSE(is_taken(uint64_t{INT64_MAX} - 4, 5)) << "the range ends beyond any file";
    EXPECT_FALSE(is_taken(UINT64_MAX, 5));
    EXPECT_FALSE(is_taken(0, UINT64_MAX));

    Block block = command_block({.what = command::Respond{.file = {-1, 0, 5}}});
    memset(block.data.get() + block.span().size() - 8, 0, 8);
    EXPECT_FALSE(read_command(block.span(), number<command::Respond>())) << "a range of no bytes is refused";
    Block body = command_block({.what = command::Respond{}, .payload = "0123456789"});
    reinterpret_cast<CommandRecord*>(body.data.get())->record.flags |= kFlagFile;
    EXPECT_FALSE(read_command(body.span(), number<command::Respond>()))
        << "a record with the file's flag has no range";
}

TEST(Records, ADatagramForAnAddressGoesRoundTrip) {
    const Address to = *Address::parse("[::1]:53");
    const auto [datagram, command] = read_back(command::SendDatagram{to, 9}, udp_id(3, 9), "some bytes");
    EXPECT_EQ(datagram.endpoint, 9);
    EXPECT_EQ(datagram.to, to);
}

TEST(Records, ADatagramForNoAddressOrOfNoSizeIsRefused) {
    const Address to = *Address::parse("127.0.0.1:53");
    auto is_taken = [&](std::string_view payload, ConnectionId id = udp_id(3, 9), bool extent = false,
                        size_t missing_bytes = 0) {
        Block block = command_block(
            {.what = command::SendDatagram{to, 9}, .connection = id, .payload = payload}, extent);
        auto& record = *reinterpret_cast<CommandRecord*>(block.data.get());
        record.text_bytes -= static_cast<uint32_t>(missing_bytes);
        if (!extent) record.payload_bytes += static_cast<uint32_t>(missing_bytes);
        return read_command(block.span(), number<command::SendDatagram>()).has_value();
    };
    EXPECT_TRUE(is_taken("some bytes"));
    EXPECT_FALSE(is_taken("some bytes", udp_id(3, 9), false, 1)) << "an address that is too short";
    EXPECT_FALSE(is_taken("some bytes", udp_id(3, 9), false, sizeof to)) << "no address";
    EXPECT_FALSE(is_taken("some bytes", make_connection_id(3, 70'000))) << "a connection";
    const std::string longest(65'507, 'x'), too_long(65'508, 'x');
    EXPECT_TRUE(is_taken(longest));
    EXPECT_TRUE(is_taken(longest, udp_id(3, 9), true));
    EXPECT_FALSE(is_taken(too_long));
    EXPECT_FALSE(is_taken(too_long, udp_id(3, 9), true));
}

TEST(Records, AReceivedDatagramBeginsWithAnAddress) {
    Inbound message;
    message.what = inbound::Datagram{};
    message.connection = udp_id(1, 9);
    const std::string payload(sizeof(Address) + 3, 'x');
    auto is_taken = [&] {
        const Block block = inbound_block(message);
        return read_inbound(block.span(), number(InboundKind::kDatagram)).has_value();
    };
    message.payload = payload;
    EXPECT_TRUE(is_taken());
    message.payload.remove_suffix(3);
    EXPECT_TRUE(is_taken());
    message.payload.remove_suffix(1);
    EXPECT_FALSE(is_taken());
    message.payload = payload;
    message.secure = true;
    EXPECT_FALSE(is_taken()) << "no flag has a meaning in this record";
}

}  // namespace
}  // namespace sluice
