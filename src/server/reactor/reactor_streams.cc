// What a reactor does differently for a connection that is a stream of another one.

#include <algorithm>

#include "base/pace.h"
#include "server/sessions/http2_carrier.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
bool is_idle(const Connection& stream) {
    return !stream.pending && !stream.waiting && !stream.blocked;
}
}  // namespace

/// nullptr: there are too many.
Connection* Reactor::open_stream(Http2Carrier& carrier, int32_t number) {
    // The table has twice the places that connections may take, and one place is always free.
    if (streams_ >= limits_.connections || connections_ >= mask_) return nullptr;
    const Connection& parent = carrier.connection();
    Connection& stream = add_connection({}, parent.endpoint, layout_.connection(parent.id).peer);
    ++streams_;
    stream.stream = std::make_unique<Http2Stream>(carrier, stream.id, number, parent.tls != nullptr);
    stream.trusted = parent.trusted;
    if (layout_.connection(parent.id).proxied.load(std::memory_order_relaxed)) {
        layout_.proxy(stream.id) = layout_.proxy(parent.id);
        layout_.connection(stream.id).proxied.store(true, std::memory_order_relaxed);
    }
    set_deadline(stream, limits_.head_ms);
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
    Http2Stream* stream = connection.stream.get();
    if (!stream || !stream->carrier) return;
    const size_t kept = connection.pending ? std::min(stream->held_bytes, connection.pending->size()) : 0;
    stream->carrier->credit(*stream, stream->held_bytes - kept);
    if (!stream->input_ended || connection.read_ended || !is_idle(connection)) return;
    if (connection.phase == Phase::kOpen && std::holds_alternative<HttpSession>(connection.session)) return;
    connection.read_ended = true;
    if (connection.phase == Phase::kOpen) input_ended(connection);
}

void Reactor::stream_wants_flush(Connection& stream) {
    if (!stream.stream->carrier || stream.phase >= Phase::kLingering) return;
    stream.stream->carrier->wants_flush(stream);
    if (stream.write_deadline_ms || stream.out.empty()) return;
    stream.write_deadline_ms = now_ms_ + limits_.write_ms;
    arm(stream);
}

void Reactor::stream_progressed(Connection& stream, size_t bytes) {
    stream.active_ms = now_ms_;
    if (auto* websocket = std::get_if<WebSocketSession>(&stream.session)) websocket->hand_on(stream);
    stream.write_deadline_ms = stream.out.empty()
                                   ? 0
                                   : moved_deadline(stream.write_deadline_ms, now_ms_, bytes,
                                                    limits_.write_ms, limits_.write_bytes_per_second);
    arm(stream);
    layout_.connection(stream.id).queued_bytes.store(queued_bytes(stream), std::memory_order_relaxed);
    answer_about_room(stream);
}

void Reactor::stream_sent(Connection& stream) {
    stream.write_deadline_ms = 0;
    if (stream.stream->input_ended || stream.phase >= Phase::kLingering) return;
    if (std::holds_alternative<HttpSession>(stream.session)) {
        // RFC 9113 8.1: the client need not go on with a body that nobody reads.
        stream.stream->carrier->server().reset(stream.stream->number, http2::ErrorCode::kNone);
    } else if (stream.phase == Phase::kFinishing) {
        move_to(stream, Phase::kLingering);
    }
}

}  // namespace sluice
