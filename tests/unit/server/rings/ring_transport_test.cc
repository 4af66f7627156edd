#include "server/rings/ring_transport.h"

#include <cstring>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <poll.h>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include "core/clock.h"
#include "io/doorbell.h"

namespace sluice {
namespace {

constexpr size_t kPage = PageArena::kPageSize;
constexpr ConnectionId kConnection = make_connection_id(0, 1000);

/// Writes down what the transport tells.
struct Events final : TransportEvents {
    struct Said {
        int worker;
        ConnectionId connection;
        std::string body;
        Ref<Payload> payload;
    };
    void on_command(int worker, const Command& command, Ref<Payload> payload) override {
        said.push_back({worker, command.connection, std::string(command.payload), std::move(payload)});
    }
    void on_finished(ConnectionId id) override { finished.push_back(id); }
    void on_lost(int worker, InboundKind, ConnectionId id, uint32_t request) override {
        EXPECT_GE(worker, 0);
        lost.emplace_back(id, request);
    }
    int worker_for_moved(InboundKind, ConnectionId id, uint32_t) override {
        if (const auto to = moves.find(id); to != moves.end()) return to->second;
        return gone == id ? kNoConnectionLeft : move_to;
    }
    void on_corrupt(int worker) override { corrupt.push_back(worker); }

    std::vector<Said> said;
    std::vector<ConnectionId> finished;
    std::vector<std::pair<ConnectionId, uint32_t>> lost;
    std::vector<int> corrupt;
    int move_to = kNoWorker;
    std::map<ConnectionId, int> moves;  ///< of others
    ConnectionId gone = kNoConnection;
};

/// A worker's end, driven by hand as RingPort does it.
class Worker {
  public:
    struct Message {
        DecodedInbound decoded;
        uint64_t end;
        std::string payload;
    };
    Worker(const SharedLayout& layout, unsigned slot)
        : layout_(layout),
          slot_(slot),
          in_(layout.in_consumer(0, slot)),
          out_(layout.out_producer(slot, 0)) {}

    std::optional<Message> take() {
        uint16_t kind = 0;
        std::span<char> record = in_.take(kind);
        EXPECT_FALSE(in_.corrupt());
        if (record.empty()) return std::nullopt;
        auto decoded = read_inbound(record, kind);
        EXPECT_TRUE(decoded);
        in_.publish_taken();
        Message message{*decoded, in_.position(), std::string(decoded->message.payload)};
        if (decoded->extent) {
            message.payload.assign(layout_.arena(0).data() + decoded->extent_page * kPage + kPayloadOffset,
                                   decoded->payload_bytes);
        }
        return message;
    }
    void finish(const Message& message) { in_.free_until(message.end); }
    void say(const Command& command, bool extent = false, uint64_t offset = 0) {
        char* place = out_.reserve(command_record_bytes(command, extent));
        ASSERT_NE(place, nullptr);
        write_command(place, command, extent, offset);
        out_.commit();
    }
    /// Writes a record of a kind that does not exist.
    void say_unknown() {
        char* place = out_.reserve(sizeof(CommandRecord));
        ASSERT_NE(place, nullptr);
        write_command(place, {}, false, 0);
        reinterpret_cast<RecordHeader*>(place)->kind = 50;
        out_.commit();
    }
    void say(const Note& note) {
        char* place = out_.reserve(sizeof(NoteRecord));
        ASSERT_NE(place, nullptr);
        write_note(place, note);
        out_.commit();
    }
    void release(uint64_t page) { say(Note(note::Release{page})); }

