// How bytes come to a reactor's connections and leave them.

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/log.h"
#include "base/pace.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
/// The scratch buffer while a connection sends big messages: the next header and hardly more, so that the
/// payload behind it goes straight to its slot instead of through the scratch buffer.
constexpr size_t kBulkScratchBytes = 256;
/// A connection that has sent this much lets the others go first.
constexpr size_t kReadBudgetBytes = 4u << 20;
constexpr size_t kRetriesPerTurn = 512;
/// Of all files together: a turn is over before anybody notices, though the files come from a disk.
constexpr size_t kFileBytesPerTurn = 4u << 20;
}  // namespace

// -- Input

void Reactor::schedule(Connection& connection) {
    if (connection.scheduled) return;
    connection.scheduled = true;
    scheduled_.push_back(connection.id);
}

void Reactor::resume(Connection& connection) {
    connection.blocked = false;
    schedule(connection);
}

void Reactor::wait_for_resources(Connection& connection) {
    if (connection.waiting) return;
    connection.waiting = true;
    waiting_.push_back(connection.id);
}

void Reactor::retry_waiting() {
    size_t count = std::min(waiting_.size(), kRetriesPerTurn);
    retrying_.assign(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
    for (ConnectionId id : retrying_) {
        if (Connection* connection = find(id)) {
            connection->waiting = false;
            serve(*connection);
        }
    }
}

void Reactor::serve(Connection& connection) {
    switch (connection.phase) {
        case Phase::kOpen: break;
        case Phase::kFinishing:
        case Phase::kLingering: discard_input(connection); return;
        case Phase::kGone: settle(connection); return;
    }
    if (connection.blocked && connection.hung_up) {
        abort(connection);
        return;
    }
    if (connection.blocked || connection.waiting || connection.stopping) return;
    if (connection.awaits_proxy && !read_proxy_header(connection)) return;
    if (connection.tls && !connection.tls->is_ready() && !shake_hands(connection)) return;
    ConnectionId id = connection.id;
    std::unique_ptr<std::string> pending = std::move(connection.pending);
    const Progress progress = consume(connection, pending ? std::span<char>(*pending) : std::span<char>());
    if (connection.stream) settle_input(connection);
    if (progress != Progress::kMore) return;
    if (find(id) == &connection) read_from(connection);
}

/// Gives input to the session and keeps what it leaves. Anything but kMore: do not go on with this connection
/// now.
Progress Reactor::consume(Connection& connection, std::span<char> input) {
    Progress progress;
    do {
        progress = connection.session->consume(*this, connection, input);
    } while (progress == Progress::kSwitched);
    connection.progressed = false;
    switch (progress) {
        case Progress::kMore:
        case Progress::kClosed: return progress;
        case Progress::kWait: wait_for_resources(connection); break;
        case Progress::kBlocked:
            connection.blocked = true;
            // It left while its request waited for a worker: no further event will tell.
            if (connection.hung_up) schedule(connection);
            break;
        case Progress::kSwitched: break;
    }
    if (!input.empty()) connection.pending = std::make_unique<std::string>(input.data(), input.size());
    return progress;
}

void Reactor::read_from(Connection& connection) {
    ConnectionId id = connection.id;
    size_t budget = kReadBudgetBytes;
    while (connection.readable && !connection.read_ended) {
        Session& session = *connection.session;
        const std::span<char> window = session.window();
        size_t scratch = !window.empty() || session.receives_in_bulk() ? kBulkScratchBytes : scratch_.size();
        iovec parts[2] = {{window.data(), window.size()}, {scratch_.data(), scratch}};
        ssize_t got = connection.tls   ? receive_tls(connection, parts, 2)
                      : window.empty() ? recv(connection.fd.get(), scratch_.data(), scratch, MSG_DONTWAIT)
                                       : readv(connection.fd.get(), parts, 2);
        if (got < 0) {
            if (errno == EINTR) continue;
            if (errno == EAGAIN) {
                connection.readable = false;
                return;
            }
            abort(connection);
            return;
        }
        if (got == 0) {
            connection.read_ended = true;
            session.ended(*this, connection);
            return;
        }
        size_t bytes = static_cast<size_t>(got);
        bytes_received_ += bytes;
        connection.active_ms = now_ms_;
        // A short read has emptied the socket, so the next event will tell; but not if the end is what
        // follows.
        if (bytes < window.size() + scratch && !connection.peer_shut && !connection.tls)
            connection.readable = false;
        connection.progressed = true;
        size_t direct = std::min(bytes, window.size());
        if (direct) session.filled(direct);
        // Also when what has come is known to be wrong: the rest is not waited for then.
        if (direct == 0 || session.window().empty()) {
            if (consume(connection, {scratch_.data(), bytes - direct}) != Progress::kMore) return;
            if (find(id) != &connection || connection.phase != Phase::kOpen) return;
        } else {
            session.progressed(*this, connection);
        }
        if (bytes >= budget) {
            if (connection.readable) schedule(connection);
            return;
        }
        budget -= bytes;
    }
}

void Reactor::discard_input(Connection& connection) {
    for (int i = 0; i < 16 && connection.readable; ++i) {
        ssize_t got = recv(connection.fd.get(), scratch_.data(), scratch_.size(), MSG_DONTWAIT);
        if (got > 0) continue;
        if (got < 0 && errno == EAGAIN) {
            connection.readable = false;
        } else if (got == 0) {
            connection.read_ended = true;
            connection.readable = false;
            if (connection.phase == Phase::kLingering) move_to(connection, Phase::kGone);
        } else {
            move_to(connection, Phase::kGone);
        }
        return;
    }
    if (connection.readable) schedule(connection);
}

// -- Output

void Reactor::wants_flush(Connection& connection) {
    if (connection.stream) {
        stream_wants_flush(connection);
        return;
    }
    if (connection.dirty || connection.phase >= Phase::kLingering) return;
    connection.dirty = true;
    dirty_.push_back(connection.id);
}

void Reactor::flush_dirty() {
    file_budget_ = kFileBytesPerTurn;
    flushing_.swap(dirty_);
    for (ConnectionId id : flushing_) {
        Connection* connection = find(id);
        if (!connection) continue;
        connection->dirty = false;
        flush(*connection);
    }
    flushing_.clear();
    dirty_.insert(dirty_.begin(), starved_.begin(), starved_.end());
    starved_.clear();
}

void Reactor::flush(Connection& connection) {
    if (connection.phase >= Phase::kLingering) return;
    connection.session->fill_queue(connection);
    if (connection.writable && !connection.out.empty()) {
        uint64_t sent = 0;
        const size_t offered = std::min(file_budget_, OutQueue::kFileBytesAtOnce);
        size_t budget = offered;
        OutQueue::Flushed flushed = connection.tls ? connection.out.flush(*connection.tls, sent, budget)
                                                   : connection.out.flush(connection.fd.get(), sent, budget);
        bytes_sent_ += sent;
        if (sent) connection.active_ms = now_ms_;
        file_budget_ -= offered - budget;
        if (flushed == OutQueue::Flushed::kShrunk) {
            SLUICE_WARNING(
                "a file became shorter while it was sent, %llu bytes are missing; the connection is cut",
                static_cast<unsigned long long>(connection.out.file_bytes()));
            flushed = OutQueue::Flushed::kBroken;
        }
        if (flushed == OutQueue::Flushed::kBroken) {
            abort(connection);
            return;
        }
        if (flushed == OutQueue::Flushed::kYielded) {
            connection.write_deadline_ms = 0;
            connection.dirty = true;
            (sent ? dirty_ : starved_).push_back(connection.id);
        } else if (flushed == OutQueue::Flushed::kBlocked) {
            connection.writable = false;
            if (connection.write_deadline_ms == 0) {
                connection.write_deadline_ms = now_ms_ + limits_.write_ms;
                arm(connection);
            } else if (sent) {
                connection.write_deadline_ms =
                    moved_deadline(connection.write_deadline_ms, now_ms_, sent, limits_.write_ms,
                                   limits_.write_bytes_per_second);
                arm(connection);
            }
        } else {
            connection.write_deadline_ms = 0;
            connection.session->sent(*this, connection);
        }
    }
    cells().note_queued(connection.id, connection.queued_bytes());
    answer_about_room(connection);
    if (connection.phase == Phase::kFinishing && connection.out.empty())
        move_to(connection, Phase::kLingering);
}

}  // namespace sluice
