#pragma once

#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fuzz_input.h"
#include "server/seam/records.h"
#include "server/seam/request_file.h"
#include "server/seam/transport.h"

namespace sluice::fuzz {

/// A transport whose workers are played by the fuzzer: messages wait until the fuzzer handles them. When the
/// reactor breaks a rule of Transport, that is a finding.
class Workers final : public Transport {
  public:
    struct Message {
        InboundKind kind;
        ConnectionId connection;
        uint32_t request;
        std::string payload;
        Room room;
        Ref<RequestFile> file = {};
    };
    std::deque<Message> messages;
    bool accepting = true;   ///< false: as if the worker's ring were full
    size_t room_limit = 64;  ///< how many messages may have room at the same time

    /// The worker submits a command, which the reactor gets in its next turn.
    void say(const Command& command) {
        Order& order = orders_.emplace_back();
        order.kind = number_of(command);
        order.bytes = command_record_bytes(command, false);
        order.record.resize((order.bytes + 7) / 8);
        write_command(reinterpret_cast<char*>(order.record.data()), command, false, 0);
    }
    /// Ends the handler of the first message, and returns that message.
    Message take() {
        Message message = std::move(messages.front());
        messages.pop_front();
        if (message.room) free(message.room);
        finished_.push_back(message.connection);
        return message;
    }
    /// The worker dies: what it had is for the caller to report.
    std::deque<Message> die() {
        std::deque<Message> lost;
        lost.swap(messages);
        for (Message& message : lost) {
            if (message.room) free(message.room);
        }
        return lost;
    }
    /// The worker dies before it has begun any of its messages. Another one gets those for which `moves` is true.
    template <typename F>
    void die_idle(F&& moves) {
        std::deque<Message> left;
        left.swap(messages);
        for (Message& message : left) {
            if (moves(message)) {
                messages.push_back(std::move(message));
            } else if (message.room) {
                free(message.room);
            }
        }
    }
    ~Workers() override { fclose(file_); }
    bool holds_nothing() const { return blocks_.empty() && bound_ == 0; }

    // -- Transport
    using Transport::allocate;
    bool extend(Room&, size_t, bool) override { return false; }
    Room allocate(size_t bytes, const ArenaClaim&) override {
        if (blocks_.size() >= room_limit) return {};
        auto block = std::make_unique<char[]>(bytes);
        Room room{block.get(), bytes};
        blocks_[room.data] = std::move(block);
        return room;
    }
    void free(Room room) override {
        require(blocks_.erase(room.data) == 1, "room is given back that is not lent");
    }
    int least_busy() override { return 0; }
    int fewest_bound() override { return 0; }
    void bind(int) override { ++bound_; }
    void unbind(int) override { require(bound_-- > 0, "a connection is unbound twice"); }
    bool is_ready(int worker) const override { return worker == 0; }
    bool accepts(int, uint64_t, size_t inline_bytes) override {
        asked_ = inline_bytes;
        return accepting;
    }
    bool accepts_request(int worker, uint64_t client, size_t inline_bytes, bool) override {
        return accepts(worker, client, inline_bytes);
    }
    bool takes_requests(bool) override { return accepting; }
    bool takes_messages(int) override { return accepting; }
    void deliver(int worker, const Inbound& message, Room room) override {
        require(worker == 0 && accepting, "a message is delivered to a worker that takes none");
        require(inbound_record_bytes(message, static_cast<bool>(room)) - sizeof(InboundRecord) <= asked_,
                "a message is longer than accepts() was asked for");
        require(!room || (blocks_.contains(room.data) && message.payload.data() == room.data),
                "a message's payload is not in the room that it comes with");
        if (const inbound::Head* head = message.head()) {
            for (const http::Field& field : head->fields)
                require(field.value.offset + field.value.length <= head->text.size(),
                        "a field outside of its head");
        }
        messages.push_back(
            {message.kind(), message.connection, request_of(message), std::string(message.payload), room});
    }
    bool deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) override {
        require(worker == 0 && accepting, "a message is delivered to a worker that takes none");
        require(file && message.payload.empty(), "a body is in a file and in memory");
        messages.push_back(
            {message.kind(), message.connection, request_of(message), {}, {}, std::move(file)});
        return true;
    }
    bool notify(int, const Inbound&) override { return accepting; }
    void poll(TransportEvents& events) override {
        while (!orders_.empty()) {
            Order order = std::move(orders_.front());
            orders_.pop_front();
            auto decoded =
                read_command({reinterpret_cast<const char*>(order.record.data()), order.bytes}, order.kind);
            require(decoded.has_value(), "a command that was written cannot be read");
            Command& command = decoded->command;
            Ref<Payload> payload;
            if (command.file()) command.file()->fd = fileno(file_);
            if (command.payload.size() >= kOutExtentThreshold) {
                payload = HeapPayload::copy_of({}, command.payload);
                command.payload = {payload->data(), payload->size()};
            }
            events.on_command(0, command, std::move(payload));
        }
        std::vector<ConnectionId> finished;
        finished.swap(finished_);
        for (ConnectionId id : finished)
            events.on_finished(id);
    }
    bool pending() const override { return !orders_.empty() || !finished_.empty(); }
    void flush() override {}
    int relieve(uint64_t) override { return -1; }
    size_t used_bytes() const override { return 0; }

  private:
    static uint32_t request_of(const Inbound& message) {
        const auto* request = message.as<inbound::Request>();
        return request ? request->number : 0;
    }
    struct Order {
        std::vector<uint64_t> record;  ///< as it would come out of a ring
        size_t bytes;
        uint16_t kind;
    };
    /// What responses send that consist of a file.
    FILE* const file_ = [] {
        FILE* const file = tmpfile();
        require(file && fputs("some text in a file", file) >= 0 && fflush(file) == 0, "there is no file");
        return file;
    }();
    std::map<char*, std::unique_ptr<char[]>> blocks_;
    size_t asked_ = 0;
    int bound_ = 0;
    std::deque<Order> orders_;
    std::vector<ConnectionId> finished_;
};

}  // namespace sluice::fuzz
