#include "server/rings/ring_port.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <poll.h>
#include <random>
#include <string>
#include <unistd.h>

#include "io/doorbell.h"
#include "server/rings/ring_transport.h"

namespace sluice {
namespace {

constexpr size_t kRing = 64 * 1024;
constexpr unsigned kWorkers = 2;
constexpr size_t kMostHeld = 1000;

struct PortEvents final : TransportEvents {
    void on_command(int, const Command& command, Ref<Payload>) override {
        said.emplace_back(command.payload);
    }
    void on_finished(ConnectionId id) override { finished.push_back(id); }
    void on_lost(int, InboundKind, ConnectionId id, uint32_t) override { lost.push_back(id); }
    int worker_for_moved(InboundKind, ConnectionId, uint32_t) override { return move_to; }
    void on_corrupt(int worker) override { FAIL() << "worker " << worker << " is no liar"; }

    std::vector<std::string> said;
    std::vector<ConnectionId> finished, lost;
    int move_to = kNoWorker;
};

/// Both ends of the rings, in one process.
class RingPorts : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(layout_);
        for (UniqueFd& bell : bells_)
            bell.reset(Doorbell::create_fd());
        transport_.emplace(layout_, 0, std::vector<int>{bells_[1].get(), bells_[2].get()}, kMostHeld);
        for (unsigned slot = 0; slot < kWorkers; ++slot) {
            ControlChannel of_worker;
            ASSERT_TRUE(ControlChannel::create_pair(masters_[slot], of_worker));
            ports_[slot].emplace(SharedLayout::attach(UniqueFd(dup(layout_.fd())), layout_.shape()), slot,
                                 Limits{}, bells_[slot + 1].get(), std::vector<int>{bells_[0].get()},
                                 std::move(of_worker), std::vector<FdChannel>{});
            transport_->worker_ready(static_cast<int>(slot));
        }
    }
    bool deliver(ConnectionId id, std::string_view payload) {
        Inbound message;
        message.connection = id;
        Room room;
        if (payload.size() >= kExtentThreshold) {
            room = transport_->allocate(payload.size());
            memcpy(room.data, payload.data(), payload.size());
            message.payload = {room.data, payload.size()};
        } else {
            message.payload = payload;
        }
        if (!transport_->accepts(0, payload.size())) return false;
        transport_->deliver(0, message, room);
        transport_->flush();
        return true;
    }
    Inbound take(unsigned slot = 0) {
        Inbound message;
        EXPECT_TRUE(ports_[slot]->take(message));
        return message;
    }
    /// Fills the ring, so that commands and notes have to wait.
    void fill_ring() {
        Command command;
        command.what = command::Publish{.topic = "all"};
        const std::string payload(1000, 'x');
        command.payload = payload;
        for (Reach reach; port().submit(command, reach) != Submitted::kNoRoom; reach = {}) {
        }
        EXPECT_NE(port().submit_surely(command), Submitted::kDropped);
        EXPECT_TRUE(port().has_kept());
    }
    void poll() { transport_->poll(events_); }
    RingPort& port() { return *ports_[0]; }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 1,
                                                 .worker_slots = kWorkers,
                                                 .cells = 8,
                                                 .ring_bytes = kRing,
                                                 .arena_bytes = 64 * PageArena::kPageSize,
                                                 .out_bytes = 16 * PageArena::kPageSize});
    UniqueFd bells_[1 + kWorkers];
    ControlChannel masters_[kWorkers];
    std::optional<RingTransport> transport_;
    std::optional<RingPort> ports_[kWorkers];
    PortEvents events_;
};

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

