// How a reactor's connections end: orderly, at once, by a deadline, or with the server.

#include <cassert>
#include <sys/socket.h>

#include "server/reactor/reactor.h"

namespace sluice {

namespace {
/// How long our last bytes get to arrive at a client that is still sending.
constexpr uint32_t kLingerMs = 2000;
constexpr uint32_t kLingerAtShutdownMs = 250;
}  // namespace

// -- The end of a connection

void Reactor::move_to(Connection& connection, Phase phase) {
    assert(phase > connection.phase && "a connection's life has one direction");
    connection.phase = phase;
    switch (phase) {
        case Phase::kOpen: break;
        case Phase::kFinishing:
            cells().hide(connection.id);
            answer_about_room(connection);
            connection.pending.reset();
            connection.deadline_ms = 0;
            wants_flush(connection);
            break;
        case Phase::kLingering:
            cells().hide(connection.id);
            connection.write_deadline_ms = 0;
            if (connection.tls) connection.tls->close_notify();
            if (connection.read_ended) {
                move_to(connection, Phase::kGone);
                return;
            }
            shutdown(connection.fd.get(), SHUT_WR);
            connection.deadline_ms = now_ms_ + (shutting_down_ ? kLingerAtShutdownMs : kLingerMs);
            arm(connection);
            schedule(connection);
            break;
        case Phase::kGone:
            cells().hide(connection.id);
            answer_about_room(connection);
            close_socket(connection);
            // Not settled here: callers may still look at the connection.
            schedule(connection);
            break;
    }
}

void Reactor::close_socket(Connection& connection) {
    TimerWheel::cancel(connection);
    uncount_address(connection);
    connection.deadline_ms = connection.write_deadline_ms = 0;
    connection.session->cut(*this, connection);
    connection.out.clear();
    connection.pending.reset();
    connection.tls.reset();
    connection.fd.reset();
    Session& session = *connection.session;
    if (Stream* stream = connection.stream.get(); stream && !stream->is_over())
        stream->let_go(session.is_conversation() ? StreamEnd::kCancelled : StreamEnd::kBroken);
    session.peer_left(*this, connection);
    session.release(*this);
}

/// What is left to do for a connection whose socket is closed. True when that was all.
bool Reactor::settle(Connection& connection) {
    if (connection.owes_close) {
        size_t bytes = connection.close_reason ? connection.close_reason->size() : 0;
        if (!can_deliver(connection, bytes)) {
            wait_for_resources(connection);
            return false;
        }
        connection.owes_close = false;
        Inbound message;
        message.kind = InboundKind::kClose;
        message.close_code = connection.close_code;
        if (connection.close_reason) message.payload = *connection.close_reason;
        deliver(connection, connection.worker, message, {});
    }
    if (connection.in_flight > 0 && connection.session->is_conversation()) return false;
    destroy(connection);
    return true;
}

void Reactor::destroy(Connection& connection) {
    cells().hide(connection.id);
    TimerWheel::cancel(connection);
    if (connection.worker != kNoWorker) transport_->unbind(connection.worker);
    --connections_;
    if (connection.stream) --streams_;
    table_[connection.id & mask_].reset();
}

void Reactor::finish(Connection& connection) {
    if (connection.phase == Phase::kOpen) move_to(connection, Phase::kFinishing);
}

void Reactor::abort(Connection& connection) {
    if (connection.phase < Phase::kGone) move_to(connection, Phase::kGone);
}

void Reactor::begin_shutdown() {
    if (shutting_down_) return;
    shutting_down_ = true;
    udp_.stop_receiving();
    for (auto& listener : listeners_) {
        if (!listener) continue;
        poller_.remove(listener->fd.get());
        listener.reset();
    }
    for (auto& connection : table_) {
        if (connection) stop_connection(*connection);
    }
}

void Reactor::stop_connection(Connection& connection) {
    if (connection.phase != Phase::kOpen) return;
    // Its messages are answered first, and no more are read.
    connection.stopping = connection.session->is_conversation() && connection.in_flight > 0;
    if (!connection.stopping) connection.session->stop(*this, connection);
}

// -- Deadlines

void Reactor::set_deadline_at(Connection& connection, uint64_t at_ms) {
    connection.deadline_ms = at_ms;
    arm(connection);
}

/// Deadlines move all the time, mostly away: the timer is touched only when it would fire too late, and looks
/// at the real deadline when it fires.
void Reactor::arm(Connection& connection) {
    uint64_t due_ms = connection.deadline_ms;
    if (connection.write_deadline_ms && (!due_ms || connection.write_deadline_ms < due_ms)) {
        due_ms = connection.write_deadline_ms;
    }
    if (const uint64_t idle_ms = idle_due_ms(connection); idle_ms && (!due_ms || idle_ms < due_ms))
        due_ms = idle_ms;
    if (due_ms && (!connection.armed() || connection.due_ms > due_ms)) wheel_.arm(connection, due_ms);
}

void Reactor::fire_timers() {
    while (TimerNode* node = wheel_.expire(now_ms_))
        expired(*static_cast<Connection*>(node));
}

void Reactor::expired(Connection& connection) {
    if (connection.write_deadline_ms && connection.write_deadline_ms <= now_ms_) {
        if (Stream* stream = connection.stream.get(); stream && !stream->is_over())
            stream->let_go(StreamEnd::kCancelled);
        abort(connection);
        return;
    }
    if (connection.deadline_ms && connection.deadline_ms <= now_ms_) {
        connection.deadline_ms = 0;
        if (connection.phase == Phase::kLingering) {
            move_to(connection, Phase::kGone);
        } else if (connection.awaits_proxy || (connection.tls && !connection.tls->is_ready())) {
            abort(connection);
        } else if (connection.phase == Phase::kOpen) {
            connection.session->deadline(*this, connection);
        }
    }
    if (const uint64_t idle_ms = idle_due_ms(connection); idle_ms && idle_ms <= now_ms_) {
        if (connection.in_flight || connection.waiting || connection.stopping || !connection.out.empty()) {
            connection.active_ms = now_ms_;  // it waits for us, or has a deadline for what waits for it
        } else {
            end_idle(connection);
        }
    }
    if (connection.phase < Phase::kGone) arm(connection);
}

}  // namespace sluice
