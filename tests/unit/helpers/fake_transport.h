#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/seam/records.h"
#include "server/seam/transport.h"

namespace sluice::test {

/// A transport whose workers are the test: what is delivered is written down, commands are put in by hand.
/// Room is a heap block of exactly its size.
class FakeTransport final : public Transport {
  public:
    struct Delivered {
        int worker;
        InboundKind kind;
        ConnectionId connection;
        uint16_t endpoint;
        uint32_t request;  ///< of a request and of a cancellation
        bool binary;
        uint16_t close_code;
        bool in_extent;
        std::string head;
        std::string payload;
        Room room;  ///< when `in_extent`: the test's to free
        Ref<RequestFile> file = {};
        CancelReason reason = {};
        uint32_t round_trip_us = 0;
        uint32_t question = 0;
        bool more_follow = false;
        bool pipelined = false;
    };
    struct Order {
        int worker;
        std::vector<uint64_t> record;  ///< as it would come out of a ring
        size_t record_bytes;
        uint16_t kind;
        int file;
        Ref<Payload> payload;
    };

    ~FakeTransport() override {
        for (const Delivered& message : delivered) {
            if (message.in_extent) blocks_.erase(message.room.data);
        }
        EXPECT_EQ(blocks_.size(), 0u) << "room was given that was not delivered and not given back";
    }

    // -- For the test
    std::deque<Delivered> delivered;
    std::deque<Delivered> notified;
    size_t room_limit = SIZE_MAX;  ///< blocks that may be out at once
    bool accepting = true;
    std::vector<uint64_t> asked_for;  ///< the clients of accepts()
    std::vector<int> awaited;         ///< await_progress()
    bool short_of_memory = false;
    bool taking_files = true;
    std::set<uint32_t> orphans;  ///< requests of the test's only connection that wait for another worker
    std::vector<bool> ready = {true};
    std::vector<int> bound = {0};
    int bound_worker = 0;  ///< kNoWorker: none for connections, whatever is ready

    void add_worker() {
        ready.push_back(true);
        bound.push_back(0);
    }
    size_t rooms() const { return blocks_.size(); }
    void give_back(Delivered& message) {
        free(message.room);
        message.in_extent = false;
    }
    void order(int worker, const Command& command, bool in_extent = false) {
        Order& order = orders_.emplace_back();
        order.worker = worker;
        order.kind = number_of(command);
        order.file = command.file() ? command.file()->fd : -1;
        order.record_bytes = command_record_bytes(command, in_extent);
        order.record.resize((order.record_bytes + 7) / 8);
        write_command(reinterpret_cast<char*>(order.record.data()), command, in_extent, 0);
        if (in_extent) order.payload = HeapPayload::copy_of({}, command.payload);
    }
    void finish(ConnectionId id) { finished_.push_back(id); }

