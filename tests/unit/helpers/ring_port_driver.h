#pragma once

#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "io/doorbell.h"
#include "server/rings/ring_port.h"
#include "server/rings/ring_transport.h"

namespace sluice::test {

/// Writes down what the transport tells.
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
    static constexpr size_t kRing = 64 * 1024;
    static constexpr unsigned kWorkers = 2;
    static constexpr size_t kMostHeld = 1000;
    void SetUp() override {
        ASSERT_TRUE(layout_);
        for (UniqueFd& bell : bells_)
            bell.reset(Doorbell::create_fd());
        transport_.emplace(layout_, 0, std::vector<int>{bells_[1].get(), bells_[2].get()}, most_held_);
        for (unsigned slot = 0; slot < kWorkers; ++slot) {
            ControlChannel of_worker;
            ASSERT_TRUE(ControlChannel::create_pair(masters_[slot], of_worker));
            ports_[slot].emplace(SharedLayout::attach(UniqueFd(dup(layout_.fd())), layout_.shape()), slot,
                                 limits_, bells_[slot + 1].get(), std::vector<int>{bells_[0].get()},
                                 std::move(of_worker), std::vector<FdChannel>{});
            transport_->worker_ready(static_cast<int>(slot));
        }
    }
    static constexpr uint64_t kClient = 7;

    /// Of kClient.
    bool deliver(ConnectionId id, std::string_view payload) {
        Inbound message;
        message.connection = id;
        message.client = kClient;
        Room room;
        if (payload.size() >= kExtentThreshold) {
            room = transport_->allocate(payload.size());
            memcpy(room.data, payload.data(), payload.size());
            message.payload = {room.data, payload.size()};
        } else {
            message.payload = payload;
        }
        if (!transport_->accepts(0, kClient, payload.size())) return false;
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

    size_t most_held_ = kMostHeld;
    Limits limits_;
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

}  // namespace sluice::test
