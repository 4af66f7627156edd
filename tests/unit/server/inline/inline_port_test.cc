#include "server/inline/inline_port.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/wire.h"
#include "io/doorbell.h"
#include "server/seam/control.h"

namespace sluice {
namespace {

constexpr unsigned kSlot = 1;
constexpr unsigned kPeer = 0;
constexpr unsigned kSlots = 3;

struct Allocator final : MessageAllocator {
    char* allocate(size_t bytes) override {
        auto block = std::make_unique<char[]>(kPayloadOffset + bytes + kPayloadTail);
        char* payload = block.get() + kPayloadOffset;
        blocks[payload] = std::move(block);
        return payload;
    }
    bool has_room(size_t) override { return true; }
    void free(char* payload) override { ASSERT_EQ(blocks.erase(payload), 1u); }
    std::map<char*, std::unique_ptr<char[]>> blocks;
};

/// A reactor's loop as the port sees it, which does in a turn what the test wants.
struct Loop final : ConnectionLoop {
    void on_command(int worker, const Command& command, Ref<Payload> payload) override {
        EXPECT_EQ(worker, 0);
        if (payload) {
            EXPECT_EQ(payload->data(), command.payload.data());
        }
        said.emplace_back(command.payload);
        kept.push_back(std::move(payload));
    }
    void on_finished(ConnectionId id) override { finished.push_back(id); }
    void on_lost(int, InboundKind, ConnectionId, uint32_t) override {}
    int worker_for_moved(InboundKind, ConnectionId, uint32_t) override { return kNoWorker; }
    void on_corrupt(int) override { FAIL(); }
    void turn(int timeout_ms) override { timeouts.push_back(timeout_ms); }
    void watch(int fd) override { watched = fd; }
    bool watched_ready() const override { return true; }
    bool watch_once(int, uint32_t) override { return true; }
    void take_ready(std::vector<ReadyFd>&) override {}
    void add_listener(uint16_t endpoint, UniqueFd fd) override {
        EXPECT_TRUE(fd);
        listeners.push_back(endpoint);
    }
    void begin_shutdown() override { shutting_down = true; }
    void abandon() override {}
    bool is_empty() const override { return empty; }

    std::vector<std::string> said;
    std::vector<Ref<Payload>> kept;
    std::vector<ConnectionId> finished;
    std::vector<int> timeouts;
    std::vector<uint16_t> listeners;
    int watched = -1;
    bool shutting_down = false;
    bool empty = false;
};

/// The commands that arrive at another worker.
struct Heard final : TransportEvents {
    void on_command(int worker, const Command& command, Ref<Payload>) override {
        EXPECT_EQ(worker, static_cast<int>(kSlot) + 1) << "0 is the worker's own reactor";
        said.emplace_back(command.payload);
    }
    void on_finished(ConnectionId) override {}
    void on_lost(int, InboundKind, ConnectionId, uint32_t) override {}
    int worker_for_moved(InboundKind, ConnectionId, uint32_t) override { return kNoWorker; }
    void on_corrupt(int) override { FAIL(); }
    std::vector<std::string> said;
};

class InlinePorts : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(layout_);
        InlinePort::Wiring wiring;
        wiring.layout = SharedLayout::attach(UniqueFd(dup(layout_.fd())), layout_.shape());
        wiring.slot = kSlot;
        for (UniqueFd& bell : bells_) {
            bell.reset(Doorbell::create_fd());
            wiring.doorbells.push_back(bell.get());
        }
        ASSERT_TRUE(ControlChannel::create_pair(master_, wiring.control));
        wiring.allocator = &allocator_;
        wiring.make_loop = [this](const SharedLayout&, Transport& transport) {
            transport_ = &transport;
            auto loop = std::make_unique<Loop>();
            loop_ = loop.get();
            return loop;
        };
        wiring.reopen_logs = [this] { ++reopened_; };
        wiring.listeners.emplace_back(uint16_t{7}, UniqueFd(dup(bells_[0].get())));
        port_.emplace(std::move(wiring));
    }

    void peer_lives() { layout_.worker(kPeer).alive.store(1); }
    std::vector<std::string> heard_by_peer() {
        Heard heard;
        peer_.poll(heard);
        return heard.said;
    }
    /// Sends a message for many, which needs no open connection.
    Submitted send_to(unsigned reactor, std::string_view payload, bool surely = false) {
        const ConnectionId ids[] = {make_connection_id(reactor, 1)};
        Command command;
        command.what = command::SendMany{.connections = ids};
        command.payload = payload;
        Reach reach;
        return surely ? port_->submit_surely(command) : port_->submit(command, reach);
    }
    void tell(Control order, uint32_t patience_ms = 0) {
        WireWriter said;
        said.put(order);
        said.put(patience_ms);
        ASSERT_TRUE(master_.send(said.bytes()));
        port_->wait(0);
    }

