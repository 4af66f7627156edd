#include "server/rings/ring_transport.h"

#include <deque>
#include <poll.h>

#include "ring_transport_driver.h"

namespace sluice::test {
namespace {

TEST_F(Transports, SmallTravelsInTheRing) {
    Worker& worker = start(0);
    ASSERT_TRUE(deliver(0, "hello", 7));
    EXPECT_EQ(transport_->used_bytes(), 0u);
    auto message = worker.take();
    ASSERT_TRUE(message);
    EXPECT_FALSE(message->decoded.extent);
    EXPECT_EQ(message->payload, "hello");
    EXPECT_EQ(message->decoded.message.connection, kConnection);
    EXPECT_EQ(message->decoded.message.as<inbound::Request>()->number, 7u);
    EXPECT_FALSE(worker.take());
}

class RoomInRings : public Transports {
  protected:
    void SetUp() override {
        layout_ = SharedLayout::create({.mode = 0,
                                        .reactors = 1,
                                        .worker_slots = kWorkers,
                                        .cells = 8,
                                        .ring_bytes = 1u << 20,
                                        .arena_bytes = 4 * kPage,
                                        .out_bytes = 4 * kPage});
        Transports::SetUp();
    }
    void take(Worker& worker, size_t count) {
        for (size_t i = 0; i < count; ++i)
            ASSERT_TRUE(worker.take());
    }
    /// Until as much as ever may lies before its messages.
    void prove_quick(Worker& worker) {
        for (size_t delivered = 0; delivered < QueueLimit::kMost; poll()) {
            for (delivered = 0; transport_->accepts_request(0, kClient, 10, false); ++delivered)
                ASSERT_TRUE(deliver(0, "x"));
            take(worker, delivered);
        }
    }
};

TEST_F(RoomInRings, ARequestWaitsBehindSoManyThatTheWorkerHasNotBegun) {
    Worker& worker = start(0);
    for (size_t i = 0; i < QueueLimit::kFirst; ++i) {
        ASSERT_TRUE(transport_->accepts_request(0, kClient, 10, false)) << i;
        ASSERT_TRUE(deliver(0, "x"));
    }
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 10, false));
    EXPECT_TRUE(transport_->accepts(0, kClient, 10)) << "messages of connections keep the ring full";
    take(worker, 1);
    EXPECT_TRUE(transport_->accepts_request(0, kClient, 10, false));
}

TEST_F(RoomInRings, LittleLiesBeforeAMessageOfASlowWorker) {
    Worker& worker = start(0);
    for (size_t i = 0; i < 3 * QueueLimit::kLeast; ++i)
        ASSERT_TRUE(deliver(0, "x"));
    poll();
    take(worker, 1);
    clock_ms += 2 * QueueLimit::kMs;
    EXPECT_TRUE(transport_->accepts_request(0, kClient, 10, false)) << "nobody has looked";
    poll();
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 10, false));
    EXPECT_FALSE(transport_->accepts_message(0, kClient, 10));
    EXPECT_TRUE(transport_->accepts(0, kClient, 10)) << "datagrams have nowhere else to wait";
    take(worker, 2 * QueueLimit::kLeast);
    EXPECT_TRUE(transport_->accepts_request(0, kClient, 10, false));
    EXPECT_TRUE(transport_->accepts_message(0, kClient, 10));
    take(worker, QueueLimit::kLeast - 1);
    poll();
    for (size_t i = 0; i < 2 * QueueLimit::kLeast; ++i) {
        ASSERT_TRUE(transport_->accepts_request(0, kClient, 10, false))
            << "one that had nothing to do gets more";
        ASSERT_TRUE(deliver(0, "x"));
    }
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 10, false));
}

TEST_F(RoomInRings, AWorkerThatIsHeldUpIsNotTheLeastBusy) {
    start(0);
    Worker& other = start(1);
    for (size_t i = 0; i < 2 * QueueLimit::kLeast; ++i) {
        ASSERT_TRUE(deliver(0, "x"));
        for (int more = 0; more < 3; ++more) {  // whose handlers wait
            ASSERT_TRUE(deliver(1, "x"));
            take(other, 1);
        }
    }
    poll();
    EXPECT_EQ(transport_->least_busy(), 0);
    clock_ms += 2 * QueueLimit::kMs;
    poll();
    EXPECT_EQ(transport_->least_busy(), 1) << "it has more, and begins them";
}

