#include "server/reactor/connection_life.h"

#include <cassert>
#include <sys/socket.h>

#include "protocol/websocket/websocket_frame.h"
#include "server/reactor/address_limits.h"
#include "server/reactor/admission.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/deadlines.h"
#include "server/reactor/questions.h"
#include "server/reactor/serve_list.h"
#include "server/reactor/session_host.h"
#include "server/reactor/workers.h"

namespace sluice {

namespace {
/// How long a connection lingers, so that our last bytes reach a client that is still sending.
constexpr uint32_t kLingerMs = 2000;
constexpr uint32_t kLingerAtShutdownMs = 250;
}  // namespace

void ConnectionLife::move_to(Connection& connection, Phase phase) {
    assert(phase > connection.phase && "a connection's life has one direction");
    connection.phase = phase;
    to_.commons.cells.hide(connection.id);
    switch (phase) {
        case Phase::kOpen: break;
        case Phase::kFinishing:
            to_.admission.leave(connection);
            to_.questions.answer_about_room(connection);
            connection.pending.reset();
            connection.deadline_ms = 0;
            to_.host.wants_flush(connection);
            break;
        case Phase::kLingering:
            connection.write_deadline_ms = 0;
            if (connection.tls()) connection.tls()->close_notify();
            // Nothing will come that a reset would answer: saves a system call and three events.
            if (connection.read_ended ||
                (connection.sends_no_more && !connection.readable && !connection.tls())) {
                move_to(connection, Phase::kGone);
                return;
            }
            shutdown(connection.fd.get(), SHUT_WR);
            to_.deadlines.set(connection, to_.commons.now_ms +
                                              (to_.commons.shutting_down ? kLingerAtShutdownMs : kLingerMs));
            to_.serve_list.schedule(connection);
            break;
        case Phase::kGone:
            to_.admission.leave(connection);
            to_.questions.answer_about_room(connection);
            close_socket(connection);
            // Settled later: callers may still use the connection.
            to_.serve_list.schedule(connection);
            break;
    }
}

void ConnectionLife::close_socket(Connection& connection) {
    to_.deadlines.cancel(connection);
    to_.addresses.uncount(connection);
    Session& session = *connection.session;
    session.cut(to_.host, connection);
    connection.out.clear();
    to_.commons.out_budget.release(connection);
    connection.pending.reset();
    if (connection.tls()) connection.carrier.reset();
    connection.fd.reset();
    if (Stream* stream = connection.stream(); stream && !stream->is_over())
        stream->let_go(session.is_conversation() ? StreamEnd::kCancelled : StreamEnd::kBroken);
    session.peer_left(to_.host, connection);
    session.release(to_.host);
}

void ConnectionLife::finish(Connection& connection) {
    if (connection.phase == Phase::kOpen) move_to(connection, Phase::kFinishing);
}

void ConnectionLife::linger(Connection& connection) {
    move_to(connection, Phase::kLingering);
}

void ConnectionLife::abort(Connection& connection) {
    if (connection.phase < Phase::kGone) move_to(connection, Phase::kGone);
}

void ConnectionLife::settle(Connection& connection) {
    if (connection.close_pending) {
        static const CloseCause broken_off;
        const CloseCause& cause = connection.close_cause ? *connection.close_cause : broken_off;
        if (!to_.workers.can_deliver(connection, cause.reason.size())) {
            to_.admission.wait(connection);
            return;
        }
        connection.close_pending = false;
        Inbound message;
        message.what = inbound::Closing{cause.code};
        message.payload = cause.reason;
        to_.workers.deliver(connection, connection.worker, message, {});
    }
    if (connection.in_flight > 0 && connection.session->is_conversation()) return;
    destroy(connection);
}

void ConnectionLife::destroy(Connection& connection) {
    to_.deadlines.cancel(connection);
    to_.commons.out_budget.release(connection);
    to_.workers.unbind(connection);
    to_.admission.leave(connection);
    to_.commons.attachments.drop(connection.id);
    to_.commons.census.forget(connection);
    to_.table.remove(connection);
}

void ConnectionLife::stop(Connection& connection) {
    if (connection.phase != Phase::kOpen) return;
    // Its messages are answered first; no more are read.
    connection.stopping = connection.session->is_conversation() && connection.in_flight > 0;
    if (!connection.stopping) connection.session->stop(to_.host, connection);
}

void ConnectionLife::expired(Connection& connection) {
    const uint64_t now_ms = to_.commons.now_ms;
    if (connection.write_deadline_ms && connection.write_deadline_ms <= now_ms) {
        to_.commons.figures.count_refusal("writeSeconds");
        if (Stream* stream = connection.stream(); stream && !stream->is_over())
            stream->let_go(StreamEnd::kCancelled);
        abort(connection);
        return;
    }
    if (connection.deadline_ms && connection.deadline_ms <= now_ms) {
        connection.deadline_ms = 0;
        if (connection.phase == Phase::kLingering) {
            move_to(connection, Phase::kGone);
        } else if (connection.awaits_proxy || (connection.tls() && !connection.tls()->is_ready())) {
            to_.commons.figures.count_refusal("handshakeSeconds");
            if (connection.tls()) HistogramCell::add(to_.commons.figures.tls_handshake_failures, 1);
            abort(connection);
        } else if (connection.phase == Phase::kOpen) {
            connection.session->deadline(to_.host, connection);
        }
    }
    if (const uint64_t idle_ms = to_.deadlines.idle_due_ms(connection); idle_ms && idle_ms <= now_ms) {
        if (connection.in_flight || connection.awaits_server() || connection.stopping ||
            !connection.out.empty()) {
            connection.active_ms = now_ms;  // it waits for us, or its queue has a deadline
        } else {
            to_.commons.figures.count_refusal("idleSeconds");
            static constexpr std::string_view kReason = "nothing came or went for too long";
            connection.set_close(websocket::close_code::kPolicyViolation, kReason);
            connection.session->close(to_.host, connection, websocket::close_code::kPolicyViolation, kReason);
        }
    }
    if (connection.phase < Phase::kGone) to_.deadlines.arm(connection);
}

}  // namespace sluice
