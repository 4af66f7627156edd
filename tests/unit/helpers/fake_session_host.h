#pragma once

#include <memory>

#include "fake_transport.h"
#include "io/poller.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/new_sessions.h"

namespace sluice::test {

/// A host of one connection, without a socket, whose worker is the test. What the session asks for is
/// written down in the connection.
class FakeSessionHost final : public SessionHost {
  public:
    explicit FakeSessionHost(const EndpointSpec& listener, const Limits& limits = {})
        : SessionHost(commons),
          limits_(limits),
          commons(layout_, 0, limits_, transport, NewSessions::shared(), poller_, "") {
        auto table = std::make_shared<Endpoints>();
        table->update({listener});
        commons.endpoints = std::move(table);
        commons.cells.begin(connection.id, Address{}, listener.slow_client);
    }
    ~FakeSessionHost() { connection.session->release(*this); }

    void set_deadline_at(Connection& self, uint64_t at_ms) override { self.deadline_ms = at_ms; }
    void wants_flush(Connection& self) override { self.dirty = true; }
    void resume(Connection& self) override { self.blocked = false; }
    void finish(Connection& self) override { self.phase = Phase::kFinishing; }
    void abort(Connection& self) override { self.phase = Phase::kGone; }
    void close_soon(Connection& self) override { self.phase = Phase::kFinishing; }
    void unsubscribe_all(Topics::Subscriptions&) override {}
    bool may_pipeline(const Connection&, int) const override { return !later; }
    bool accepts_request(Connection&, int worker, size_t inline_bytes) override {
        return transport.accepts(worker, connection.client_key(), inline_bytes);
    }
    bool can_deliver(Connection& self, size_t inline_bytes) override {
        self.worker = 0;
        return transport.accepts(0, self.client_key(), inline_bytes);
    }
    void deliver(Connection& self, int worker, Inbound& message, Room room) override {
        message.connection = self.id;
        transport.deliver(worker, message, room);
    }
    bool deliver_file(Connection&, int worker, Inbound& message, Ref<RequestFile> file) override {
        return transport.deliver_file(worker, message, std::move(file));
    }
    void cancel_request(const Connection&, int, uint32_t, CancelReason) override { ++cancelled; }
    void await_response(int, int change) override { awaited += change; }
    Connection* open_stream(Connection&) override { return nullptr; }
    void receive_for_stream(Connection&, std::span<char>) override {}
    void stream_progressed(Connection&, size_t) override {}
    void stream_sent(Connection&) override {}

    int cancelled = 0, awaited = 0;
    FakeTransport transport;
    bool later = false;  ///< others are to be served first

  private:
    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 1,
                                                 .worker_slots = 2,
                                                 .cells = 64,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 4096,
                                                 .out_bytes = 4096});
    Poller poller_;
    const Limits limits_;

  public:
    Commons commons;
    Connection connection{make_connection_id(0, 1), UniqueFd(), 0};
};

}  // namespace sluice::test