TEST_F(RoomInRings, NothingIsDeliveredBehindSoManyBytes) {
    Worker& worker = start(0);
    const std::string payload(4000, 'x');
    size_t delivered = 0;
    while (deliver(0, payload))
        ++delivered;
    EXPECT_GE(delivered * 4100, RingTransport::kMostBytesAhead);
    EXPECT_LE((delivered - 1) * 4000, RingTransport::kMostBytesAhead);
    take(worker, 1);
    EXPECT_TRUE(deliver(0, payload)) << "what has begun is not ahead of anybody";
}

TEST_F(RoomInRings, WhoWantsRoomSleepsUntilTheWorkerHasBegunHalf) {
    Worker& worker = start(0);
    RingConsumer in = layout_.in_consumer(0, 0);
    for (size_t i = 0; i < QueueLimit::kFirst; ++i)
        ASSERT_TRUE(deliver(0, "x"));
    transport_->await_room();
    EXPECT_FALSE(transport_->pending()) << "nobody wants room";
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 10, false));
    transport_->await_room();
    EXPECT_FALSE(transport_->pending());
    uint16_t kind = 0;
    const auto pass = [&](size_t count) {
        take(worker, count);
        for (size_t i = 0; i < count; ++i)
            in.take(kind);
    };
    pass(QueueLimit::kFirst / 2);
    EXPECT_FALSE(transport_->pending());
    EXPECT_FALSE(in.must_ring());
    pass(1);
    EXPECT_TRUE(transport_->pending()) << "who is about to sleep sees the room that was made meanwhile";
    EXPECT_TRUE(in.must_ring());
    poll();
    EXPECT_FALSE(transport_->pending()) << "who wants room asks again";
}

TEST_F(RoomInRings, RequestsAreTakenUntilEnoughLieBeforeThem) {
    EXPECT_FALSE(transport_->takes_requests(false)) << "there is no worker";
    Worker& worker = start(0);
    for (size_t i = 0; i < QueueLimit::kFirst; ++i) {
        EXPECT_TRUE(transport_->takes_requests(false));
        ASSERT_TRUE(deliver(0, "x"));
    }
    EXPECT_FALSE(transport_->takes_requests(false));
    take(worker, 1);
    EXPECT_TRUE(transport_->takes_requests(false));
    ASSERT_TRUE(deliver(0, "x"));
    EXPECT_FALSE(transport_->takes_requests(false));
    start(1);
    EXPECT_TRUE(transport_->takes_requests(false)) << "another one has room";
}