  private:
    const SharedLayout& layout_;
    unsigned slot_;
    RingConsumer in_;
    RingProducer out_;
};

class Transports : public testing::Test {
  protected:
    static constexpr unsigned kWorkers = 3;
    static constexpr size_t kMostHeld = 100;
    void SetUp() override {
        ASSERT_TRUE(layout_);
        for (UniqueFd& bell : bells_)
            bell.reset(Doorbell::create_fd());
        transport_.emplace(layout_, 0, std::vector<int>{bells_[0].get(), bells_[1].get(), bells_[2].get()},
                           kMostHeld);
    }
    Worker& start(unsigned slot) {
        transport_->worker_ready(static_cast<int>(slot));
        workers_[slot].emplace(layout_, slot);
        return *workers_[slot];
    }
    bool deliver(int worker, std::string_view payload, uint32_t request = 0, ConnectionId id = kConnection) {
        Inbound message;
        message.connection = id;
        http::RequestHead head;
        if (request) message.what = inbound::Request{request, {&head}};
        Room room;
        if (payload.size() >= kExtentThreshold) {
            room = transport_->allocate(payload.size());
            if (!room) return false;
            memcpy(room.data, payload.data(), payload.size());
            message.payload = {room.data, payload.size()};
        } else {
            message.payload = payload;
        }
        const size_t bytes = inbound_record_bytes(message, static_cast<bool>(room));
        if (!transport_->accepts(worker, bytes - sizeof(InboundRecord))) {
            if (room) transport_->free(room);
            return false;
        }
        transport_->deliver(worker, message, room);
        transport_->flush();
        return true;
    }
    void poll() { transport_->poll(events_); }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 1,
                                                 .worker_slots = kWorkers,
                                                 .cells = 8,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 64 * kPage,
                                                 .out_bytes = 16 * kPage});
    UniqueFd bells_[kWorkers];
    std::optional<RingTransport> transport_;
    std::optional<Worker> workers_[kWorkers];
    Events events_;
};

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
};

TEST_F(RoomInRings, ARequestWaitsBehindSoManyThatTheWorkerHasNotBegun) {
    Worker& worker = start(0);
    for (size_t i = 0; i < RingTransport::kMostRequestsAhead; ++i) {
        ASSERT_TRUE(transport_->accepts_request(0, 10)) << i;
        ASSERT_TRUE(deliver(0, "x"));
    }
    EXPECT_FALSE(transport_->accepts_request(0, 10));
    EXPECT_TRUE(transport_->accepts(0, 10)) << "messages of connections keep the ring full";
    take(worker, 1);
    EXPECT_TRUE(transport_->accepts_request(0, 10));
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
    for (size_t i = 0; i < RingTransport::kMostRequestsAhead; ++i)
        ASSERT_TRUE(deliver(0, "x"));
    transport_->await_room();
    EXPECT_FALSE(transport_->pending()) << "nobody wants room";
    EXPECT_FALSE(transport_->accepts_request(0, 10));
    transport_->await_room();
    EXPECT_FALSE(transport_->pending());
    uint16_t kind = 0;
    const auto pass = [&](size_t count) {
        take(worker, count);
        for (size_t i = 0; i < count; ++i)
            in.take(kind);
    };
    pass(RingTransport::kMostRequestsAhead / 2);
    EXPECT_FALSE(transport_->pending());
    EXPECT_FALSE(in.owes_ring());
    pass(1);
    EXPECT_TRUE(transport_->pending()) << "who is about to sleep sees the room that was made meanwhile";
    EXPECT_TRUE(in.owes_ring());
    poll();
    EXPECT_FALSE(transport_->pending()) << "who wants room asks again";
}

