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

Block inbound_block(const Inbound& message, bool slot = false, uint32_t page = 0) {
    Block block(inbound_record_bytes(message, slot));
    write_inbound(block.data.get(), message, slot, page);
    return block;
}

Block command_block(const Command& command, bool slot = false, uint64_t offset = 0) {
    Block block(command_record_bytes(command, slot));
    write_command(block.data.get(), command, slot, offset);
    return block;
}

uint16_t number(InboundKind kind) {
    return static_cast<uint16_t>(kind);
}
uint16_t number(CommandKind kind) {
    return static_cast<uint16_t>(kind);
}

struct Request {
    Request() {
        head.field_count = static_cast<uint16_t>(fields.size());
        head.head_bytes = static_cast<uint16_t>(text.size());
        head.path = {4, 2};
        message.what = inbound::Request{5, {&head, fields, text}};
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
    EXPECT_FALSE(decoded->slot);
    EXPECT_EQ(message.kind(), InboundKind::kRequest);
    EXPECT_EQ(message.connection, make_connection_id(3, 77));
    EXPECT_EQ(message.as<inbound::Request>()->number, 5u);
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

TEST(Records, AMessageInASlot) {
    const std::string payload(100'000, 'x');
    Inbound message;
    message.payload = payload;
    message.what = inbound::Message{true};
    const Block block = inbound_block(message, true, 42);
    EXPECT_EQ(block.size, sizeof(InboundRecord));
    const auto decoded = read_inbound(block.span(), number(InboundKind::kMessage));
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->slot);
    EXPECT_EQ(decoded->slot_page, 42u);
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
    EXPECT_TRUE(read_inbound(block.span(), number(InboundKind::kOpen))) << "of TCP, there is none";
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
    auto is_taken = [](const Inbound& message, bool slot = false) {
        return read_inbound(inbound_block(message, slot).span(), number(InboundKind::kCancel)).has_value();
    };
    EXPECT_TRUE(is_taken(cancellation(1)));
    EXPECT_TRUE(is_taken(cancellation(2)));
    EXPECT_FALSE(is_taken(cancellation(0))) << "no reason";
    EXPECT_FALSE(is_taken(cancellation(3))) << "an unknown reason";
    EXPECT_FALSE(is_taken(cancellation(), true)) << "a slot";
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

TEST(Records, ACommandGoesRoundTrip) {
    Command command;
    command.kind = CommandKind::kRespond;
    command.binary = true;
    command.last = false;
    command.has_length = true;
    command.length = 1234567890123;
    command.code = 404;
    command.request = 8;
    command.connection = make_connection_id(1, 2);
    command.head = "a: b\r\n";
    command.body = "some body";
    const Block block = command_block(command);
    const auto decoded = read_command(block.span(), number(CommandKind::kRespond));
    ASSERT_TRUE(decoded);
    EXPECT_FALSE(decoded->slot);
    EXPECT_EQ(decoded->command.kind, CommandKind::kRespond);
    EXPECT_TRUE(decoded->command.binary);
    EXPECT_FALSE(decoded->command.last);
    EXPECT_TRUE(decoded->command.has_length);
    EXPECT_EQ(decoded->command.length, 1234567890123u);
    EXPECT_EQ(decoded->command.code, 404);
    EXPECT_EQ(decoded->command.request, 8u);
    EXPECT_EQ(decoded->command.connection, make_connection_id(1, 2));
    EXPECT_EQ(decoded->command.head, "a: b\r\n");
    EXPECT_EQ(decoded->command.body, "some body");
}

TEST(Records, ACommandInASlot) {
    const std::string body(20'000, 'x');
    Command command;
    command.head = "topic";
    command.body = body;
    const Block block = command_block(command, true, 8192);
    EXPECT_EQ(block.size, sizeof(CommandRecord) + 5);
    const auto decoded = read_command(block.span(), number(CommandKind::kSend));
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->slot);
    EXPECT_EQ(decoded->slot_offset, 8192u);
    EXPECT_EQ(decoded->body_bytes, body.size());
    EXPECT_EQ(decoded->command.head, "topic");
    EXPECT_TRUE(decoded->command.last);
    EXPECT_FALSE(decoded->command.binary);
}

TEST(Records, EveryTruncatedCommandIsRefused) {
    Command command;
    command.head = "the head";
    command.body = "the body";
    for (bool slot : {false, true}) {
        const Block whole = command_block(command, slot);
        for (size_t size = 0; size < whole.size; ++size) {
            const Block cut(whole.span().first(size));
            EXPECT_FALSE(read_command(cut.span(), number(CommandKind::kSend))) << size;
        }
    }
}

TEST(Records, ACommandThatContradictsItselfIsRefused) {
    Command command;
    command.head = "the head";
    command.body = "the body";
    auto changed = [&](auto change, bool slot = false) {
        Block block = command_block(command, slot);
        change(*reinterpret_cast<CommandRecord*>(block.data.get()));
        return read_command(block.span(), number(CommandKind::kSend)).has_value();
    };
    EXPECT_TRUE(changed([](CommandRecord&) {}));
    EXPECT_FALSE(changed([](CommandRecord& record) { ++record.head_bytes; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { --record.head_bytes; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { record.head_bytes = UINT32_MAX; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { ++record.body_bytes; }));
    EXPECT_FALSE(changed([](CommandRecord& record) { record.body_bytes = UINT32_MAX; }));
    EXPECT_FALSE(changed([](CommandRecord& record) {
        record.head_bytes = 0x8000'0000;
        record.body_bytes = 0x8000'0010;
    })) << "a sum that wraps around";
    EXPECT_FALSE(changed([](CommandRecord& record) { record.record.flags |= kFlagSlot; }))
        << "body inline and in a slot";
    EXPECT_FALSE(changed([](CommandRecord& record) { record.record.flags &= ~kFlagSlot; }, true))
        << "body nowhere";
    EXPECT_TRUE(changed([](CommandRecord& record) { record.record.size = 3; }))
        << "the ring has checked it already";
}

TEST(Records, UnknownCommandsAreRefused) {
    Command command;
    const Block block = command_block(command);
    for (uint32_t kind = 0; kind <= UINT16_MAX; ++kind) {
        const bool known = kind >= number(CommandKind::kSend) && kind <= number(CommandKind::kFinished) &&
                           kind != number(CommandKind::kDatagram);  // which has an address
        ASSERT_EQ(read_command(block.span(), static_cast<uint16_t>(kind)).has_value(), known) << kind;
    }
}

TEST(Records, ACommandWithAFile) {
    for (const CommandKind kind : {CommandKind::kRespond, CommandKind::kBody}) {
        Command command;
        command.kind = kind;
        command.head = "content-type: a/b\r\n";
        command.file = 5;
        command.file_offset = 7;
        command.file_bytes = uint64_t{1} << 40;
        Block block(command_record_bytes(command, false));
        write_command(block.data.get(), command, false, 99);
        const auto decoded = read_command(block.span(), number(kind));
        ASSERT_TRUE(decoded);
        EXPECT_TRUE(decoded->file);
        EXPECT_EQ(decoded->slot_offset, 99u);
        EXPECT_EQ(decoded->command.head, command.head);
        EXPECT_EQ(decoded->command.body, "");
        EXPECT_EQ(decoded->command.file, -1) << "a number of another process is none of ours";
        EXPECT_EQ(decoded->command.file_offset, command.file_offset);
        EXPECT_EQ(decoded->command.file_bytes, command.file_bytes);
    }
}

TEST(Records, AFileThatCannotBeIsRefused) {
    Command command;
    command.kind = CommandKind::kRespond;
    command.file_bytes = 5;
    const auto read = [&](CommandKind kind = CommandKind::kRespond) {
        Block block(command_record_bytes(command, false));
        write_command(block.data.get(), command, false, 0);
        return read_command(block.span(), number(kind)).has_value();
    };
    EXPECT_TRUE(read());
    EXPECT_FALSE(read(CommandKind::kSend)) << "only a response has a body in a file";
    command.file_offset = uint64_t{INT64_MAX} - 5;
    EXPECT_TRUE(read());
    command.file_offset = uint64_t{INT64_MAX} - 4;
    EXPECT_FALSE(read()) << "its end is beyond all files";
    command.file_offset = UINT64_MAX;
    EXPECT_FALSE(read());
    command.file_offset = 0;
    command.file_bytes = UINT64_MAX;
    EXPECT_FALSE(read());

    command.file_bytes = 5;
    Block block(command_record_bytes(command, false));
    write_command(block.data.get(), command, false, 0);
    memset(block.data.get() + block.span().size() - 8, 0, 8);
    EXPECT_FALSE(read_command(block.span(), number(CommandKind::kRespond))) << "nothing of a file";
    Command plain;
    plain.kind = CommandKind::kRespond;
    plain.body = "0123456789";
    Block body(command_record_bytes(plain, false));
    write_command(body.data.get(), plain, false, 0);
    reinterpret_cast<CommandRecord*>(body.data.get())->record.flags |= kFlagFile;
    EXPECT_FALSE(read_command(body.span(), number(CommandKind::kRespond))) << "no place in a file";
}

Command datagram(const Address& to) {
    Command command;
    command.kind = CommandKind::kDatagram;
    command.connection = udp_id(3);
    command.code = 9;
    command.head = {reinterpret_cast<const char*>(&to), sizeof to};
    command.body = "some bytes";
    return command;
}

TEST(Records, ADatagramForAnAddressGoesRoundTrip) {
    const Address to = *Address::parse("[::1]:53");
    const Block block = command_block(datagram(to));
    const auto decoded = read_command(block.span(), number(CommandKind::kDatagram));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->command.code, 9);
    EXPECT_EQ(decoded->command.connection, udp_id(3));
    EXPECT_EQ(decoded->command.body, "some bytes");
    ASSERT_EQ(decoded->command.head.size(), sizeof to);
    EXPECT_EQ(memcmp(decoded->command.head.data(), &to, sizeof to), 0);
}

TEST(Records, ADatagramForNoAddressOrOfNoSizeIsRefused) {
    const Address to = *Address::parse("127.0.0.1:53");
    auto is_taken = [](const Command& command, bool slot = false) {
        const Block block = command_block(command, slot);
        return read_command(block.span(), number(CommandKind::kDatagram)).has_value();
    };
    Command command = datagram(to);
    EXPECT_TRUE(is_taken(command));
    command.head.remove_suffix(1);
    EXPECT_FALSE(is_taken(command));
    command.head = {};
    EXPECT_FALSE(is_taken(command));
    command = datagram(to);
    command.connection = make_connection_id(3, 2);
    EXPECT_FALSE(is_taken(command)) << "a connection";
    command = datagram(to);
    command.file_bytes = 5;
    EXPECT_FALSE(is_taken(command)) << "a file";
    const std::string longest(65'507, 'x'), too_long(65'508, 'x');
    command = datagram(to);
    command.body = longest;
    EXPECT_TRUE(is_taken(command));
    EXPECT_TRUE(is_taken(command, true));
    command.body = too_long;
    EXPECT_FALSE(is_taken(command));
    EXPECT_FALSE(is_taken(command, true));
}

TEST(Records, AReceivedDatagramBeginsWithAnAddress) {
    Inbound message;
    message.what = inbound::Datagram{};
    message.connection = udp_id(1);
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
    EXPECT_FALSE(is_taken()) << "no flag has a meaning there";
}

}  // namespace
}  // namespace sluice