    // -- Transport
    using Transport::allocate;
    Room allocate(size_t bytes, const ArenaClaim&) override {
        if (blocks_.size() >= room_limit) return {};
        auto block = std::make_unique<char[]>(bytes);
        char* data = block.get();
        blocks_[data] = {std::move(block), bytes};
        used_ += bytes;
        return {data, bytes};
    }
    bool extend(Room&, size_t, bool) override { return false; }
    void free(Room room) override {
        auto found = blocks_.find(room.data);
        ASSERT_NE(found, blocks_.end()) << "room is given back that was never given";
        used_ -= found->second.second;
        blocks_.erase(found);
    }
    int least_busy() override { return first_ready(); }
    int fewest_bound() override {
        if (bound_worker == kNoWorker) return kNoWorker;
        int best = kNoWorker;
        for (size_t i = 0; i < ready.size(); ++i) {
            if (ready[i] && (best == kNoWorker || bound[i] < bound[static_cast<size_t>(best)]))
                best = static_cast<int>(i);
        }
        return best;
    }
    void bind(int worker) override { ++bound[static_cast<size_t>(worker)]; }
    void unbind(int worker) override {
        EXPECT_GT(bound[static_cast<size_t>(worker)], 0);
        --bound[static_cast<size_t>(worker)];
    }
    bool is_ready(int worker) const override { return worker >= 0 && ready[static_cast<size_t>(worker)]; }
    bool accepts_request(int worker, uint64_t client, size_t inline_bytes, bool) override {
        return accepts(worker, client, inline_bytes);
    }
    bool takes_messages(int worker) override { return accepting && is_ready(worker); }
    bool takes_requests(bool) override { return accepting && first_ready() != kNoWorker; }
    bool accepts(int worker, uint64_t client, size_t inline_bytes) override {
        asked_ = inline_bytes;
        asked_for.push_back(client);
        return accepting && is_ready(worker);
    }
    void deliver(int worker, const Inbound& message, Room room) override {
        EXPECT_LE(inbound_record_bytes(message, static_cast<bool>(room)) - sizeof(InboundRecord), asked_)
            << "a message is larger than accepts() was asked for: a ring might have no room";
        if (room) {
            EXPECT_EQ(message.payload.data(), room.data);
            EXPECT_LE(message.payload.size(), room.size);
            EXPECT_TRUE(blocks_.contains(room.data));
        }
        delivered.push_back(written_down(worker, message, room));
    }
    bool deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) override {
        if (!taking_files) return false;
        Inbound with_place = message;
        std::get<inbound::Request>(with_place.what).file.bytes = file->bytes();
        EXPECT_GE(asked_, inbound_record_bytes(with_place, false) - sizeof(InboundRecord));
        deliver(worker, message, {});
        delivered.back().file = std::move(file);
        return true;
    }
    bool notify(int worker, const Inbound& message) override {
        if (!accepting) return false;
        notified.push_back(written_down(worker, message, {}));
        return true;
    }
    void poll(TransportEvents& events) override {
        while (!orders_.empty()) {
            Order order = std::move(orders_.front());
            orders_.pop_front();
            auto decoded = read_command(
                {reinterpret_cast<const char*>(order.record.data()), order.record_bytes}, order.kind);
            ASSERT_TRUE(decoded) << "a ring would not take this message";
            Command& command = decoded->command;
            if (order.payload) command.payload = {order.payload->data(), order.payload->size()};
            if (command.file()) command.file()->fd = order.file;
            events.on_command(order.worker, command, std::move(order.payload));
        }
        std::vector<ConnectionId> finished;
        finished.swap(finished_);
        for (ConnectionId id : finished)
            events.on_finished(id);
    }
    bool pending() const override { return !orders_.empty() || !finished_.empty(); }
    void await_progress(int worker) override { awaited.push_back(worker); }
    void flush() override {}
    int relieve(uint64_t) override { return -1; }
    bool is_short_of_memory() const override { return short_of_memory; }
    bool has_orphan(ConnectionId, uint32_t request) const override { return orphans.contains(request); }
    size_t used_bytes() const override { return used_; }

  private:
    static Delivered written_down(int worker, const Inbound& message, Room room) {
        const inbound::Head* head = message.head();
        Delivered written{worker,
                          message.kind(),
                          message.connection,
                          message.endpoint,
                          0,
                          false,
                          0,
                          static_cast<bool>(room),
                          std::string(head ? head->text : std::string_view()),
                          std::string(message.payload),
                          room};
        if (const auto* request = message.as<inbound::Request>()) {
            written.request = request->number;
            written.pipelined = request->pipelined;
        }
        if (const auto* data = message.as<inbound::Message>()) written.binary = data->binary;
        if (const auto* closing = message.as<inbound::Closing>()) written.close_code = closing->code;
        if (const auto* pong = message.as<inbound::Pong>()) written.round_trip_us = pong->round_trip_us;
        if (const auto* cancellation = message.as<inbound::Cancellation>()) {
            written.request = cancellation->request;
            written.reason = cancellation->reason;
        }
        if (const auto* answer = message.as<inbound::Answer>()) {
            written.question = answer->question;
            written.more_follow = answer->more_follow;
        }
        return written;
    }
    int first_ready() const {
        auto found = std::find(ready.begin(), ready.end(), true);
        return found == ready.end() ? kNoWorker : static_cast<int>(found - ready.begin());
    }

    std::map<char*, std::pair<std::unique_ptr<char[]>, size_t>> blocks_;
    size_t used_ = 0;
    size_t asked_ = 0;
    std::deque<Order> orders_;
    std::vector<ConnectionId> finished_;
};

}  // namespace sluice::test