TEST_F(Transports, BigStandsInASlotUntilItIsReleased) {
    Worker& worker = start(0);
    const std::string payload(20'000, 'x');
    ASSERT_TRUE(deliver(0, payload));
    const size_t used = transport_->used_bytes();
    EXPECT_GE(used, payload.size() + kPayloadOffset + kPayloadTail);
    auto message = worker.take();
    ASSERT_TRUE(message && message->decoded.extent);
    EXPECT_EQ(message->payload, payload);
    worker.finish(*message);
    poll();
    EXPECT_EQ(transport_->used_bytes(), used) << "the handler has ended, but PHP keeps the string";
    EXPECT_EQ(events_.finished.size(), 1u);
    worker.release(message->decoded.extent_page);
    EXPECT_TRUE(transport_->pending());
    poll();
    EXPECT_EQ(transport_->used_bytes(), 0u);
    EXPECT_TRUE(events_.said.empty()) << "the reactor is not told of releases";
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(Transports, RoomOfTheArenaIsBounded) {
    std::vector<Room> rooms;
    while (Room room = transport_->allocate(10'000)) {
        EXPECT_GE(room.size, 10'000u);
        memset(room.data - kPayloadOffset, 'x', kPayloadOffset + room.size + kPayloadTail);
        rooms.push_back(room);
    }
    EXPECT_EQ(rooms.size(), 64u / 3);
    for (const Room& room : rooms)
        transport_->free(room);
    EXPECT_EQ(transport_->used_bytes(), 0u);
    EXPECT_FALSE(transport_->allocate(64 * kPage));
}

TEST_F(Transports, FinishedOnesLeaveTheTable) {
    Worker& worker = start(0);
    EXPECT_TRUE(transport_->is_idle(0));
    for (uint32_t i = 0; i < 3; ++i)
        ASSERT_TRUE(deliver(0, "m", i, kConnection + i));
    EXPECT_FALSE(transport_->is_idle(0));
    auto first = worker.take(), second = worker.take();
    worker.finish(*second);  // frees the first as well: the worker ends them in order
    poll();
    EXPECT_EQ(events_.finished, (std::vector<ConnectionId>{kConnection, kConnection + 1}));
    EXPECT_FALSE(transport_->is_idle(0));
    worker.finish(*worker.take());
    poll();
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(Transports, WhatAWorkerNeedNotKnowIsNeverFinishedOrLost) {
    Worker& worker = start(0);
    Inbound hint;
    hint.what = inbound::Cancellation{5, CancelReason::kClientGone};
    hint.connection = kConnection;
    EXPECT_TRUE(transport_->notify(1, hint)) << "there is no worker 1 to tell";
    ASSERT_TRUE(deliver(0, "before"));
    EXPECT_TRUE(transport_->notify(0, hint));
    transport_->worker_draining(0);
    EXPECT_TRUE(transport_->notify(0, hint)) << "a worker that drains is told, too";
    transport_->flush();
    worker.take();
    for (int i = 0; i < 2; ++i) {
        const auto told = worker.take();
        ASSERT_TRUE(told);
        ASSERT_TRUE(told->decoded.message.is<inbound::Cancellation>());
        EXPECT_EQ(told->decoded.message.connection, kConnection);
        EXPECT_EQ(told->decoded.message.as<inbound::Cancellation>()->request, 5u);
        if (i == 0) worker.finish(*told);
    }
    poll();
    EXPECT_EQ(std::erase(events_.finished, kConnection), 1) << "the message, and not the hint";
    transport_->worker_gone(0, events_);
    for (const auto& [id, request] : events_.lost)
        EXPECT_EQ(id, kNoConnection);
}

TEST_F(Transports, AFullRingHasNoRoomForAHint) {
    start(0);
    Inbound hint;
    hint.what = inbound::Cancellation{};
    size_t said = 0;
    while (transport_->notify(0, hint))
        ++said;
    EXPECT_EQ(said, 4096 / sizeof(InboundRecord));
}

TEST_F(Transports, AFullRingAcceptsNothingUntilTheWorkerCatchesUp) {
    Worker& worker = start(0);
    const std::string payload(500, 'x');
    size_t delivered = 0;
    while (deliver(0, payload))
        ++delivered;
    EXPECT_GE(delivered, 6u);
    for (size_t round = 0; round < 50; ++round) {
        auto message = worker.take();
        ASSERT_TRUE(message);
        EXPECT_EQ(message->payload, payload);
        worker.finish(*message);
        poll();
        while (deliver(0, payload))
            ++delivered;
    }
    EXPECT_GE(delivered, 50u);
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(Transports, WorkersAreWokenOnlyWhenTheySleep) {
    start(0);
    auto rings = [&] {
        pollfd wanted{bells_[0].get(), POLLIN, 0};
        return ::poll(&wanted, 1, 0) == 1;
    };
    ASSERT_TRUE(deliver(0, "one"));
    EXPECT_FALSE(rings());
    Doorbell::about_to_sleep(layout_.worker(0).sleeping);
    transport_->flush();
    EXPECT_FALSE(rings()) << "the bell rings only for new messages";
    ASSERT_TRUE(deliver(0, "two"));
    EXPECT_TRUE(rings());
}

TEST_F(Transports, CommandsComeWithTheirWorker) {
    Worker& a = start(0);
    Worker& b = start(1);
    Command command;
    command.connection = kConnection;
    command.payload = "from a";
    a.say(command);
    command.payload = "from b";
    b.say(command);
    poll();
    ASSERT_EQ(events_.said.size(), 2u);
    EXPECT_EQ(events_.said[0].worker, 0);
    EXPECT_EQ(events_.said[0].body, "from a");
    EXPECT_EQ(events_.said[1].worker, 1);
    EXPECT_EQ(events_.said[1].body, "from b");
    EXPECT_FALSE(transport_->pending());
}

TEST_F(Transports, WorkIsSpread) {
    EXPECT_EQ(transport_->least_busy(), kNoWorker);
    EXPECT_EQ(transport_->fewest_bound(), kNoWorker);
    EXPECT_FALSE(transport_->is_ready(kNoWorker));
    for (unsigned slot = 0; slot < kWorkers; ++slot)
        start(slot);
    std::map<int, int> times;
    for (int i = 0; i < 30; ++i) {
        const int worker = transport_->least_busy();
        EXPECT_EQ(transport_->least_busy(), worker) << "asking changes nothing";
        ++times[worker];
        ASSERT_TRUE(deliver(static_cast<unsigned>(worker), "m"));
    }
    for (int worker = 0; worker < 3; ++worker)
        EXPECT_EQ(times[worker], 10) << "equally busy workers take turns";
    ASSERT_TRUE(deliver(0, "m"));
    ASSERT_TRUE(deliver(2, "m"));
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(transport_->least_busy(), 1);
    for (int i = 0; i < 5; ++i)
        ASSERT_TRUE(deliver(1, "m"));
    EXPECT_NE(transport_->least_busy(), 1);
    transport_->bind(0);
    transport_->bind(1);
    EXPECT_EQ(transport_->fewest_bound(), 2);
    transport_->bind(2);
    transport_->unbind(1);
    EXPECT_EQ(transport_->fewest_bound(), 1);
}

TEST_F(Transports, ADrainingWorkerEndsWhatItHas) {
    Worker& worker = start(0);
    ASSERT_TRUE(deliver(0, "m"));
    transport_->worker_draining(0);
    EXPECT_FALSE(transport_->is_ready(0));
    EXPECT_FALSE(transport_->accepts(0, kClient, 1));
    EXPECT_EQ(transport_->least_busy(), kNoWorker);
    Command command;
    command.payload = "still heard";
    worker.say(command);
    worker.finish(*worker.take());
    EXPECT_TRUE(transport_->pending());
    poll();
    EXPECT_EQ(events_.said.size(), 1u);
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(Transports, AServiceIsHeardAndToldButGetsNoMessages) {
    transport_->worker_ready(0, {}, WorkerTakes::kNothing);
    Worker& service = workers_[0].emplace(layout_, 0);
    EXPECT_FALSE(transport_->is_ready(0));
    EXPECT_FALSE(transport_->accepts(0, kClient, 1));
    EXPECT_EQ(transport_->least_busy(), kNoWorker);
    EXPECT_EQ(transport_->fewest_bound(), kNoWorker);
    Command command;
    command.payload = "from a service";
    service.say(command);
    EXPECT_TRUE(transport_->pending());
    poll();
    ASSERT_EQ(events_.said.size(), 1u);
    Inbound answer;
    answer.what = inbound::Answer{7};
    EXPECT_TRUE(transport_->notify(0, answer));
    transport_->flush();
    const auto told = service.take();
    ASSERT_TRUE(told);
    EXPECT_TRUE(told->decoded.message.is<inbound::Answer>());
}

TEST_F(RoomInRings, AClientWhoseHandlersWaitLeavesPlacesToOthers) {
    Worker& worker = start(0);
    std::deque<uint64_t> held;
    const auto hold_next = [&] {
        const auto message = worker.take();
        ASSERT_TRUE(message);
        worker.say(Note(note::Hold{message->end}));
        worker.finish(*message);
        held.push_back(message->end);
        poll();
    };
    while (held.size() < kMostHeld && deliver(0, "x", 1))
        hold_next();
    EXPECT_GT(held.size(), kMostHeld / 2);
    EXPECT_LT(held.size(), kMostHeld);
    EXPECT_FALSE(transport_->accepts_request(0, kClient, 10, false));
    client_ = kClient + 1;
    ASSERT_TRUE(deliver(0, "x", 1)) << "another client finds a place";
    hold_next();
    client_ = kClient;
    EXPECT_FALSE(transport_->accepts(0, kClient, 10));
    for (int i = 0; i < 3; ++i) {
        worker.say(Note(note::Finished{held.front()}));
        held.pop_front();
    }
    poll();
    EXPECT_TRUE(transport_->accepts(0, kClient, 10)) << "its own places come free";
}

TEST_F(RoomInRings, AMessageThatMovesTakesItsClientsPlaceInTheNextWorker) {
    start(0);
    size_t delivered = 0;
    while (deliver(0, "x", 1))
        ++delivered;
    EXPECT_GT(delivered, kMostHeld / 2);
    Worker& second = start(1);
    events_.move_to = 1;
    transport_->worker_gone(0, events_);
    poll();
    transport_->flush();
    for (size_t i = 0; i < delivered; ++i) {
        const auto message = second.take();
        ASSERT_TRUE(message);
        second.say(Note(note::Hold{message->end}));
        second.finish(*message);
        poll();
    }
    EXPECT_FALSE(transport_->accepts(1, kClient, 10));
    EXPECT_TRUE(transport_->accepts(1, kClient + 1, 10));
}

TEST_F(RoomInRings, AWorkerThatIsWatchedRingsWhenItHasBegunHalf) {
    Worker& worker = start(0);
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(deliver(0, "x"));
    transport_->await_progress(0);
    transport_->await_room();
    take(worker, 2);
    EXPECT_FALSE(transport_->pending());
    take(worker, 1);
    EXPECT_TRUE(transport_->pending());
}

}  // namespace
}  // namespace sluice::test
