// What becomes of the messages of a worker that dies.
#include <deque>
#include <functional>
#include <random>

#include "core/clock.h"
#include "ring_transport_driver.h"

namespace sluice::test {
namespace {

TEST_F(Transports, WhatADeadWorkerWasExecutingIsLostTheRestMoves) {
    Worker& dying = start(0);
    Worker& heir = start(1);
    const std::string big(9000, 'b'), biggest(30'000, 'c');
    ASSERT_TRUE(deliver(0, "finished", 1));
    ASSERT_TRUE(deliver(0, "executing", 2));
    ASSERT_TRUE(deliver(0, big, 3));
    ASSERT_TRUE(deliver(0, "queued", 4));
    ASSERT_TRUE(deliver(0, biggest, 5));
    ASSERT_TRUE(deliver(0, "of a gone connection", 6, kConnection + 1));
    ASSERT_TRUE(deliver(0, big, 7, kConnection + 1));
    dying.finish(*dying.take());
    dying.take();
    dying.take();  // `big`, which the worker executes when it dies
    const size_t used = transport_->used_bytes();

    events_.gone = kConnection + 1;
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.finished, std::vector<ConnectionId>{kConnection});
    EXPECT_EQ(events_.lost,
              (std::vector<std::pair<ConnectionId, uint32_t>>{{kConnection, 2}, {kConnection, 3}}));
    EXPECT_LT(transport_->used_bytes(), used) << "the extent of the executing message is given back";
    EXPECT_FALSE(transport_->accepts(1, kClient, 1)) << "a new message would overtake those that move";

    poll();
    EXPECT_FALSE(heir.take()) << "no worker may take the moving messages yet";
    events_.move_to = 1;
    poll();
    transport_->flush();
    const auto first = heir.take();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->payload, "queued");
    EXPECT_EQ(first->decoded.message.as<inbound::Request>()->number, 4u);
    const auto second = heir.take();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->payload, biggest);
    EXPECT_EQ(second->decoded.message.as<inbound::Request>()->number, 5u);
    EXPECT_FALSE(heir.take());
    EXPECT_TRUE(transport_->accepts(1, kClient, 1));

    heir.release(second->decoded.extent_page);
    heir.finish(*second);
    poll();
    EXPECT_EQ(transport_->used_bytes(), 0u);
    EXPECT_TRUE(transport_->is_idle(1));
    EXPECT_EQ(events_.finished.size(), 3u);
    EXPECT_TRUE(events_.corrupt.empty());
}

/// No doorbell rings: the reactor that hears of a death, or of a new worker, looks once more before it
/// sleeps.
TEST_F(Transports, WhoHearsOfADeathMovesMessagesBeforeItSleeps) {
    start(0);
    ASSERT_TRUE(deliver(0, "not begun", 1));
    EXPECT_FALSE(transport_->pending());
    transport_->worker_gone(0, events_);
    EXPECT_TRUE(transport_->pending());
    poll();
    EXPECT_FALSE(transport_->pending()) << "nobody takes it: the reactor may sleep";
    EXPECT_NE(transport_->relieve(monotonic_ms()), 1);

    Worker& heir = start(1);
    EXPECT_TRUE(transport_->pending()) << "the new worker may";
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(heir.take()->payload, "not begun");
    EXPECT_FALSE(transport_->pending());

    ASSERT_TRUE(deliver(1, "for a worker that drains", 2));
    Worker& last = start(2);
    transport_->worker_gone(1, events_);
    events_.move_to = kNoWorker;
    poll();
    EXPECT_FALSE(transport_->pending());
    transport_->worker_draining(2);
    EXPECT_TRUE(transport_->pending()) << "what waited for it is for another one now";
    poll();
    EXPECT_FALSE(last.take());
}

TEST_F(Transports, WhoseWorkerDiesWithoutMessagesHasNothingToDo) {
    start(0);
    start(1);
    transport_->worker_draining(1);
    transport_->worker_gone(0, events_);
    EXPECT_FALSE(transport_->pending());
}