TEST_F(RoomInRings, AWorkerWithFewMessagesHasLeisure) {
    EXPECT_FALSE(transport_->has_leisure()) << "there is no worker";
    Worker& worker = start(0);
    for (size_t i = 0; i < kFewMessages; ++i) {
        EXPECT_TRUE(transport_->has_leisure());
        ASSERT_TRUE(deliver(0, "x"));
    }
    EXPECT_FALSE(transport_->has_leisure());
    take(worker, 1);
    EXPECT_TRUE(transport_->has_leisure()) << "handlers that have begun may wait for anything";
    ASSERT_TRUE(deliver(0, "x"));
    EXPECT_FALSE(transport_->has_leisure());
    start(1);
    EXPECT_TRUE(transport_->has_leisure());
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
    EXPECT_FALSE(transport_->accepts(0, 1));
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
    transport_->worker_ready(0, {}, false);
    Worker& service = workers_[0].emplace(layout_, 0);
    EXPECT_FALSE(transport_->is_ready(0));
    EXPECT_FALSE(transport_->accepts(0, 1));
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

// -- Workers that lie

TEST_F(Transports, ReleasingWhatWasNeverLentIsCorrupt) {
    const std::string payload(9000, 'x');
    struct {
        const char* name;
        uint64_t page;
    } lies[] = {{"free", 60},
                {"inside an extent", 1},
                {"outside", 64},
                {"far outside", UINT64_MAX},
                {"wraps", UINT64_MAX / kPage + 1}};
    for (const auto& lie : lies) {
        SetUp();
        events_ = {};
        Worker& worker = start(0);
        ASSERT_TRUE(deliver(0, payload));  // pages 0 to 2
        worker.release(lie.page);
        poll();
        EXPECT_EQ(events_.corrupt, std::vector<int>{0}) << lie.name;
        EXPECT_FALSE(transport_->is_ready(0)) << lie.name;
        EXPECT_GT(transport_->used_bytes(), 0u) << lie.name;
    }
}

TEST_F(Transports, ReleasingTwiceIsCorrupt) {
    Worker& worker = start(0);
    ASSERT_TRUE(deliver(0, std::string(9000, 'x')));
    const auto message = worker.take();
    worker.release(message->decoded.extent_page);
    poll();
    EXPECT_TRUE(events_.corrupt.empty());
    worker.release(message->decoded.extent_page);
    poll();
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
}

/// Otherwise another worker would handle again what this one has handled.
TEST_F(Transports, AWorkerWhosePositionGoesBackIsCorrupt) {
    for (const bool is_seen_alive : {true, false}) {
        for (std::atomic<uint64_t> RingHeader::*const position :
             {&RingHeader::taken, &RingHeader::consumed}) {
            events_ = {};
            Worker& worker = start(0);
            RingHeader& header = *layout_.ring(true, 0, 0).header;
            ASSERT_TRUE(deliver(0, "one", 1) && deliver(0, "two", 2) && deliver(0, "three", 3));
            const auto one = worker.take(), two = worker.take();
            worker.finish(*one);
            poll();
            EXPECT_TRUE(events_.corrupt.empty());
            header.*position = 0;
            if (is_seen_alive) {
                poll();
                EXPECT_EQ(events_.corrupt, std::vector<int>{0});
            }
            transport_->worker_gone(0, events_);
            if (is_seen_alive || position == &RingHeader::taken) {
                EXPECT_EQ(events_.corrupt, std::vector<int>{0});
                EXPECT_EQ(events_.lost.size(), 2u) << "nothing of it is given to another worker";
            }
        }
    }
}

TEST_F(Transports, ReleasingASlotOfAnotherWorkerIsCorrupt) {
    start(0);
    Worker& thief = start(1);
    ASSERT_TRUE(deliver(0, std::string(9000, 'x')));
    const size_t used = transport_->used_bytes();
    thief.release(0);
    poll();
    EXPECT_EQ(events_.corrupt, std::vector<int>{1});
    EXPECT_EQ(transport_->used_bytes(), used);
    EXPECT_TRUE(transport_->is_ready(0));
}

TEST_F(Transports, ReleasingRoomThatIsStillBeingFilledIsCorrupt) {
    Worker& worker = start(0);
    const Room room = transport_->allocate(9000);
    worker.release(0);
    poll();
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
    transport_->free(room);
}

TEST_F(Transports, HoldingWhatWasNeverGivenIsCorrupt) {
    for (const uint64_t end : {uint64_t{0}, uint64_t{8}, uint64_t{40}, UINT64_MAX}) {
        const Note notes[] = {note::Hold{end}, note::SetAside{end}, note::Finished{end}};
        for (const Note& note : notes) {
            layout_ = SharedLayout::create(layout_.shape());
            SetUp();
            events_ = {};
            Worker& worker = start(0);
            ASSERT_TRUE(deliver(0, "m"));
            worker.say(note);
            poll();
            // The first record ends at byte 40.
            const bool holds =
                std::holds_alternative<note::Hold>(note) || std::holds_alternative<note::SetAside>(note);
            EXPECT_EQ(events_.corrupt.size(), holds && end == 40 ? 0u : 1u) << end;
            EXPECT_TRUE(events_.finished.empty());
        }
    }
}

TEST_F(Transports, WhatStandsAsideIsBelievedNoMoreThanTheRing) {
    const uint64_t out = layout_.shape().aside_bytes();
    for (const uint64_t place :
         {uint64_t{1}, uint64_t{8}, out, out + kPage, UINT64_MAX & ~(kPage - 1), UINT64_MAX, uint64_t{0}}) {
        layout_ = SharedLayout::create(layout_.shape());
        SetUp();
        events_ = {};
        Worker& worker = start(0);
        ASSERT_TRUE(deliver(0, "honest", 1));
        worker.say(Note(note::SetAside{40, place}));  // no extent begins at 0
        worker.take();
        events_.move_to = 1;
        transport_->worker_gone(0, events_);
        EXPECT_EQ(events_.lost.size(), 1u) << place;
    }
}

TEST_F(Transports, AnInvalidCommandIsCorruptAndCutsOff) {
    Worker& worker = start(0);
    Command command;
    command.payload = "good";
    worker.say(command);
    worker.say_unknown();
    worker.say(command);
    poll();
    EXPECT_EQ(events_.said.size(), 1u);
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
    EXPECT_FALSE(transport_->accepts(0, 1));
    EXPECT_FALSE(transport_->pending()) << "a corrupt ring makes the reactor spin";
    poll();
    EXPECT_EQ(events_.said.size(), 1u) << "a worker that has lied is not listened to any more";
    EXPECT_EQ(events_.corrupt.size(), 1u);
}

TEST_F(Transports, PositionsThatCannotBeAreCorrupt) {
    start(0);
    RingConsumer consumer = layout_.in_consumer(0, 0);
    ASSERT_TRUE(deliver(0, std::string(1500, 'a')));
    ASSERT_TRUE(deliver(0, std::string(1500, 'a')));
    consumer.free_until(1 << 20);        // more than was ever produced
    deliver(0, std::string(1500, 'a'));  // the ring looks full, so positions are read
    poll();
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
    EXPECT_FALSE(transport_->is_ready(0));
}

TEST_F(Transports, FinishingWhatWasNotBegunIsCorrupt) {
    Worker& worker = start(0);
    ASSERT_TRUE(deliver(0, "one", 1) && deliver(0, "two", 2));
    const auto one = worker.take();
    RingHeader& header = *layout_.ring(true, 0, 0).header;
    header.consumed = header.produced.load();
    poll();
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
    EXPECT_TRUE(events_.finished.empty()) << "its connection's next message would go to another worker";
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.lost.size(), 2u);
}

