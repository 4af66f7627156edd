#include "server/reactor/output.h"

#include <algorithm>

#include "core/log.h"
#include "core/pace.h"
#include "server/config/limits.h"
#include "server/reactor/admission.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/deadlines.h"
#include "server/reactor/questions.h"
#include "server/reactor/session_host.h"
#include "server/reactor/unsent_room.h"

namespace sluice {

namespace {
/// Bytes of all files in one turn: keeps turns short, though files come from a disk.
constexpr size_t kFileBytesPerTurn = 4u << 20;
}  // namespace

void Output::wants_flush(Connection& connection) {
    if (connection.stream()) {
        stream_wants_flush(connection);
        return;
    }
    if (connection.dirty || connection.phase >= Phase::kLingering) return;
    connection.dirty = true;
    dirty_.push_back(connection.id);
}

void Output::takes_more(Connection& connection) {
    const bool has_read = !connection.writable;
    connection.writable = true;
    if (connection.out.empty()) return;
    if (has_read) unsent_room::grow(connection);
    wants_flush(connection);
}

void Output::flush() {
    file_budget_ = kFileBytesPerTurn;
    flushing_.swap(dirty_);
    for (ConnectionId id : flushing_) {
        Connection* connection = to_.table.find(id);
        if (!connection) continue;
        connection->dirty = false;
        flush(*connection);
        to_.commons.census.look(*connection);
    }
    flushing_.clear();
    dirty_.insert(dirty_.begin(), starved_.begin(), starved_.end());
    starved_.clear();
}

void Output::flush(Connection& connection) {
    if (connection.phase >= Phase::kLingering) return;
    connection.session->fill_queue(connection);
    if (connection.writable && !connection.out.empty()) {
        write(connection);
        if (connection.phase == Phase::kGone) return;
    }
    note_queued(connection);
    if (connection.phase == Phase::kFinishing && connection.out.empty()) to_.life.linger(connection);
}

/// Told to those who look at it or wait for it to become less.
void Output::note_queued(Connection& connection) {
    const size_t held = connection.held_bytes();
    // What is written in parts waits for its client by itself.
    if (held && !connection.charged_bytes && !connection.session->is_conversation() &&
        !connection.session->is_responding())
        to_.commons.out_budget.note_kept(held);
    to_.commons.out_budget.charge(connection, held);
    to_.commons.cells.note_queued(connection.id, connection.queued_bytes(),
                                  to_.commons.out_budget.is_over_share(connection));
    to_.questions.answer_about_room(connection);
}

void Output::write(Connection& connection) {
    const SendLimits& limits = to_.commons.sending(connection.endpoint);
    const uint64_t now_ms = to_.commons.now_ms;
    uint64_t sent = 0;
    const size_t offered = std::min(file_budget_, OutQueue::kFileBytesAtOnce);
    size_t budget = offered;
    OutQueue::Flushed flushed = connection.tls() ? connection.out.flush(*connection.tls(), sent, budget)
                                                 : connection.out.flush(connection.fd.get(), sent, budget);
    bytes_sent_ += sent;
    if (sent) {
        connection.active_ms = now_ms;
        to_.admission.sent(connection, sent);
    }
    file_budget_ -= offered - budget;
    switch (flushed) {
        case OutQueue::Flushed::kAll:
            connection.write_deadline_ms = 0;
            // Whoever has closed his side may have closed all: nobody can tell that he takes it.
            if (!connection.known && !connection.peer_shut) {
                to_.commons.known_addresses.know(connection.address_key);
                connection.known = true;
            }
            connection.session->sent(to_.host, connection);
            break;
        case OutQueue::Flushed::kBlocked:
            connection.writable = false;
            if (connection.write_deadline_ms == 0) {
                to_.deadlines.set_write(connection, now_ms + limits.write_ms);
            } else if (sent) {
                to_.deadlines.set_write(
                    connection, moved_deadline(connection.write_deadline_ms, now_ms, sent, limits.write_ms,
                                               limits.write_bytes_per_second));
            }
            break;
        case OutQueue::Flushed::kYielded:
            connection.write_deadline_ms = 0;
            connection.dirty = true;
            (sent ? dirty_ : starved_).push_back(connection.id);
            break;
        case OutQueue::Flushed::kShrunk:
            SLUICE_WARNING(
                "a file became shorter while it was sent, %llu bytes are missing; the connection is cut",
                static_cast<unsigned long long>(connection.out.file_bytes()));
            to_.life.abort(connection);
            break;
        case OutQueue::Flushed::kBroken: to_.life.abort(connection); break;
    }
}

// -- Streams

void Output::stream_wants_flush(Connection& stream) {
    if (stream.stream()->is_over() || stream.phase >= Phase::kLingering) return;
    to_.commons.out_budget.charge(stream, stream.held_bytes());
    stream.stream()->wants_flush();
    if (stream.write_deadline_ms || stream.out.empty()) return;
    to_.deadlines.set_write(stream, to_.commons.now_ms + to_.commons.sending(stream.endpoint).write_ms);
}

void Output::stream_progressed(Connection& stream, size_t bytes) {
    const SendLimits& limits = to_.commons.sending(stream.endpoint);
    stream.active_ms = to_.commons.now_ms;
    stream.session->fill_queue(stream);
    to_.deadlines.set_write(stream, stream.out.empty()
                                        ? 0
                                        : moved_deadline(stream.write_deadline_ms, to_.commons.now_ms, bytes,
                                                         limits.write_ms, limits.write_bytes_per_second));
    note_queued(stream);
}

void Output::stream_sent(Connection& stream) {
    stream.write_deadline_ms = 0;
    if (stream.stream()->input_ended || stream.phase >= Phase::kLingering) return;
    if (!stream.session->is_conversation()) {
        // RFC 9113 8.1: the client may stop sending a body that nobody reads (RST_STREAM with NO_ERROR).
        stream.stream()->want_no_more();
    } else if (stream.phase == Phase::kFinishing) {
        to_.life.linger(stream);
    }
}

}  // namespace sluice