/// Otherwise two messages would have one extent, and their next worker would release it twice.
TEST_F(Transports, AnExtentThatWasReleasedUnseenBelongsToOneMessage) {
    Worker& lying = start(0);
    Worker& heir = start(1);
    const std::string first(9000, 'a'), second(9000, 'b');
    ASSERT_TRUE(deliver(0, first, 1));
    lying.release(0);  // it has not even taken the message
    poll();
    EXPECT_EQ(transport_->used_bytes(), 0u);
    ASSERT_TRUE(deliver(0, second, 2, kConnection + 1));
    events_.move_to = 1;
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
    EXPECT_EQ(events_.lost,
              (std::vector<std::pair<ConnectionId, uint32_t>>{{kConnection, 1}, {kConnection + 1, 2}}));
    poll();
    EXPECT_FALSE(heir.take());
    EXPECT_EQ(transport_->used_bytes(), 0u);
}

TEST_F(Transports, AnExtentMayBeLentAgainBeforeItsFirstMessageIsFinished) {
    Worker& dying = start(0);
    Worker& heir = start(1);
    const std::string first(9000, 'a'), second(9000, 'b');
    ASSERT_TRUE(deliver(0, first, 1));
    ASSERT_TRUE(dying.take());
    dying.release(0);
    poll();
    ASSERT_TRUE(deliver(0, second, 2, kConnection + 1));
    events_.move_to = 1;
    transport_->worker_gone(0, events_);
    EXPECT_TRUE(events_.corrupt.empty());
    EXPECT_EQ(events_.lost, (std::vector<std::pair<ConnectionId, uint32_t>>{{kConnection, 1}}));
    poll();
    transport_->flush();
    const auto moved = heir.take();
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->payload, second);
}

TEST_F(Transports, OneThatFindsNoRoomHoldsUpNoOther) {
    start(0);
    Worker& busy = start(1);
    Worker& free = start(2);
    const std::string long_text(2000, 'x');
    ASSERT_TRUE(deliver(0, long_text, 1));
    ASSERT_TRUE(deliver(0, "of another", 2, kConnection + 1));
    ASSERT_TRUE(deliver(0, "behind the first", 3));
    ASSERT_TRUE(deliver(0, "of another, too", 4, kConnection + 1));
    std::deque<Worker::Message> before;
    while (transport_->accepts(1, kClient, 1000))
        ASSERT_TRUE(deliver(1, std::string(1000, 'b')));
    transport_->flush();
    while (auto message = busy.take())
        before.push_back(*message);

    transport_->worker_gone(0, events_);
    events_.moves = {{kConnection, 1}, {kConnection + 1, 2}};
    poll();
    transport_->flush();
    EXPECT_EQ(free.take()->payload, "of another");
    EXPECT_EQ(free.take()->payload, "of another, too");
    EXPECT_TRUE(transport_->accepts(2, kClient, 1));
    EXPECT_FALSE(busy.take());
    EXPECT_FALSE(transport_->accepts(1, kClient, 1)) << "a new message would overtake those that move";
    EXPECT_EQ(transport_->relieve(monotonic_ms()), 1) << "no doorbell rings when the worker has room";

    for (const auto& message : before)
        busy.finish(message);
    poll();
    transport_->flush();
    EXPECT_EQ(busy.take()->payload, long_text);
    EXPECT_EQ(busy.take()->payload, "behind the first");
    EXPECT_TRUE(transport_->accepts(1, kClient, 1));
    EXPECT_NE(transport_->relieve(monotonic_ms()), 1) << "nothing waits any more";
}