TEST_F(Transports, ARecordThatNamesAnotherSizeIsCorrupt) {
    start(0);
    Command command;
    const size_t bytes = command_record_bytes(command, false);
    RingProducer honest = layout_.out_producer(0, 0);
    char* place = honest.reserve(bytes);
    write_command(place, command, false, 0);
    const RecordHeader too_long{8192, 1, 0};
    memcpy(place, &too_long, sizeof too_long);
    honest.commit();
    poll();
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
    EXPECT_TRUE(events_.said.empty());
}

// -- Workers that die

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
    EXPECT_FALSE(transport_->accepts(1, 1)) << "a new message would overtake those that move";

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
    EXPECT_TRUE(transport_->accepts(1, 1));

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
    while (transport_->accepts(1, 1000))
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
    EXPECT_TRUE(transport_->accepts(2, 1));
    EXPECT_FALSE(busy.take());
    EXPECT_FALSE(transport_->accepts(1, 1)) << "a new message would overtake those that move";
    EXPECT_EQ(transport_->relieve(monotonic_ms()), 1) << "no doorbell rings when the worker has room";

    for (const auto& message : before)
        busy.finish(message);
    poll();
    transport_->flush();
    EXPECT_EQ(busy.take()->payload, long_text);
    EXPECT_EQ(busy.take()->payload, "behind the first");
    EXPECT_TRUE(transport_->accepts(1, 1));
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
        ASSERT_TRUE(transport_->accepts(0, sizeof head));
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

// -- Many messages and many deaths

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

// -- Bodies in files

