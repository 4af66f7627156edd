// Messages that wait for the end of another one, and are parked outside the ring meanwhile.
#include "ring_port_driver.h"

namespace sluice::test {
namespace {

TEST_F(RingPorts, WhatWasParkedMovesInOrderWithItsWorkersDeath) {
    const std::string big(9000, 'b');
    ASSERT_TRUE(deliver(1, "waits"));
    ASSERT_TRUE(deliver(1, "second"));
    ASSERT_TRUE(deliver(1, big));
    ASSERT_TRUE(deliver(1, "fourth"));
    ASSERT_TRUE(deliver(2, "of another"));
    ASSERT_TRUE(deliver(1, "not taken"));
    const Inbound first = take();
    Inbound second = take(), third = take(), fourth = take();
    port().waits(first);
    for (Inbound* message : {&second, &third, &fourth})
        port().park(*message);
    const Inbound other = take();
    port().finished(other);
    poll();
    EXPECT_EQ(events_.finished, std::vector<ConnectionId>{2});
    memset(const_cast<char*>(layout_.in_producer(0, 0).at(0)), '!', 150);  // the ring's next round
    EXPECT_EQ(second.payload, "second");
    EXPECT_EQ(third.payload, big);

    port().finished(first);
    port().begins(second);
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.finished, (std::vector<ConnectionId>{2, 1}));
    EXPECT_EQ(events_.lost, std::vector<ConnectionId>{1}) << "only the message that had begun is lost";
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).payload, big);
    EXPECT_EQ(take(1).payload, "fourth");
    EXPECT_EQ(take(1).payload, "not taken");
}

TEST_F(RingPorts, WhatWasParkedIsHandledThere) {
    for (int round = 0; round < 200; ++round) {
        ASSERT_TRUE(deliver(1, "waits"));
        for (int number = 0; number < 20; ++number)
            ASSERT_TRUE(deliver(1, std::string(number * 50, 'x')));
        const Inbound first = take();
        port().waits(first);
        // The pages do not suffice for so many messages: the rest stands in the worker's own memory.
        std::vector<Inbound> parked;
        for (int number = 0; number < 20; ++number) {
            parked.push_back(take());
            port().park(parked.back());
        }
        port().finished(first);
        for (int number = 0; number < 20; ++number) {
            EXPECT_EQ(parked[static_cast<size_t>(number)].payload, std::string(number * 50, 'x'));
            port().begins(parked[static_cast<size_t>(number)]);
            port().finished(parked[static_cast<size_t>(number)]);
        }
        poll();
        ASSERT_EQ(events_.finished.size(), 21u * static_cast<size_t>(round + 1));
        ASSERT_TRUE(transport_->is_idle(0));
    }
}

TEST_F(RingPorts, WhatIsParkedWithoutAWordLeavesNothingBehind) {
    for (int number = 0; number < 20; ++number) {
        fill_ring();
        ASSERT_TRUE(deliver(1, "no word"));
        Inbound message = take();
        port().park(message);
        for (int times = 0; port().has_kept() && times < 10; ++times) {
            poll();
            port().wait(0);
        }
        port().begins(message);
        port().finished(message);
        poll();
        ASSERT_TRUE(transport_->is_idle(0));
    }
    ASSERT_TRUE(deliver(1, "moves"));
    Inbound message = take();
    port().park(message);
    transport_->worker_gone(0, events_);
    EXPECT_TRUE(events_.lost.empty()) << "no room was left to park it";
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).payload, "moves");
}

TEST_F(RingPorts, WhatIsParkedWithoutAWordMovesOnceItHasLeftTheRing) {
    fill_ring();
    ASSERT_TRUE(deliver(1, "moves"));
    Inbound message = take();
    port().park(message);
    for (int times = 0; port().has_kept() && times < 10; ++times) {
        poll();
        port().wait(0);
    }
    ASSERT_TRUE(deliver(2, "another"));
    port().finished(take());
    transport_->worker_gone(0, events_);
    EXPECT_TRUE(events_.lost.empty());
    EXPECT_EQ(events_.finished, std::vector<ConnectionId>{2});
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).payload, "moves");
}

TEST_F(RingPorts, WhatIsParkedTakesNoRoomFromAnswers) {
    layout_.connection(1).id = 1;
    std::vector<Inbound> parked;
    for (int number = 0; number < 100; ++number) {
        ASSERT_TRUE(deliver(1, "waits"));
        parked.push_back(take());
        port().park(parked.back());
    }
    const std::string longest(16 * PageArena::kPageSize - kOutExtentHeader, 'x');
    Reach reach;
    EXPECT_EQ(port().submit({command::Send{}, 1, longest}, reach), Submitted::kSent);
    for (const Inbound& message : parked) {
        port().begins(message);
        port().finished(message);
    }
    poll();
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(RingPorts, WhatBeginsIsNotGivenToTheNextThoughTheRingIsFull) {
    ASSERT_TRUE(deliver(1, "waits"));
    ASSERT_TRUE(deliver(1, "second"));
    ASSERT_TRUE(deliver(1, "third"));
    const Inbound first = take();
    Inbound second = take(), third = take();
    port().waits(first);
    port().park(second);
    port().park(third);
    port().flush();
    poll();
    fill_ring();
    port().finished(first);
    port().begins(second);
    transport_->worker_gone(0, events_);
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).payload, "third");
    Inbound message;
    EXPECT_FALSE(ports_[1]->take(message)) << "the second message had begun, and does not move";
}

TEST_F(RingPorts, WhatWasToBeginAndWaitsOnceMoreMoves) {
    ASSERT_TRUE(deliver(1, "waits"));
    ASSERT_TRUE(deliver(1, "second"));
    const Inbound first = take();
    Inbound second = take();
    port().waits(first);
    port().park(second);
    port().begins(second);
    port().park(second);
    EXPECT_EQ(second.payload, "second");
    port().flush();
    poll();
    transport_->worker_gone(0, events_);
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).payload, "second");
}

TEST_F(RingPorts, WhatHasFinishedStaysWhereItWasUntilTheReactorKnows) {
    ASSERT_TRUE(deliver(1, "waits"));
    ASSERT_TRUE(deliver(1, "second"));
    const Inbound first = take();
    Inbound second = take();
    port().waits(first);
    port().park(second);
    port().flush();
    poll();
    fill_ring();
    port().begins(second);
    port().finished(second);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(deliver(1, "other!"));
        Inbound another = take();
        port().park(another);
    }
    transport_->worker_gone(0, events_);
    events_.move_to = 1;
    poll();
    transport_->flush();
    Inbound message;
    EXPECT_FALSE(ports_[1]->take(message))
        << "a message that had begun is handled twice: " << message.payload;
}

}  // namespace
}  // namespace sluice::test
