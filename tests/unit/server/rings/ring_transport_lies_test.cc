// A worker that writes what an honest one does not, and what becomes of it.
#include "ring_transport_driver.h"

namespace sluice::test {
namespace {

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
    const uint64_t end_of_first = round_record(sizeof(InboundRecord) + 1);
    for (const uint64_t end : {uint64_t{0}, uint64_t{8}, end_of_first, UINT64_MAX}) {
        const Note notes[] = {note::Hold{end}, note::Park{end}, note::Finished{end}};
        for (const Note& note : notes) {
            layout_ = SharedLayout::create(layout_.shape());
            SetUp();
            events_ = {};
            Worker& worker = start(0);
            ASSERT_TRUE(deliver(0, "m"));
            worker.say(note);
            poll();
            const bool holds =
                std::holds_alternative<note::Hold>(note) || std::holds_alternative<note::Park>(note);
            EXPECT_EQ(events_.corrupt.size(), holds && end == end_of_first ? 0u : 1u) << end;
            EXPECT_TRUE(events_.finished.empty());
        }
    }
}

TEST_F(Transports, WhatIsParkedIsBelievedNoMoreThanTheRing) {
    const uint64_t out = layout_.shape().parked_bytes();
    for (const uint64_t place :
         {uint64_t{1}, uint64_t{8}, out, out + kPage, UINT64_MAX & ~(kPage - 1), UINT64_MAX, uint64_t{0}}) {
        layout_ = SharedLayout::create(layout_.shape());
        SetUp();
        events_ = {};
        Worker& worker = start(0);
        ASSERT_TRUE(deliver(0, "honest", 1));
        worker.say(Note(note::Park{40, place}));  // no extent begins at 0
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
    EXPECT_FALSE(transport_->accepts(0, kClient, 1));
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

}  // namespace
}  // namespace sluice::test