class FilesOfBodies : public Transports {
  protected:
    void SetUp() override {
        Transports::SetUp();
        files_ = std::make_shared<TemporaryFiles>(layout_, layout_.reactor(0).file_bytes, testing::TempDir(),
                                                  16u << 20, 100);
    }
    Worker& start_with_channel(unsigned slot) {
        FdChannel ours;
        EXPECT_TRUE(FdChannel::create_pair(ours, channels_[slot]));
        transport_->worker_ready(static_cast<int>(slot), std::move(ours));
        workers_[slot].emplace(layout_, slot);
        return *workers_[slot];
    }
    bool deliver_body(int worker, std::string_view text, uint32_t request = 1) {
        http::Error error;
        Ref<RequestFile> file = files_->create(text.size(), error);
        EXPECT_TRUE(file && file->append(text, error));
        http::RequestHead head;
        Inbound message;
        message.what = inbound::Request{request, {&head, {}, {}}};
        message.connection = kConnection;
        EXPECT_TRUE(transport_->accepts(worker, sizeof head + sizeof(BodyPlace)));
        const bool delivered = transport_->deliver_file(worker, message, std::move(file));
        transport_->flush();
        return delivered;
    }
    std::string read(unsigned slot, const Worker::Message& message) {
        std::optional<FdChannel::Received> received = channels_[slot].receive();
        EXPECT_TRUE(received);
        if (!received) return {};
        EXPECT_EQ(received->number, message.decoded.message.file()->number);
        std::string text(message.decoded.message.file()->bytes, '\0');
        EXPECT_EQ(pread(received->fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
        return text;
    }
    void release_file(Worker& worker, uint64_t number) {
        worker.say(Note(note::ReleaseFile{number}));
        poll();
    }

    std::shared_ptr<TemporaryFiles> files_;
    FdChannel channels_[kWorkers];
};

TEST_F(FilesOfBodies, GoToTheWorkerAndComeBack) {
    Worker& worker = start_with_channel(0);
    ASSERT_TRUE(deliver_body(0, "hello"));
    ASSERT_TRUE(deliver_body(0, "body"));
    for (const char* text : {"hello", "body"}) {
        auto message = worker.take();
        ASSERT_TRUE(message);
        EXPECT_EQ(read(0, *message), text);
        worker.finish(*message);
        poll();
        EXPECT_GT(files_->used_bytes(), 0u) << "PHP may keep the file";
        release_file(worker, message->decoded.message.file()->number);
    }
    EXPECT_EQ(files_->used_bytes(), 0u);
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(FilesOfBodies, AWorkerThatGivesBackWhatItHasNotIsCorrupt) {
    Worker& worker = start_with_channel(0);
    ASSERT_TRUE(deliver_body(0, "hello"));
    release_file(worker, 0);
    EXPECT_TRUE(events_.corrupt.empty());
    release_file(worker, 0);
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
}

TEST_F(FilesOfBodies, WithoutAWayForItNothingIsDelivered) {
    Worker& worker = start(0);
    EXPECT_FALSE(deliver_body(0, "hello"));
    EXPECT_FALSE(worker.take());
    EXPECT_EQ(files_->used_bytes(), 0u);
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(FilesOfBodies, WhatADeadWorkerHadNotBegunGoesToAnother) {
    Worker& first = start_with_channel(0);
    Worker& second = start_with_channel(1);
    ASSERT_TRUE(deliver_body(1, "number 0 there"));
    ASSERT_TRUE(deliver_body(0, "begun", 1));
    ASSERT_TRUE(deliver_body(0, "not begun", 2));
    ASSERT_TRUE(first.take());
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.lost, (std::vector<std::pair<ConnectionId, uint32_t>>{{kConnection, 1}}));
    events_.move_to = 1;
    poll();
    transport_->flush();
    auto own = second.take();
    ASSERT_TRUE(own);
    EXPECT_EQ(read(1, *own), "number 0 there");
    auto moved = second.take();
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->decoded.message.as<inbound::Request>()->number, 2u);
    EXPECT_EQ(read(1, *moved), "not begun");
    transport_->worker_gone(1, events_);
    EXPECT_EQ(files_->used_bytes(), 0u) << "a dead worker keeps nothing";
}

TEST_F(FilesOfBodies, WhatNobodyIsToHaveAnyMoreIsFreed) {
    start_with_channel(0);
    ASSERT_TRUE(deliver_body(0, "hello"));
    transport_->worker_gone(0, events_);
    events_.gone = kConnection;
    poll();
    EXPECT_EQ(files_->used_bytes(), 0u);
}

}  // namespace
}  // namespace sluice