TEST_F(RingPorts, WhatWasSetAsideMovesInOrderWithItsWorkersDeath) {
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
        port().set_aside(*message);
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

TEST_F(RingPorts, WhatWasSetAsideIsHandledThere) {
    for (int round = 0; round < 200; ++round) {
        ASSERT_TRUE(deliver(1, "waits"));
        for (int number = 0; number < 20; ++number)
            ASSERT_TRUE(deliver(1, std::string(number * 50, 'x')));
        const Inbound first = take();
        port().waits(first);
        // The pages do not suffice for so many messages: the rest stands in the worker's own memory.
        std::vector<Inbound> aside;
        for (int number = 0; number < 20; ++number) {
            aside.push_back(take());
            port().set_aside(aside.back());
        }
        port().finished(first);
        for (int number = 0; number < 20; ++number) {
            EXPECT_EQ(aside[static_cast<size_t>(number)].payload, std::string(number * 50, 'x'));
            port().begins(aside[static_cast<size_t>(number)]);
            port().finished(aside[static_cast<size_t>(number)]);
        }
        poll();
        ASSERT_EQ(events_.finished.size(), 21u * static_cast<size_t>(round + 1));
        ASSERT_TRUE(transport_->is_idle(0));
    }
}

TEST_F(RingPorts, WhatIsSetAsideWithoutAWordLeavesNothingBehind) {
    for (int number = 0; number < 20; ++number) {
        fill_ring();
        ASSERT_TRUE(deliver(1, "no word"));
        Inbound message = take();
        port().set_aside(message);
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
    port().set_aside(message);
    transport_->worker_gone(0, events_);
    EXPECT_TRUE(events_.lost.empty()) << "no room was left to set it aside";
    events_.move_to = 1;
    poll();
    transport_->flush();
    EXPECT_EQ(take(1).payload, "moves");
}

TEST_F(RingPorts, WhatIsSetAsideWithoutAWordMovesOnceItHasLeftTheRing) {
    fill_ring();
    ASSERT_TRUE(deliver(1, "moves"));
    Inbound message = take();
    port().set_aside(message);
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

TEST_F(RingPorts, WhatIsSetAsideTakesNoRoomFromAnswers) {
    layout_.connection(1).id = 1;
    std::vector<Inbound> aside;
    for (int number = 0; number < 100; ++number) {
        ASSERT_TRUE(deliver(1, "waits"));
        aside.push_back(take());
        port().set_aside(aside.back());
    }
    const std::string longest(16 * PageArena::kPageSize - kOutExtentHeader, 'x');
    Reach reach;
    EXPECT_EQ(port().submit({command::Send{}, 1, longest}, reach), Submitted::kSent);
    for (const Inbound& message : aside) {
        port().begins(message);
        port().finished(message);
    }
    poll();
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(RingPorts, AFullWayIsSaidAtOnceAndWhatMustNotBeLostIsKept) {
    layout_.connection(1).id.store(1);
    const std::string body(1000, 'x');
    Command send{.connection = 1, .payload = body};
    size_t count = 0;
    for (const size_t bytes : {body.size(), size_t{0}}) {  // at last nothing fits any more, however short
        send.payload = std::string_view(body).substr(0, bytes);
        for (;; ++count) {
            Reach reach;
            const Submitted submitted = port().submit(send, reach);
            if (submitted == Submitted::kNoRoom) break;
            ASSERT_NE(submitted, Submitted::kDropped);
            EXPECT_EQ(reach.count, 1u);
        }
    }
    const Command close{.what = command::Close{1000}, .connection = 1, .payload = "the last"};
    EXPECT_EQ(port().submit_surely(close), Submitted::kQueued);
    EXPECT_TRUE(port().has_kept());
    port().wait(0);
    poll();
    EXPECT_EQ(events_.said.size(), count);
    port().wait(0);
    EXPECT_FALSE(port().has_kept());
    poll();
    ASSERT_EQ(events_.said.size(), count + 1);
    EXPECT_EQ(events_.said.back(), "the last");
    Reach reach;
    EXPECT_EQ(port().submit(send, reach), Submitted::kQueued) << "the ring has room again";
    layout_.connection(1).id.store(0);
    EXPECT_EQ(port().submit(send, reach), Submitted::kClosed);
    EXPECT_EQ(port().submit_surely(close), Submitted::kClosed);
}

TEST_F(RingPorts, AQuestionToAllIsTriedAgainUntilAllHaveIt) {
    layout_.connection(1).id.store(1);
    const std::string body(1000, 'x');
    const Command send{.connection = 1, .payload = body};
    Reach reach;
    while (port().submit(send, reach) != Submitted::kNoRoom) {
    }
    const Command question{.what = command::CountSubscribers{1, "a topic"}};
    Reach asked;
    // A question is smaller than the message, so the ring may still have room for some.
    while (port().submit(question, asked) != Submitted::kNoRoom)
        asked = {};
    EXPECT_EQ(asked.count, 0u);
    port().flush();
    poll();
    EXPECT_EQ(port().submit(question, asked), Submitted::kSent);
    EXPECT_EQ(asked.count, 1u);
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
                        port().set_aside(open.back());
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

TEST_F(RingPorts, WhatBeginsIsNotGivenToTheNextThoughTheRingIsFull) {
    ASSERT_TRUE(deliver(1, "waits"));
    ASSERT_TRUE(deliver(1, "second"));
    ASSERT_TRUE(deliver(1, "third"));
    const Inbound first = take();
    Inbound second = take(), third = take();
    port().waits(first);
    port().set_aside(second);
    port().set_aside(third);
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
    port().set_aside(second);
    port().begins(second);
    port().set_aside(second);
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
    port().set_aside(second);
    port().flush();
    poll();
    fill_ring();
    port().begins(second);
    port().finished(second);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(deliver(1, "other!"));
        Inbound another = take();
        port().set_aside(another);
    }
    transport_->worker_gone(0, events_);
    events_.move_to = 1;
    poll();
    transport_->flush();
    Inbound message;
    EXPECT_FALSE(ports_[1]->take(message))
        << "a message that had begun is handled twice: " << message.payload;
}

TEST_F(RingPorts, WhatWasCountedForAConnectionComesThoughTheWorkerDies) {
    const ConnectionId id = make_connection_id(0, 1);
    layout_.connection(id).id.store(id);
    Command command;
    command.connection = id;
    command.what = command::Send{};
    command.payload = "not sent yet";
    for (int i = 0; i < 3; ++i) {
        Reach reach;
        ASSERT_NE(port().submit(command, reach), Submitted::kNoRoom);
    }
    poll();
    EXPECT_EQ(events_.said.size(), 0u);
    EXPECT_EQ(layout_.connection(id).submitted_bytes.load(), 3 * command.payload.size());
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.said.size(), 3u) << "or the connection would seem to have them queued for ever";
}

TEST_F(RingPorts, WhatIsKeptForWantOfRoomIsCountedWhenItGoes) {
    const ConnectionId id = make_connection_id(0, 1);
    layout_.connection(id).id.store(id);
    Command command;
    command.connection = id;
    command.what = command::Send{};
    const std::string payload(1000, 'x');
    command.payload = payload;
    size_t sent = 0;
    for (Reach reach; port().submit(command, reach) != Submitted::kNoRoom; reach = {})
        ++sent;
    EXPECT_NE(port().submit_surely(command), Submitted::kDropped);
    EXPECT_TRUE(port().has_kept());
    EXPECT_EQ(layout_.connection(id).submitted_bytes.load(), sent * payload.size());
    port().flush();
    poll();
    port().wait(0);
    poll();
    EXPECT_FALSE(port().has_kept());
    EXPECT_EQ(events_.said.size(), sent + 1);
    EXPECT_EQ(layout_.connection(id).submitted_bytes.load(), (sent + 1) * payload.size());
}

TEST_F(RingPorts, WhatAClientMayHaveWaitingIsForeseen) {
    ConnectionCell& cell = layout_.connection(1);
    cell.id.store(1);
    ReactorCell& reactor = layout_.reactor(0);
    const uint64_t most = Limits{}.queued_total_bytes;
    reactor.fair_bytes.store(1000);
    Command command;
    command.what = command::Send{};
    command.connection = 1;
    const std::string payload(10, 'x');
    command.payload = payload;
    const auto send = [&](uint32_t queued, uint64_t all) {
        cell.queued_bytes.store(queued);
        cell.submitted_bytes.store(0);
        reactor.out_bytes.store(all);
        Reach reach;
        return port().submit(command, reach);
    };
    EXPECT_EQ(send(1001, most / 2), Submitted::kQueued);
    EXPECT_EQ(send(1001, most / 2 + 1), Submitted::kDropped) << "others need the other half";
    EXPECT_EQ(send(1000, most / 2 + 1), Submitted::kQueued) << "within its address's part";
    EXPECT_EQ(send(1000, most), Submitted::kQueued);
    EXPECT_EQ(send(1000, most + 1), Submitted::kDropped) << "the reserve is for who has taken everything";
    EXPECT_EQ(send(0, most + 1), Submitted::kSent);
    cell.over_part.store(true);
    EXPECT_EQ(send(1, most / 2 + 1), Submitted::kDropped);
    EXPECT_EQ(send(1, most / 2), Submitted::kQueued);
}

}  // namespace
}  // namespace sluice