TEST_F(Transports, WhatMovesTwiceKeepsItsOrder) {
    start(0);
    start(1);
    Worker& last = start(2);
    for (const char name : {'a', 'b', 'c', 'd'})
        ASSERT_TRUE(deliver(0, std::string(900, name)));
    while (deliver(1, std::string(300, '-'), 0, kConnection + 1)) {
    }
    // Worker 1 takes six messages, so that its ring has room for some of those that move.
    std::optional<Worker::Message> sixth;
    for (int i = 0; i < 6; ++i)
        sixth = workers_[1]->take();
    workers_[1]->finish(*sixth);
    events_.move_to = 1;
    transport_->worker_gone(0, events_);
    poll();
    transport_->flush();
    events_.move_to = 2;
    transport_->worker_gone(1, events_);
    std::string moved;
    for (int turn = 0; turn < 10; ++turn) {
        poll();
        transport_->flush();
        while (const auto message = last.take()) {
            if (message->payload[0] != '-') moved += message->payload[0];
            last.finish(*message);
        }
    }
    EXPECT_EQ(moved, "abcd");
}

TEST_F(Transports, WhatMovesSaysTheSame) {
    start(0);
    Worker& heir = start(1);
    const http::RequestHead head;
    const auto put = [&](Inbound::What what, bool secure, bool trusted) {
        ASSERT_TRUE(transport_->accepts(0, kClient, sizeof head));
        transport_->deliver(
            0, {.what = what, .connection = kConnection, .endpoint = 3, .secure = secure, .trusted = trusted},
            {});
    };
    put(inbound::Request{5, {&head}}, false, true);
    put(inbound::Opening{{&head}}, true, false);
    put(inbound::Message{true}, true, true);
    put(inbound::Pong{77'000}, false, false);
    put(inbound::Closing{4001}, false, true);
    transport_->flush();
    events_.move_to = 1;
    transport_->worker_gone(0, events_);
    poll();
    transport_->flush();
    const auto take = [&](bool secure, bool trusted) {
        const auto moved = heir.take();
        EXPECT_TRUE(moved);
        const Inbound message = moved ? moved->decoded.message : Inbound{};
        EXPECT_EQ(message.connection, kConnection);
        EXPECT_EQ(message.endpoint, 3);
        EXPECT_EQ(message.secure, secure);
        EXPECT_EQ(message.trusted, trusted) << "a proxy is believed by whoever handles it";
        return message.what;
    };
    EXPECT_EQ(std::get<inbound::Request>(take(false, true)).number, 5u);
    EXPECT_NE(std::get<inbound::Opening>(take(true, false)).head.parsed, nullptr);
    EXPECT_TRUE(std::get<inbound::Message>(take(true, true)).binary);
    EXPECT_EQ(std::get<inbound::Pong>(take(false, false)).round_trip_us, 77'000u);
    EXPECT_EQ(std::get<inbound::Closing>(take(false, true)).code, 4001);
    EXPECT_TRUE(events_.lost.empty());
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(Transports, SlotsKeptByADeadWorkerComeBack) {
    Worker& worker = start(0);
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(deliver(0, std::string(9000, 'x')));
        worker.finish(*worker.take());
        poll();
    }
    EXPECT_GT(transport_->used_bytes(), 0u);
    transport_->worker_gone(0, events_);
    EXPECT_EQ(transport_->used_bytes(), 0u);
    EXPECT_TRUE(events_.lost.empty());
}

TEST_F(Transports, LastWordsCount) {
    Worker& worker = start(0);
    ASSERT_TRUE(deliver(0, "m"));
    Command command;
    command.payload = "last words";
    worker.say(command);
    worker.finish(*worker.take());
    transport_->worker_gone(0, events_);
    ASSERT_EQ(events_.said.size(), 1u);
    EXPECT_EQ(events_.finished.size(), 1u);
    EXPECT_TRUE(events_.lost.empty());
}

TEST_F(Transports, LastWordsCountHoweverMany) {
    SharedLayout::Shape shape = layout_.shape();
    shape.ring_bytes = 1 << 20;
    layout_ = SharedLayout::create(shape);
    SetUp();
    Worker& worker = start(0);
    for (int i = 0; i < 20'000; ++i)
        worker.say(Command{});
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.said.size(), 20'000u);
}

TEST_F(Transports, PayloadsOfADeadWorkerAreCopied) {
    Worker& worker = start(0);
    const std::string body(20'000, 'x');
    char* extent = layout_.out_arena(0).data() + kPage;
    memcpy(extent + kOutExtentHeader, body.data(), body.size());
    Command command;
    command.payload = body;
    worker.say(command, true, kPage);
    poll();
    ASSERT_EQ(events_.said.size(), 1u);
    ASSERT_TRUE(events_.said[0].payload);
    transport_->worker_gone(0, events_);
    memset(layout_.out_arena(0).data(), '!', layout_.out_arena(0).size());
    EXPECT_EQ(std::string(events_.said[0].payload->data(), events_.said[0].payload->size()), body);
}

TEST_F(Transports, ASuccessorBeginsWithEmptyRings) {
    Worker& dead = start(0);
    ASSERT_TRUE(deliver(0, "executing"));
    dead.take();
    transport_->worker_gone(0, events_);
    Worker& successor = start(0);
    EXPECT_FALSE(successor.take());
    ASSERT_TRUE(deliver(0, "new"));
    EXPECT_EQ(successor.take()->payload, "new");
    Command command;
    command.payload = "hello";
    successor.say(command);
    poll();
    ASSERT_EQ(events_.said.size(), 1u);
    EXPECT_EQ(events_.said[0].body, "hello");
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(Transports, AWorkerThatDiesBeforeItIsReady) {
    Worker early(layout_, 2);
    Command command;
    early.say(command);
    transport_->worker_gone(2, events_);
    EXPECT_TRUE(events_.said.empty());
    start(2);
    poll();
    EXPECT_TRUE(events_.said.empty());
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(Transports, ACorruptWorkerThatDiesGivesEverythingBack) {
    Worker& worker = start(0);
    Worker& heir = start(1);
    const std::string big(9000, 'x');
    ASSERT_TRUE(deliver(0, big, 1));
    ASSERT_TRUE(deliver(0, big, 2));
    worker.take();
    worker.release(50);
    poll();
    ASSERT_EQ(events_.corrupt.size(), 1u);
    events_.move_to = 1;
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.lost.size(), 2u) << "what it had not begun stood in memory that it could write";
    poll();
    transport_->flush();
    EXPECT_FALSE(heir.take());
    EXPECT_EQ(transport_->used_bytes(), 0u);
    EXPECT_EQ(events_.corrupt.size(), 1u) << "it was said twice";
}

/// One lie in what a dead worker leaves behind, and none of it reaches another worker.
TEST_F(Transports, WhatADeadWorkerScribbledIntoItsRingDoesNotReachAnother) {
    const std::string big(9000, 'x');
    const auto record = [this](int number) {
        char* place = const_cast<char*>(layout_.in_producer(0, 0).at(0));
        for (int i = 1; i < number; ++i)
            place += round_record(reinterpret_cast<RecordHeader*>(place)->size);
        return reinterpret_cast<InboundRecord*>(place);
    };
    RingHeader& ring = *layout_.ring(true, 0, 0).header;
    struct Lie {
        const char* name;
        std::function<void()> tell;
        bool is_harmless = false;  ///< the reactor goes by its own notes
    };
    const std::vector<Lie> lies = {
        {"none", [] {}, true},
        {"another connection", [&] { record(4)->connection = kConnection + 9; }, true},
        {"a page outside of the arena", [&] { record(1)->extent_page = 1 << 20; }, true},
        {"an extent where there is none", [&] { record(2)->record.flags |= kFlagExtent; }, true},
        {"a longer payload", [&] { record(3)->payload_bytes = 5000; }, true},
        {"a shorter record", [&] { record(5)->record.size = sizeof(InboundRecord); }},
        {"a record of no size", [&] { record(5)->record.size = 0; }},
        {"no head", [&] { record(3)->record.flags &= ~kFlagHead; }},
        {"more fields than there are",
         [&] { reinterpret_cast<http::RequestHead*>(record(3) + 1)->field_count = 9999; }},
        {"more taken than there was", [&] { ring.taken = 1 << 20; }},
        {"more finished than taken", [&] { ring.consumed = 8; }},
    };
    for (const auto& [name, tell, is_harmless] : lies) {
        layout_.reset_rings(0, 0);
        events_ = {};
        start(0);
        Worker& heir = start(1);
        ASSERT_TRUE(deliver(0, big, 1));
        ASSERT_TRUE(deliver(0, "inline", 2));
        ASSERT_TRUE(deliver(0, "inline", 3));
        ASSERT_TRUE(deliver(0, big, 4));
        ASSERT_TRUE(deliver(0, "untouched", 5));
        tell();
        events_.move_to = 1;
        transport_->worker_gone(0, events_);
        poll();
        transport_->flush();
        EXPECT_EQ(events_.corrupt.size(), is_harmless ? 0u : 1u) << name;
        size_t moved = 0;
        while (auto message = heir.take()) {
            EXPECT_EQ(message->decoded.message.connection, kConnection) << name;
            EXPECT_EQ(message->payload, moved % 3 == 0 ? big : moved == 4 ? "untouched" : "inline") << name;
            if (message->decoded.extent) heir.release(message->decoded.extent_page);
            heir.finish(*message);
            ++moved;
        }
        EXPECT_EQ(moved, is_harmless ? 5u : 0u) << name;
        EXPECT_EQ(events_.lost.size(), is_harmless ? 0u : 5u) << name;
        poll();
        EXPECT_EQ(transport_->used_bytes(), 0u) << name;
        transport_->worker_gone(1, events_);
    }
}

TEST_F(Transports, RandomWorkAndDeathsLoseNoMemory) {
    std::mt19937 random(3);
    std::deque<Worker::Message> open[kWorkers];
    std::vector<uint32_t> kept[kWorkers];
    bool alive[kWorkers] = {};
    for (int step = 0; step < 20'000; ++step) {
        const unsigned slot = random() % kWorkers;
        const int index = static_cast<int>(slot);
        if (!alive[slot]) {
            if (random() % 8 == 0) {
                start(slot);
                alive[slot] = true;
            }
            continue;
        }
        switch (random() % 8) {
            case 0:
            case 1:
            case 2: {
                const std::string payload(random() % 3 ? random() % 300 : 8192 + random() % 20'000, 'x');
                deliver(index, payload, 0, kConnection + random() % 4);
                break;
            }
            case 3:
            case 4:
                if (auto message = workers_[slot]->take()) open[slot].push_back(*message);
                break;
            case 5:
                if (!open[slot].empty()) {
                    workers_[slot]->finish(open[slot].front());
                    if (open[slot].front().decoded.extent)
                        kept[slot].push_back(open[slot].front().decoded.extent_page);
                    open[slot].pop_front();
                }
                break;
            case 6:
                if (!kept[slot].empty()) {
                    workers_[slot]->release(kept[slot].back());
                    kept[slot].pop_back();
                }
                break;
            case 7:
                if (random() % 50 == 0) {
                    transport_->worker_gone(index, events_);
                    open[slot].clear();
                    kept[slot].clear();
                    alive[slot] = false;
                }
                break;
        }
        events_.move_to = transport_->least_busy();
        poll();
        transport_->flush();
        ASSERT_TRUE(events_.corrupt.empty()) << step;
    }
    events_.gone = kNoConnection;
    for (unsigned slot = 0; slot < kWorkers; ++slot) {
        if (alive[slot]) transport_->worker_gone(static_cast<int>(slot), events_);
    }
    events_.move_to = kNoConnectionLeft;
    poll();
    EXPECT_EQ(transport_->used_bytes(), 0u);
    EXPECT_GT(events_.finished.size(), 500u);
    EXPECT_GT(events_.lost.size(), 5u);
}

}  // namespace
}  // namespace sluice::test
