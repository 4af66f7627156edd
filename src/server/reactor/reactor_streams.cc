// What a reactor does differently for a connection that is a stream of another one.

#include <algorithm>

#include "base/pace.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
bool is_idle(const Connection& stream) {
    return !stream.pending && !stream.waiting && !stream.blocked;
}
}  // namespace

Connection* Reactor::open_stream(const Connection& parent) {
    // The table has twice the places that connections may take, and one place is always free.
    if (streams_ >= limits_.connections || connections_ >= mask_) return nullptr;
    Connection& stream = add_connection({}, parent.endpoint, cells().peer(parent.id));
    ++streams_;
    stream.trusted = parent.trusted;
    cells().take_peer_of(stream.id, parent.id);
    return &stream;
}

void Reactor::receive_for_stream(Connection& stream, std::span<char> input) {
    if (!input.empty()) stream.active_ms = now_ms_;
    if (stream.phase == Phase::kOpen) {
        stream.progressed = !input.empty();
        if (stream.pending) {
            stream.pending->append(input.data(), input.size());
        } else if (stream.waiting || stream.blocked || stream.stopping) {
            if (!input.empty()) stream.pending = std::make_unique<std::string>(input.data(), input.size());
        } else {
            consume(stream, input);
        }
    }
    settle_input(stream);
}

/// What the session has taken is credited to the client, and the end of the input told when it has come to
/// it.
void Reactor::settle_input(Connection& connection) {
    Stream* stream = connection.stream.get();
    if (!stream || stream->is_over()) return;
    const size_t kept = connection.pending ? std::min(stream->held_bytes, connection.pending->size()) : 0;
    stream->credit(stream->held_bytes - kept);
    if (!stream->input_ended || connection.read_ended || !is_idle(connection)) return;
    if (connection.phase == Phase::kOpen && !connection.session->is_conversation()) return;
    connection.read_ended = true;
    if (connection.phase == Phase::kOpen) connection.session->ended(*this, connection);
}

void Reactor::stream_wants_flush(Connection& stream) {
    if (stream.stream->is_over() || stream.phase >= Phase::kLingering) return;
    stream.stream->wants_flush();
    if (stream.write_deadline_ms || stream.out.empty()) return;
    stream.write_deadline_ms = now_ms_ + limits_.write_ms;
    arm(stream);
}

void Reactor::stream_progressed(Connection& stream, size_t bytes) {
    stream.active_ms = now_ms_;
    stream.session->fill_queue(stream);
    stream.write_deadline_ms = stream.out.empty()
                                   ? 0
                                   : moved_deadline(stream.write_deadline_ms, now_ms_, bytes,
                                                    limits_.write_ms, limits_.write_bytes_per_second);
    arm(stream);
    cells().note_queued(stream.id, stream.queued_bytes());
    answer_about_room(stream);
}

void Reactor::stream_sent(Connection& stream) {
    stream.write_deadline_ms = 0;
    if (stream.stream->input_ended || stream.phase >= Phase::kLingering) return;
    if (!stream.session->is_conversation()) {
        // RFC 9113 8.1: the client need not go on with a body that nobody reads.
        stream.stream->want_no_more();
    } else if (stream.phase == Phase::kFinishing) {
        move_to(stream, Phase::kLingering);
    }
}

}  // namespace sluice
