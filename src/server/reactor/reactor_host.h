#pragma once

#include "server/config/limits.h"
#include "server/reactor/admission.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/deadlines.h"
#include "server/reactor/input.h"
#include "server/reactor/output.h"
#include "server/reactor/publishing.h"
#include "server/reactor/serve_list.h"
#include "server/reactor/session_host.h"
#include "server/reactor/workers.h"

namespace sluice {

/// A reactor as its sessions see it: forwards each call to the part that does the work.
class ReactorHost final : public SessionHost {
  public:
    struct Wiring {
        ConnectionTable& table;
        ServeList& serve_list;
        Admission& admission;
        Deadlines& deadlines;
        Workers& workers;
        ConnectionLife& life;
        Input& input;
        Output& output;
        Publishing& publishing;
    };
    ReactorHost(Commons& commons, const Wiring& wiring) : SessionHost(commons), to_(wiring) {}

    void set_deadline_at(Connection& connection, uint64_t at_ms) override {
        to_.deadlines.set(connection, at_ms);
    }
    void wants_flush(Connection& connection) override { to_.output.wants_flush(connection); }
    void resume(Connection& connection) override {
        connection.blocked = false;
        to_.workers.let_go(connection);
        to_.serve_list.schedule(connection);
    }
    void finish(Connection& connection) override { to_.life.finish(connection); }
    void abort(Connection& connection) override { to_.life.abort(connection); }
    void close_soon(Connection& connection) override { to_.publishing.close_soon(connection); }
    void unsubscribe_all(Topics::Subscriptions& subscriptions) override {
        to_.publishing.unsubscribe_all(subscriptions);
    }

    bool may_pipeline(const Connection& connection, int worker) const override {
        return to_.admission.may_pipeline(connection, worker);
    }
    bool accepts_request(Connection& connection, int worker, size_t inline_bytes) override {
        return to_.admission.takes_request(connection, worker, inline_bytes);
    }
    bool can_deliver(Connection& connection, size_t inline_bytes) override {
        return to_.workers.can_deliver(connection, inline_bytes);
    }
    void deliver(Connection& connection, int worker, Inbound& message, Room room) override {
        to_.workers.deliver(connection, worker, message, room);
    }
    bool deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file) override {
        return to_.workers.deliver_file(connection, worker, message, std::move(file));
    }
    void cancel_request(const Connection& connection, int worker, uint32_t request,
                        CancelReason reason) override {
        to_.workers.cancel_request(connection, worker, request, reason);
    }
    void await_response(int worker, int change) override {
        to_.workers.await_response(worker, change);
        out_budget().expect(change);
    }

    Connection* open_stream(Connection& parent) override {
        return to_.table.add_stream(parent, limits().connections, now_ms(),
                                    endpoints()[parent.endpoint].spec.slow_client);
    }
    void receive_for_stream(Connection& stream, std::span<char> input) override {
        to_.input.receive_for_stream(stream, input);
    }
    void stream_progressed(Connection& stream, size_t bytes) override {
        to_.output.stream_progressed(stream, bytes);
    }
    void stream_sent(Connection& stream) override { to_.output.stream_sent(stream); }

  private:
    const Wiring to_;
};

}  // namespace sluice
