#include "server/inline/inline_transport.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/seam/records.h"

namespace sluice {
namespace {

/// An allocator of blocks as small as the contract allows: kPayloadOffset in front, kPayloadTail behind.
struct ScarceAllocator final : MessageAllocator {
    ~ScarceAllocator() override { EXPECT_TRUE(blocks.empty()) << "a payload was not freed"; }
    char* allocate(size_t bytes) override {
        if (!has_memory) return nullptr;
        auto block = std::make_unique<char[]>(kPayloadOffset + bytes + kPayloadTail);
        char* payload = block.get() + kPayloadOffset;
        blocks[payload] = std::move(block);
        return payload;
    }
    bool has_room(size_t) override { return has_memory; }
    bool has_memory = true;
    void free(char* payload) override { ASSERT_EQ(blocks.erase(payload), 1u); }
    std::map<char*, std::unique_ptr<char[]>> blocks;
};

struct Events final : TransportEvents {
    void on_command(int worker, const Command& command, Ref<Payload> payload) override {
        workers.push_back(worker);
        bodies.emplace_back(command.payload);
        payloads.push_back(std::move(payload));
    }
    void on_finished(ConnectionId) override {}
    void on_lost(int, InboundKind, ConnectionId, uint32_t) override {}
    int worker_for_moved(InboundKind, ConnectionId, uint32_t) override { return kNoWorker; }
    void on_corrupt(int) override {}
    std::vector<int> workers;
    std::vector<std::string> bodies;
    std::vector<Ref<Payload>> payloads;
};

class Inline : public testing::Test {
  protected:
    static constexpr unsigned kSlot = 1;
    static constexpr uint64_t kMostBytes = 1'000'000;
    static constexpr size_t kPlaces = 2000;
    static constexpr uint64_t kClient = 1;
    SharedLayout layout_ = SharedLayout::create({.mode = 1,
                                                 .reactors = 3,
                                                 .worker_slots = 3,
                                                 .cells = 8,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 0,
                                                 .out_bytes = 65536});
    ScarceAllocator allocator_;
    std::optional<InlineTransport> transport_{std::in_place, layout_, kSlot, allocator_, kMostBytes, kPlaces};