    SharedLayout layout_ = SharedLayout::create({.mode = 1,
                                                 .reactors = kSlots,
                                                 .worker_slots = kSlots,
                                                 .cells = 8,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 0,
                                                 .out_bytes = 65536});
    Allocator allocator_, peers_allocator_;
    InlineTransport peer_{layout_, kPeer, peers_allocator_, 1'000'000, 100};
    Outbox peer_outbox_{layout_, kPeer};
    UniqueFd bells_[kSlots];
    ControlChannel master_;
    Transport* transport_ = nullptr;
    Loop* loop_ = nullptr;
    int reopened_ = 0;
    std::optional<InlinePort> port_;
};

TEST_F(InlinePorts, OneThatIsReadyListensAndSaysSo) {
    EXPECT_TRUE(loop_->listeners.empty());
    port_->ready();
    EXPECT_EQ(loop_->listeners, std::vector<uint16_t>{7});
    EXPECT_EQ(layout_.worker(kSlot).alive.load(), 1u);
    const auto said = master_.receive();
    ASSERT_TRUE(said);
    EXPECT_EQ(static_cast<Control>(said->bytes[0]), Control::kReady);
    EXPECT_GE(loop_->watched, 0) << "the loop does not watch the master's channel";
}

TEST_F(InlinePorts, AMessageIsTakenAndFinished) {
    Inbound message;
    EXPECT_FALSE(port_->take(message));
    Inbound given;
    given.connection = make_connection_id(kSlot, 5);
    given.payload = "hello";
    transport_->deliver(0, given, {});
    port_->wait(-1);
    EXPECT_EQ(loop_->timeouts.back(), 0) << "the loop does not sleep while there is work";
    ASSERT_TRUE(port_->take(message));
    EXPECT_EQ(message.payload, "hello");
    if (message.home == PayloadHome::kString) allocator_.free(const_cast<char*>(message.payload.data()));
    port_->finished(message);
    EXPECT_EQ(loop_->finished, std::vector<ConnectionId>{given.connection});
}

TEST_F(InlinePorts, WhoTakesNothingSleepsBesideMessages) {
    Inbound got;
    transport_->deliver(0, Inbound{}, {});
    port_->wait(1000);
    EXPECT_EQ(loop_->timeouts.back(), 0) << "somebody might take it";
    port_->wait_without_messages(1000);
    EXPECT_EQ(loop_->timeouts.back(), 1000);
    port_->wait(1000);
    EXPECT_EQ(loop_->timeouts.back(), 0) << "it is still there";
    ASSERT_FALSE(port_->take_notice(got, [](const Inbound&) { return true; }));
    port_->wait(1000);
    EXPECT_EQ(loop_->timeouts.back(), 1000) << "it was passed over";
    ASSERT_TRUE(port_->take(got));
    port_->finished(got);
}

TEST_F(InlinePorts, ACommandForAnOwnConnectionIsDoneAtOnce) {
    const std::string big(kOutExtentThreshold, 'x');
    EXPECT_EQ(send_to(kSlot, "small"), Submitted::kSent);
    EXPECT_EQ(send_to(kSlot, big), Submitted::kSent);
    EXPECT_EQ(loop_->said, (std::vector<std::string>{"small", big}));
    EXPECT_FALSE(loop_->kept[0]);
    EXPECT_TRUE(loop_->kept[1]) << "a long payload is kept by reference";
}

TEST_F(InlinePorts, OneForAnotherWorkersGoesThroughItsRing) {
    EXPECT_EQ(send_to(kPeer, "nobody there"), Submitted::kClosed);
    peer_lives();
    EXPECT_EQ(send_to(kPeer, "here"), Submitted::kSent);
    EXPECT_EQ(heard_by_peer(), std::vector<std::string>{"here"});
    EXPECT_EQ(send_to(kSlots, "no such reactor"), Submitted::kClosed);
    EXPECT_TRUE(loop_->said.empty());
}

TEST_F(InlinePorts, AFullRingIsToldOrTheCommandIsKept) {
    peer_lives();
    const std::string line(500, 'x'), last(500, 'y');
    int sent = 0;
    while (send_to(kPeer, line) == Submitted::kSent)
        ++sent;
    EXPECT_GT(sent, 3);
    EXPECT_EQ(send_to(kPeer, line), Submitted::kNoRoom);
    EXPECT_EQ(send_to(kPeer, last, true), Submitted::kSent);
    EXPECT_TRUE(port_->has_kept());
    port_->wait(-1);
    EXPECT_EQ(loop_->timeouts.back(), 1) << "a kept command is tried again soon";
    EXPECT_EQ(heard_by_peer().size(), static_cast<size_t>(sent));
    port_->wait(-1);
    EXPECT_FALSE(port_->has_kept());
    EXPECT_EQ(heard_by_peer(), std::vector<std::string>{last});
}

