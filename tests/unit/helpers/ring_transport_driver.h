#pragma once

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/doorbell.h"
#include "server/rings/ring_transport.h"

namespace sluice::test {

inline constexpr size_t kPage = PageArena::kPageSize;
inline constexpr ConnectionId kConnection = make_connection_id(0, 1000);
inline constexpr uint64_t kClient = 1;

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

/// A transport and the rings of three workers, which are the test.
class Transports : public testing::Test {
  protected:
    static constexpr unsigned kWorkers = 3;
    static constexpr size_t kMostHeld = 1000;
    void SetUp() override {
        ASSERT_TRUE(layout_);
        for (UniqueFd& bell : bells_)
            bell.reset(Doorbell::create_fd());
        transport_.emplace(layout_, 0, std::vector<int>{bells_[0].get(), bells_[1].get(), bells_[2].get()},
                           kMostHeld, [] { return clock_ms; });
    }
    Worker& start(unsigned slot) {
        transport_->worker_ready(static_cast<int>(slot));
        workers_[slot].emplace(layout_, slot);
        return *workers_[slot];
    }
    bool deliver(int worker, std::string_view payload, uint32_t request = 0, ConnectionId id = kConnection) {
        Inbound message;
        message.connection = id;
        message.client = client_;
        http::RequestHead head;
        if (request) message.what = inbound::Request{.number = request, .head = {&head}};
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
        if (!transport_->accepts(worker, client_, bytes - sizeof(InboundRecord))) {
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
    static inline uint64_t clock_ms = 1;
    uint64_t client_ = kClient;  ///< whose messages deliver() delivers
    UniqueFd bells_[kWorkers];
    std::optional<RingTransport> transport_;
    std::optional<Worker> workers_[kWorkers];
    Events events_;
};

}  // namespace sluice::test