    void deliver(std::string_view payload, uint32_t request = 0) {
        Inbound message;
        http::RequestHead head;
        if (request) message.what = inbound::Request{.number = request, .head = {&head}};
        message.payload = payload;
        message.client = client_;
        ASSERT_TRUE(
            transport_->accepts(0, client_, inbound_record_bytes(message, false) - sizeof(InboundRecord)));
        transport_->deliver(0, message, {});
    }
    uint64_t client_ = kClient;  ///< whose messages deliver() delivers
    std::string payload_of(InlineTransport::Entry* entry) {
        const std::string payload(entry->message.payload);
        if (entry->message.home == PayloadHome::kString) {
            allocator_.free(const_cast<char*>(entry->message.payload.data()));
        }
        return payload;
    }
};

TEST_F(Inline, AnAnswerComesWithItsPayloadWithoutMemoryOfTheAllocator) {
    allocator_.has_memory = false;
    Inbound answer;
    answer.what = inbound::Answer{5, true};
    answer.payload = "some names";
    ASSERT_TRUE(transport_->notify(0, answer));
    answer.payload = {};
    ASSERT_TRUE(transport_->notify(0, answer));
    InlineTransport::Entry* entry = transport_->take();
    ASSERT_NE(entry, nullptr);
    ASSERT_TRUE(entry->message.is<inbound::Answer>());
    EXPECT_EQ(entry->message.as<inbound::Answer>()->question, 5u);
    EXPECT_TRUE(entry->message.as<inbound::Answer>()->more_follow);
    EXPECT_EQ(entry->message.home, PayloadHome::kBorrowed);
    EXPECT_EQ(entry->message.payload, "some names");
    transport_->finished(entry);
    entry = transport_->take();
    EXPECT_EQ(entry->message.payload, "");
    transport_->finished(entry);
}

TEST_F(Inline, AnswersToOtherWorkersGoThroughTheirRing) {
    std::vector<std::pair<unsigned, std::string>> told;
    transport_->tell_peer = [&](unsigned peer, const Command& command) {
        const auto* tell = command.as<command::Tell>();
        EXPECT_TRUE(tell && tell->question == 7 && !tell->more_follow);
        told.emplace_back(peer, command.payload);
        return told.size() > 1;
    };
    Inbound answer;
    answer.what = inbound::Answer{7};
    answer.payload = "names";
    EXPECT_FALSE(transport_->notify(3, answer)) << "the peer's ring has no room";
    EXPECT_TRUE(transport_->notify(3, answer));
    EXPECT_EQ(told.back(), (std::pair<unsigned, std::string>(2, "names")));

    // A transport that has asked takes the answer out of the peer's ring.
    transport_->expect_answer(0, 7, layout_.worker(0).lives.load());
    RingProducer ring = layout_.out_producer(0, kSlot);
    const Command tell{.what = command::Tell{7, true}, .payload = "names"};
    write_command(ring.reserve(command_record_bytes(tell, false)), tell, false, 0);
    ring.commit();
    Events events;
    transport_->poll(events);
    EXPECT_TRUE(events.workers.empty()) << "an answer is not for the reactor";
    InlineTransport::Entry* entry = transport_->take();
    ASSERT_NE(entry, nullptr);
    ASSERT_TRUE(entry->message.is<inbound::Answer>());
    EXPECT_EQ(entry->message.as<inbound::Answer>()->question, 7u);
    EXPECT_TRUE(entry->message.as<inbound::Answer>()->more_follow);
    EXPECT_EQ(entry->message.payload, "names");
    transport_->finished(entry);
}

TEST_F(Inline, MessagesAreQueuedInOrder) {
    EXPECT_EQ(transport_->take(), nullptr);
    EXPECT_FALSE(transport_->pending());
    deliver("one", 1);
    deliver("", 2);
    deliver("three", 3);
    EXPECT_TRUE(transport_->pending());
    EXPECT_EQ(transport_->used_bytes(), 8u);
    for (const char* expected : {"one", "", "three"}) {
        InlineTransport::Entry* entry = transport_->take();
        ASSERT_NE(entry, nullptr);
        EXPECT_EQ(payload_of(entry), expected);
        transport_->finished(entry);
    }
    EXPECT_FALSE(transport_->has_messages());
    EXPECT_TRUE(transport_->is_idle());
    EXPECT_EQ(transport_->used_bytes(), 0u);
}

TEST_F(Inline, ANoticeIsTakenOutOfTurnWhenItIsWanted) {
    deliver("first");
    for (uint32_t request = 1; request <= 2; ++request)
        ASSERT_TRUE(transport_->notify(0, {.what = inbound::Cancellation{request}}));
    deliver("last");
    const auto is_second = [](const Inbound& one) { return one.as<inbound::Cancellation>()->request == 2; };
    InlineTransport::Entry* entry = transport_->take_notice(is_second);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->message.as<inbound::Cancellation>()->request, 2u);
    transport_->finished(entry);
    EXPECT_EQ(transport_->take_notice(is_second), nullptr);
    EXPECT_EQ(payload_of(transport_->take()), "first");
    EXPECT_EQ(transport_->take()->message.as<inbound::Cancellation>()->request, 1u);
    EXPECT_EQ(transport_->take_notice([](const Inbound&) { return true; }), nullptr);
    EXPECT_EQ(payload_of(transport_->take()), "last");
}

TEST_F(Inline, ASmallPayloadInItsRoomBecomesTheTakersString) {
    const Room room = transport_->allocate(5000);
    ASSERT_TRUE(room);
    Inbound message;
    message.payload = {room.data, 5000};
    transport_->deliver(0, message, room);
    InlineTransport::Entry* entry = transport_->take();
    EXPECT_EQ(entry->message.payload.data(), room.data);
    EXPECT_EQ(entry->message.home, PayloadHome::kString);
    EXPECT_EQ(transport_->used_bytes(), 0u);
    transport_->finished(entry);
    EXPECT_EQ(allocator_.blocks.size(), 1u) << "the payload belongs to its taker";
    allocator_.free(room.data);
}

TEST_F(Inline, ABigPayloadStandsInASlotUntilItIsReleased) {
    const Room room = transport_->allocate(20'000);
    ASSERT_TRUE(room);
    memset(room.data, 'x', 20'000);
    Inbound message;
    message.payload = {room.data, 20'000};
    transport_->deliver(0, message, room);
    InlineTransport::Entry* entry = transport_->take();
    EXPECT_EQ(entry->message.payload.data(), room.data);
    EXPECT_EQ(entry->message.home, PayloadHome::kExtent);
    EXPECT_TRUE(allocator_.blocks.empty());
    transport_->finished(entry);
    EXPECT_GE(transport_->used_bytes(), 20'000u) << "the taker may keep the extent";
    transport_->release(room.data);
    EXPECT_EQ(transport_->used_bytes(), 0u);
}

TEST_F(Inline, AHeadIsCopiedWithAllItsFields) {
    std::string text = "GET / HTTP/1.1\r\na: b\r\n\r\n";
    http::RequestHead head;
    http::Field field{{16, 1}, {19, 1}};
    head.field_count = 1;
    head.head_bytes = static_cast<uint16_t>(text.size());
    Inbound message;
    message.what = inbound::Request{1, {&head, {&field, 1}, text}};
    message.payload = "body";
    transport_->deliver(0, message, {});
    text.assign(text.size(), '!');  // the scratch buffer is overwritten
    field = {};
    InlineTransport::Entry* entry = transport_->take();
    EXPECT_EQ(entry->message.head()->text, "GET / HTTP/1.1\r\na: b\r\n\r\n");
    EXPECT_EQ(entry->message.head()->fields[0].name.in(entry->message.head()->text.data()), "a");
    EXPECT_EQ(entry->message.head()->parsed->field_count, 1);
    EXPECT_EQ(payload_of(entry), "body");
    transport_->finished(entry);
}

TEST_F(Inline, SeveralMayBeOpenAndEndInAnyOrder) {
    for (int i = 0; i < 200; ++i)
        deliver(std::to_string(i));
    std::vector<InlineTransport::Entry*> open;
    while (InlineTransport::Entry* entry = transport_->take())
        open.push_back(entry);
    ASSERT_EQ(open.size(), 200u);
    for (size_t i = 0; i < open.size(); ++i)
        EXPECT_EQ(payload_of(open[i]), std::to_string(i));
    for (size_t i = open.size(); i-- > 0;)
        transport_->finished(open[i]);
    EXPECT_TRUE(transport_->is_idle());
    deliver("one that was used before");
    EXPECT_EQ(transport_->take()->message.head(), nullptr);
    allocator_.blocks.clear();
}

TEST_F(Inline, AQueueThatIsTooLongTakesNoMore) {
    size_t count = 0;
    while (transport_->accepts(0, kClient, 1) && count < 100'000) {
        deliver("x");
        ++count;
    }
    EXPECT_LT(count, 100'000u);
    payload_of(transport_->take());
    EXPECT_TRUE(transport_->accepts(0, kClient, 1));
}

TEST_F(Inline, ARequestWaitsBehindSoManyMessages) {
    for (size_t i = 0; i < QueueLimit::kFirst; ++i) {
        ASSERT_TRUE(transport_->accepts_request(0, kClient, 1, false));
        EXPECT_TRUE(transport_->takes_requests(false));
        deliver("x");
    }
    EXPECT_FALSE(transport_->takes_requests(false));
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 1, false));
    EXPECT_TRUE(transport_->accepts(0, kClient, 1)) << "messages of connections go on";
    EXPECT_TRUE(transport_->pending()) << "the worker has not looked";
    transport_->look();
    EXPECT_FALSE(transport_->pending()) << "it has, and takes nothing";
    while (InlineTransport::Entry* entry = transport_->take()) {
        payload_of(entry);
        transport_->finished(entry);
    }
    EXPECT_TRUE(transport_->pending()) << "nobody sleeps while a request could go on";
    Events events;
    transport_->poll(events);
    EXPECT_FALSE(transport_->pending());
    EXPECT_TRUE(transport_->accepts_request(0, kClient, 1, false));
}

TEST_F(Inline, LittleLiesBeforeAMessageOfASlowWorker) {
    for (size_t i = 0; i < 3 * QueueLimit::kLeast; ++i)
        deliver("x");
    Events events;
    transport_->poll(events);
    for (const uint64_t since_ms = monotonic_ms(); monotonic_ms() < since_ms + 2 * QueueLimit::kMs;) {
    }
    EXPECT_TRUE(transport_->accepts_request(0, kClient, 1, false)) << "nobody has looked";
    transport_->poll(events);
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 1, false));
    EXPECT_FALSE(transport_->accepts_message(0, kClient, 1));
    EXPECT_TRUE(transport_->accepts(0, kClient, 1)) << "datagrams have nowhere else to wait";
    transport_->look();
    EXPECT_FALSE(transport_->pending());
    while (InlineTransport::Entry* entry = transport_->take()) {
        payload_of(entry);
        transport_->finished(entry);
    }
    EXPECT_TRUE(transport_->pending()) << "nobody sleeps while a message could go on";
    transport_->poll(events);
    for (size_t i = 0; i < 2 * QueueLimit::kLeast; ++i) {
        ASSERT_TRUE(transport_->accepts_message(0, kClient, 1)) << "one that had nothing to do gets more";
        deliver("x");
    }
    EXPECT_FALSE(transport_->accepts_message(0, kClient, 1));
}

TEST_F(Inline, BytesThatNobodyTookAreBounded) {
    std::vector<Room> rooms;
    while (Room room = transport_->allocate(100'000))
        rooms.push_back(room);
    EXPECT_GT(rooms.size(), 1u);
    while (Room room = transport_->allocate(5000))
        rooms.push_back(room);
    EXPECT_LE(transport_->used_bytes(), kMostBytes);
    EXPECT_GT(transport_->used_bytes(), kMostBytes - 5000);
    EXPECT_FALSE(transport_->accepts(0, kClient, 5000));
    transport_->free(rooms.back());
    rooms.pop_back();
    EXPECT_TRUE(transport_->accepts(0, kClient, 5000));
    allocator_.has_memory = false;
    EXPECT_FALSE(transport_->accepts(0, kClient, 1));
    EXPECT_FALSE(transport_->allocate(1));
    for (const Room& room : rooms)
        transport_->free(room);
    EXPECT_EQ(transport_->used_bytes(), 0u);
}

TEST_F(Inline, WhatNobodyTookIsFreed) {
    deliver("left over");
    transport_.reset();
    EXPECT_TRUE(allocator_.blocks.empty());
}

TEST_F(Inline, PeersSpeakThroughTheirRings) {
    RingProducer peer = layout_.out_producer(2, kSlot);
    Command command{.what = command::Publish{}, .payload = "small"};
    write_command(peer.reserve(command_record_bytes(command, false)), command, false, 0);
    const std::string big(20'000, 'x');
    char* extent = layout_.out_arena(2).data() + 4096;
    reinterpret_cast<std::atomic<uint32_t>*>(extent)->store(kOutExtentBusy);
    memcpy(extent + kOutExtentHeader, big.data(), big.size());
    command.payload = big;
    write_command(peer.reserve(command_record_bytes(command, true)), command, true, 4096);
    peer.commit();
    EXPECT_TRUE(transport_->pending());
    Events events;
    transport_->poll(events);
    EXPECT_EQ(events.workers, (std::vector<int>{3, 3})) << "a peer's number is not this worker's own";
    ASSERT_EQ(events.bodies.size(), 2u);
    EXPECT_EQ(events.bodies[0], "small");
    EXPECT_EQ(events.bodies[1], big);
    EXPECT_EQ(reinterpret_cast<std::atomic<uint32_t>*>(extent)->load(), kOutExtentFree)
        << "a payload that was copied is given back at once";
    memset(extent, '!', 30'000);
    EXPECT_EQ(std::string(events.payloads[1]->data(), events.payloads[1]->size()), big);
    EXPECT_FALSE(transport_->pending());
}

TEST_F(Inline, APeerThatTalksNonsenseIsNotHeardAnyMore) {
    RingProducer peer = layout_.out_producer(2, kSlot);
    const Command command{.what = command::Publish{}};
    char* place = peer.reserve(command_record_bytes(command, false));
    write_command(place, command, false, 0);
    reinterpret_cast<RecordHeader*>(place)->kind = 50;
    write_command(peer.reserve(command_record_bytes(command, false)), command, false, 0);
    peer.commit();
    Events events;
    transport_->poll(events);
    transport_->poll(events);
    EXPECT_TRUE(events.bodies.empty());
    EXPECT_FALSE(transport_->pending()) << "a corrupt ring keeps the loop from sleeping";
}

TEST_F(Inline, PeersHaveNothingToTellOfMessagesAndSlots) {
    RingProducer peer = layout_.out_producer(2, kSlot);
    write_note(peer.reserve(sizeof(NoteRecord)), note::Finished{8});
    write_command(peer.reserve(command_record_bytes({}, false)), {}, false, 0);
    peer.commit();
    Events events;
    transport_->poll(events);
    EXPECT_TRUE(events.bodies.empty());
}

TEST_F(Inline, ItTellsWhenMessagesWaitForTheAllocatorAlone) {
    allocator_.has_memory = false;
    EXPECT_FALSE(transport_->is_short_of_memory()) << "no message waits for memory";
    EXPECT_FALSE(transport_->accepts(0, kClient, 1));
    EXPECT_TRUE(transport_->is_short_of_memory());
    allocator_.has_memory = true;
    EXPECT_FALSE(transport_->is_short_of_memory()) << "memory has come back, and no message has asked since";
    EXPECT_TRUE(transport_->accepts(0, kClient, 1));
    allocator_.has_memory = false;
    EXPECT_FALSE(transport_->accepts(0, kClient, kMostBytes + 1));
    EXPECT_FALSE(transport_->is_short_of_memory())
        << "a message too large for the arena does not wait for memory";
}

TEST_F(Inline, AClientWhoseHandlersWaitLeavesPlacesToOthers) {
    std::vector<InlineTransport::Entry*> held;
    while (held.size() < kPlaces && transport_->accepts(0, kClient, 0)) {
        deliver("", 1);
        held.push_back(transport_->take());
        transport_->hold(held.back());
        transport_->hold(held.back());  // parked once more, which takes no other place
    }
    EXPECT_GT(held.size(), kPlaces / 2);
    EXPECT_LT(held.size(), kPlaces);
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 0, false));
    client_ = kClient + 1;
    deliver("", 1);
    EXPECT_FALSE(transport_->accepts(0, kClient, 0));
    transport_->finished(transport_->take());
    for (int i = 0; i < 3; ++i) {
        transport_->finished(held.back());
        held.pop_back();
    }
    EXPECT_TRUE(transport_->accepts(0, kClient, 0)) << "its own places come free";
    for (InlineTransport::Entry* entry : held)
        transport_->finished(entry);
    for (size_t i = 0; i < 500; ++i)
        deliver("", 1);  // nothing is held any more
    while (InlineTransport::Entry* entry = transport_->take())
        transport_->finished(entry);
}

}  // namespace
}  // namespace sluice
