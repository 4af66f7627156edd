#include "server/rings/ring_port.h"

#include <algorithm>
#include <map>
#include <poll.h>
#include <random>

#include "ring_port_driver.h"

namespace sluice::test {
namespace {

TEST_F(RingPorts, AWorkerRingsForTheReactorThatWaitsForRoom) {
    const std::string payload(1000, 'x');
    size_t count = 0;
    while (deliver(count + 1, payload))
        ++count;
    ASSERT_GT(count, 3u);
    auto& sleeping = layout_.reactor(0).sleeping;
    const auto rings = [&] {
        pollfd bell{bells_[0].get(), POLLIN, 0};
        if (::poll(&bell, 1, 0) == 0) return false;
        Doorbell::drain(bell.fd);
        return true;
    };
    const auto sleep = [&] {
        transport_->await_room();
        Doorbell::about_to_sleep(sleeping);
        return !transport_->pending();
    };
    ASSERT_TRUE(sleep());
    std::vector<Inbound> taken;
    for (size_t i = 0; i < count / 2; ++i)
        taken.push_back(take());
    EXPECT_FALSE(rings());
    taken.push_back(take());
    EXPECT_TRUE(rings()) << "half of what lay ahead has begun";
    EXPECT_EQ(sleeping.load(), 0u);
    taken.push_back(take());
    EXPECT_FALSE(rings()) << "once is enough";
    // One that was busy when the reactor asked rings when it waits itself.
    Doorbell::about_to_sleep(sleeping);
    const SharedLayout::Ring in = layout_.ring(true, 0, 0);
    in.header->room_at = in.header->taken.load();
    port().wait(0);
    EXPECT_TRUE(rings());
    for (const Inbound& message : taken)
        port().finished(message);
    poll();
    EXPECT_TRUE(deliver(100, payload));
}

TEST_F(RingPorts, AWorkerWhoseRingWasWrittenOverEnds) {
    ASSERT_TRUE(deliver(1, "one"));
    const Inbound one = take();
    layout_.ring(true, 0, 0).header->produced += 8 * kRing;
    Inbound message;
    EXPECT_FALSE(port().take(message));
    EXPECT_TRUE(port().stopping()) << "it would never take anything, and never end";
    port().finished(one);
}

TEST_F(RingPorts, OneThatWaitsHoldsUpNobody) {
    ASSERT_TRUE(deliver(1, "waits"));
    const Inbound waiting = take();
    port().waits(waiting);
    const std::string payload(1000, 'x');
    for (ConnectionId id = 2; id < 2 + 10 * kRing / payload.size(); ++id) {
        ASSERT_TRUE(deliver(id, payload)) << id;
        const Inbound message = take();
        EXPECT_EQ(message.payload, payload);
        port().finished(message);
        poll();
        ASSERT_FALSE(events_.finished.empty());
        EXPECT_EQ(events_.finished.back(), id) << "the reactor knows at once that the message is finished";
    }
    EXPECT_FALSE(transport_->is_idle(0));
    port().finished(waiting);
    poll();
    EXPECT_EQ(events_.finished.back(), 1u);
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(RingPorts, ARingFullOfThoseThatWaitEmptiesItself) {
    const std::string payload(1000, 'x');
    std::vector<Inbound> waiting;
    for (ConnectionId id = 1; id <= 500; ++id) {
        ASSERT_TRUE(deliver(id, payload)) << id;
        waiting.push_back(take());
        port().waits(waiting.back());
        poll();
    }
    EXPECT_TRUE(events_.finished.empty());
    std::shuffle(waiting.begin(), waiting.end(), std::mt19937(1));
    for (const Inbound& message : waiting)
        port().finished(message);
    poll();
    std::sort(events_.finished.begin(), events_.finished.end());
    ASSERT_EQ(events_.finished.size(), 500u);
    for (ConnectionId id = 1; id <= 500; ++id)
        EXPECT_EQ(events_.finished[id - 1], id);
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(RingPorts, WhoTakesNothingSleepsBesideMessages) {
    const auto sleeps = [&](bool takes) {
        const uint64_t begun_ms = monotonic_ms();
        takes ? port().wait(20) : port().wait_without_messages(20);
        return monotonic_ms() >= begun_ms + 19;
    };
    const auto nothing_is_wanted = [](const Inbound&) { return false; };
    Inbound got;
    ASSERT_TRUE(deliver(1, "one"));
    EXPECT_FALSE(sleeps(true)) << "somebody might take it";
    EXPECT_TRUE(sleeps(false));
    EXPECT_FALSE(sleeps(true)) << "and it is still there";
    ASSERT_FALSE(port().take_notice(got, nothing_is_wanted));
    EXPECT_TRUE(sleeps(true)) << "it was passed over";
    Inbound notice;
    notice.what = inbound::Cancellation{1};
    ASSERT_TRUE(transport_->notify(0, notice));
    transport_->flush();
    EXPECT_FALSE(sleeps(true)) << "it may be wanted";
    ASSERT_FALSE(port().take_notice(got, nothing_is_wanted));
    EXPECT_TRUE(sleeps(true));
    EXPECT_EQ(take().connection, 1u);
    EXPECT_FALSE(sleeps(true)) << "what comes behind it may be taken, too";
}

TEST_F(RingPorts, ANoticeIsTakenOutOfTurnOnceItIsWanted) {
    Inbound notice;
    const auto is_even = [](const Inbound& one) { return one.as<inbound::Cancellation>()->request % 2 == 0; };
    const auto is_any = [](const Inbound&) { return true; };
    Inbound got;
    EXPECT_FALSE(port().take_notice(got, is_any)) << "nothing has come yet";
    // So many rounds go round the ring.
    for (uint32_t round = 0; round < 300; ++round) {
        events_.finished.clear();
        ASSERT_TRUE(deliver(1, std::string(200, 'x')));
        for (uint32_t request = 1; request <= 4; ++request) {
            notice.what = inbound::Cancellation{request};
            ASSERT_TRUE(transport_->notify(0, notice));
            ASSERT_TRUE(deliver(1 + request, "m"));
        }
        for (const uint32_t request : {2u, 4u}) {
            ASSERT_TRUE(port().take_notice(got, is_even));
            EXPECT_EQ(got.as<inbound::Cancellation>()->request, request);
            port().finished(got);
        }
        EXPECT_FALSE(port().take_notice(got, is_even));
        // A notice that was not wanted stays in the ring, and comes in its turn.
        const Inbound first = take();
        EXPECT_EQ(first.connection, 1u);
        ASSERT_TRUE(port().take_notice(got, is_any));
        EXPECT_EQ(got.as<inbound::Cancellation>()->request, 1u);
        port().finished(got);
        for (const ConnectionId id : {2u, 3u, 0u, 4u, 5u}) {
            const Inbound message = take();
            EXPECT_EQ(message.is<inbound::Cancellation>() ? 0 : message.connection, id);
            port().finished(message);
        }
        EXPECT_FALSE(port().take(got));
        port().finished(first);
        poll();
        ASSERT_TRUE(transport_->is_idle(0)) << round;
    }
}

TEST_F(RingPorts, OnlyThoseLeaveTheRingThatStandInSomebodysWay) {
    for (ConnectionId id = 1; id <= 3; ++id)
        ASSERT_TRUE(deliver(id, "m"));
    const Inbound first = take(), second = take(), third = take();
    port().waits(first);
    port().waits(second);
    port().waits(third);
    port().finished(first);
    port().finished(second);
    port().finished(third);
    EXPECT_FALSE(transport_->pending()) << "messages that end in order need no notes";
    poll();
    EXPECT_EQ(events_.finished, (std::vector<ConnectionId>{1, 2, 3}));
}

class FewPlaces : public RingPorts {
  protected:
    void SetUp() override {
        limits_.coroutines = 200;
        most_held_ = limits_.coroutines;
        RingPorts::SetUp();
    }
};

TEST_F(FewPlaces, TheReactorLearnsWhoseTheyAreBeforeNoneIsLeft) {
    size_t waiting = 0;
    // Nothing ends, so nothing has to leave the ring for want of space.
    for (; waiting < limits_.coroutines && deliver(1, "x"); ++waiting) {
        port().waits(take());
        poll();
    }
    EXPECT_LT(waiting, limits_.coroutines);
    EXPECT_FALSE(transport_->accepts(0, kClient, 1));
    EXPECT_TRUE(transport_->accepts(0, kClient + 1, 1)) << "another client finds a place";
}

TEST_F(RingPorts, WhatADeadWorkerHeldIsLost) {
    for (ConnectionId id = 1; id <= 4; ++id)
        ASSERT_TRUE(deliver(id, "m"));
    const Inbound first = take(), second = take(), third = take();
    port().waits(first);
    port().waits(third);
    port().finished(second);
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.finished, std::vector<ConnectionId>{2});
    EXPECT_EQ(events_.lost, (std::vector<ConnectionId>{1, 3}));
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).connection, 4u);
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(RingPorts, InAnyOrderNothingIsLostOrFinishedTwice) {
    std::mt19937 random(7);
    std::vector<Inbound> open;
    std::map<ConnectionId, int> finished;
    ConnectionId next = 1;
    for (int step = 0; step < 20'000; ++step) {
        switch (random() % 4) {
            case 0:
            case 1:
                if (open.size() < 900 && deliver(next, std::string(random() % 3000, 'x'))) {
                    ++next;
                    open.push_back(take());
                    if (random() % 8 == 0) {
                        port().park(open.back());
                    } else {
                        port().waits(open.back());
                    }
                }
                break;
            case 2:
                if (open.empty()) break;
                std::swap(open[random() % open.size()], open.back());
                port().begins(open.back());
                port().finished(open.back());
                open.pop_back();
                break;
            case 3: poll(); break;
        }
    }
    for (const Inbound& message : open)
        port().finished(message);
    for (int i = 0; i < 10; ++i) {
        port().flush();
        poll();
    }
    for (const ConnectionId id : events_.finished)
        ++finished[id];
    EXPECT_EQ(finished.size(), next - 1);
    for (const auto& [id, times] : finished)
        EXPECT_EQ(times, 1) << id;
    EXPECT_TRUE(transport_->is_idle(0));
    EXPECT_GT(next, 4000u);
}

}  // namespace
}  // namespace sluice::test