TEST_F(InlinePorts, WhatIsKeptForOneThatDiesIsForgotten) {
    peer_lives();
    const std::string line(500, 'x');
    while (send_to(kPeer, line) == Submitted::kSent) {
    }
    EXPECT_EQ(send_to(kPeer, line, true), Submitted::kSent);
    EXPECT_TRUE(port_->has_kept());
    layout_.worker(kPeer).alive.store(0);
    port_->wait(-1);
    EXPECT_FALSE(port_->has_kept());
}

TEST_F(InlinePorts, WhatIsPublishedReachesAllThatLive) {
    peer_lives();
    Command command;
    command.what = command::Publish{.topic = "news"};
    command.payload = "all of you";
    Reach reach;
    EXPECT_EQ(port_->submit(command, reach), Submitted::kSent);
    EXPECT_EQ(reach.count, 2u) << "one of three workers is not there";
    EXPECT_EQ(loop_->said, std::vector<std::string>{"all of you"});
    EXPECT_EQ(heard_by_peer(), std::vector<std::string>{"all of you"});
    EXPECT_EQ(port_->submit(command, reach), Submitted::kSent);
    EXPECT_EQ(loop_->said.size(), 1u) << "no worker gets the command twice";
}

TEST_F(InlinePorts, APeerThatDiesHasAnsweredWithNothing) {
    peer_lives();
    const auto answers = [this] {
        Heard nobody;
        transport_->poll(nobody);
        std::vector<std::pair<uint32_t, std::string>> heard;
        for (Inbound message; port_->take(message); port_->finished(message))
            heard.emplace_back(message.as<inbound::Answer>()->question, message.payload);
        return heard;
    };
    const auto ask = [this](uint32_t question) {
        Reach reach;
        EXPECT_EQ(port_->submit({.what = command::CountSubscribers{question, "t"}}, reach), Submitted::kSent);
        EXPECT_EQ(reach.count, 2u) << "the question goes to the worker itself and to the peer";
    };
    const auto tell = [this](uint32_t question, bool more_follow) {
        peer_outbox_.push(kSlot, {.what = command::Tell{question, more_follow}, .payload = "some"});
        peer_outbox_.commit(kSlot);
    };
    ask(1);
    ask(2);
    port_->wait(-1);
    EXPECT_EQ(loop_->timeouts.back(), 50) << "the loop looks for dead peers, which ring no bell";
    tell(1, true);
    tell(1, false);
    tell(7, false);  // no one has asked question 7
    using Heard = std::vector<std::pair<uint32_t, std::string>>;
    EXPECT_EQ(answers(), (Heard{{1, "some"}, {1, "some"}}));
    layout_.reset_worker(kPeer);
    EXPECT_EQ(answers(), (Heard{{2, ""}}));
    tell(2, false);
    EXPECT_EQ(answers(), Heard{}) << "an answer after the worker's death does not count";
    port_->wait(-1);
    EXPECT_EQ(loop_->timeouts.back(), -1);
}

TEST_F(InlinePorts, ItDrainsWhenTheMasterSaysSo) {
    port_->ready();
    tell(Control::kReopenLogs);
    EXPECT_EQ(reopened_, 1);
    EXPECT_FALSE(loop_->shutting_down);
    tell(Control::kStop, 60'000);
    EXPECT_TRUE(loop_->shutting_down);
    EXPECT_EQ(layout_.worker(kSlot).alive.load(), 0u);
    EXPECT_FALSE(port_->stopping()) << "the worker drains while connections are left";
    loop_->empty = true;
    EXPECT_TRUE(port_->stopping());
}

TEST_F(InlinePorts, ItStopsAtOnceWhenItIsNotToDrain) {
    port_->ready();
    tell(Control::kStop, 0);
    EXPECT_TRUE(port_->stopping()) << "the worker stops although connections are left";
}

TEST_F(InlinePorts, WhatHasBegunMayGoOnForAsLongAsTheMasterSays) {
    port_->ready();
    const uint64_t told_ms = monotonic_ms();
    tell(Control::kStop, 60'000);
    EXPECT_GE(port_->patient_until_ms(), told_ms + 60'000);
    tell(Control::kStop, 1000);
    const uint64_t until_ms = port_->patient_until_ms();
    EXPECT_LE(until_ms, monotonic_ms() + 1000) << "a shorter patience counts";
    tell(Control::kStop, 60'000);
    EXPECT_EQ(port_->patient_until_ms(), until_ms) << "a longer patience does not count";
}

}  // namespace
}  // namespace sluice
