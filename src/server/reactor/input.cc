#include "server/reactor/input.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

#include "protocol/http/error_page.h"
#include "protocol/http/http1_parser.h"
#include "protocol/http/http1_response.h"
#include "server/config/endpoints.h"
#include "server/reactor/admission.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/proxy_headers.h"
#include "server/reactor/serve_list.h"

namespace sluice {

namespace {
constexpr size_t kScratchBytes = 65536;
/// Size of the scratch buffer while a connection sends big messages: hardly more than the next header, so
/// that the payload behind it goes straight to its extent.
constexpr size_t kBulkScratchBytes = 256;
/// What is read at a time of a client that does not wait for its answers, and of all while many wait: it is
/// kept until their turn comes. What is not read waits in the client's memory at last.
constexpr size_t kKeptScratchBytes = 4096;
/// The same of one among others who send many frames at once.
constexpr size_t kDeferredScratchBytes = 16384;
/// When so much of a message is still to come, it is a big one. A smaller rest is read together with the
/// messages behind it: the read would end within one of them, and so would all reads after it.
constexpr size_t kBulkWindowBytes = 32768;
/// After this many bytes a connection yields to the others.
constexpr size_t kReadBudgetBytes = 4u << 20;
constexpr int kDiscardsAtOnce = 16;

bool is_idle(const Connection& stream) {
    return !stream.pending && !stream.waiting && !stream.blocked;
}
}  // namespace

Input::Input(const Wiring& wiring) : to_(wiring), scratch_(kScratchBytes) {}

void Input::serve(Connection& connection) {
    switch (connection.phase) {
        case Phase::kOpen: break;
        case Phase::kFinishing:
        case Phase::kLingering: discard(connection); return;
        case Phase::kGone: to_.life.settle(connection); return;
    }
    if (connection.blocked && connection.hung_up) {
        to_.life.abort(connection);
        return;
    }
    if (connection.blocked || connection.waiting || connection.stopping) return;
    if (connection.awaits_proxy && !read_proxy_header(connection)) return;
    if (connection.tls() && !connection.tls()->is_ready() && !shake_hands(connection)) return;
    const ConnectionId id = connection.id;
    std::unique_ptr<PendingInput> pending = std::move(connection.pending);
    const std::span<char> input = pending ? pending->rest() : std::span<char>();
    const Progress progress = consume(connection, input, std::move(pending));
    if (connection.stream()) settle_stream(connection);
    if (progress != Progress::kMore) return;
    if (to_.table.find(id) == &connection) read_from(connection);
}

/// True when the bytes behind a PROXY header may be read.
bool Input::read_proxy_header(Connection& connection) {
    switch (to_.proxies.read(connection, scratch_)) {
        case ProxyHeaders::Outcome::kDone: return true;
        case ProxyHeaders::Outcome::kNothing:
            if (connection.readable) to_.serve_list.schedule(connection);
            // A client that comes without a proxy may wait for the server to speak first.
            if (!connection.trusted && !connection.tls()) consume(connection, {});
            return false;
        case ProxyHeaders::Outcome::kAwaiting: return false;
        case ProxyHeaders::Outcome::kRefused: break;
    }
    to_.life.abort(connection);
    return false;
}

/// True when the TLS handshake is done. Otherwise it waits for the peer, or has failed and the connection
/// ends.
bool Input::shake_hands(Connection& connection) {
    TlsStream& tls = *connection.tls();
    if (!tls.has_received() && answer_plain_http(connection)) {
        HistogramCell::add(to_.commons.figures.tls_handshake_failures, 1);
        connection.carrier.reset();
        to_.life.finish(connection);
        return false;
    }
    switch (tls.handshake()) {
        case TlsStream::Outcome::kDone: HistogramCell::add(to_.commons.figures.tls_handshakes, 1); break;
        case TlsStream::Outcome::kBlocked: return false;
        case TlsStream::Outcome::kEnd:
        case TlsStream::Outcome::kBroken:
            HistogramCell::add(to_.commons.figures.tls_handshake_failures, 1);
            // OpenSSL has sent its alert already. The answer goes in clear text, and lingers so that it
            // arrives.
            connection.carrier.reset();
            to_.life.finish(connection);
            return false;
    }
    connection.session->connected(to_.host, connection);
    if (!to_.commons.shutting_down) return true;
    to_.life.stop(connection);
    return connection.phase == Phase::kOpen;
}

/// True when the client has sent a request in clear text to a TLS listener: it begins with a letter, unlike
/// TLS records.
bool Input::answer_plain_http(Connection& connection) {
    if ((*to_.commons.endpoints)[connection.endpoint].spec.kind != EndpointKind::kHttp) return false;
    const ssize_t got = recv(connection.fd.get(), scratch_.data(), scratch_.size(), MSG_PEEK | MSG_DONTWAIT);
    if (got <= 0 || scratch_[0] < 'A' || scratch_[0] > 'Z') return false;
    http1::HeadParser parser;
    auto wanted = http::ErrorFormat::kAny;
    if (parser.parse({scratch_.data(), static_cast<size_t>(got)}) == http1::HeadParser::Status::kDone)
        wanted = http::wanted_format(parser.fields(), scratch_.data());
    const http::ErrorPage page =
        http::make_error_page((*to_.commons.endpoints)[connection.endpoint].spec.error_pages.get(), wanted,
                              {400, "this port speaks HTTPS: use a URL with https://", 1});
    http1::ResponseHead head;
    head.status = 400;
    head.fields = page.fields;
    head.length = page.body.size();
    head.keep_alive = false;
    char* place = connection.out.reserve(http1::head_bound(head));
    connection.out.advance(http1::write_head(head, to_.commons.date, {place, http1::head_bound(head)}));
    if (parser.head().method != http::Method::kHead) connection.out.append(page.body);
    return true;
}

/// Gives input to the session and keeps the rest, in `owner` if that has it. On anything but kMore stop
/// reading this connection.
Progress Input::consume(Connection& connection, std::span<char> input, std::unique_ptr<PendingInput> owner) {
    Progress progress;
    do {
        progress = connection.session->consume(to_.host, connection, input);
    } while (progress == Progress::kSwitched);
    connection.progressed = false;
    switch (progress) {
        case Progress::kMore:
        case Progress::kClosed: return progress;
        case Progress::kWait: to_.admission.wait(connection); break;
        case Progress::kYield: to_.serve_list.schedule(connection); break;
        case Progress::kBlocked:
            connection.blocked = true;
            // The client left while its request waited for a worker: no further event will come.
            if (connection.hung_up) to_.serve_list.schedule(connection);
            break;
        case Progress::kSwitched: break;
    }
    if (!input.empty()) {
        if (owner && owner->keep(input)) {
            connection.pending = std::move(owner);
        } else {
            connection.pending = std::make_unique<PendingInput>(input);
        }
    }
    // It came after begin_shutdown(), and nothing will come free any more.
    if (progress == Progress::kWait && to_.commons.shutting_down &&
        to_.commons.transport.is_short_of_memory())
        to_.life.stop(connection);
    return progress;
}

void Input::read_from(Connection& connection) {
    const ConnectionId id = connection.id;
    // Those who send much at once share a part of each turn, and take turns in it.
    const bool sends_much = ServeList::sends_much(connection);
    const size_t room = sends_much && to_.serve_list.has_deferred() ? kDeferredScratchBytes : scratch_.size();
    size_t budget = sends_much ? room : kReadBudgetBytes;
    bool is_first = true;
    while (connection.readable && !connection.read_ended) {
        Session& session = *connection.session;
        const std::span<char> window = session.window();
        const bool in_bulk = window.size() >= kBulkWindowBytes || session.receives_in_bulk();
        const bool is_kept = connection.is_backlogged || to_.admission.has_many_waiting();
        const size_t scratch = in_bulk ? kBulkScratchBytes : is_kept ? kKeptScratchBytes : room;
        const iovec parts[2] = {{window.data(), window.size()}, {scratch_.data(), scratch}};
        const ssize_t got =
            window.empty() ? receive(connection, parts + 1, 1) : receive(connection, parts, 2);
        if (got < 0) {
            if (errno == EINTR) continue;
            if (errno == EAGAIN) {
                connection.readable = false;
                return;
            }
            to_.life.abort(connection);
            return;
        }
        if (got == 0) {
            connection.read_ended = true;
            session.ended(to_.host, connection);
            return;
        }
        // Halved, or every second time would count for nothing.
        if (std::exchange(is_first, false)) connection.at_once /= 2;
        const size_t bytes = static_cast<size_t>(got);
        bytes_received_ += bytes;
        connection.active_ms = to_.commons.now_ms;
        // A short read has emptied the socket: wait for the next event. But not if the peer has shut down:
        // then no event follows.
        if (bytes < window.size() + scratch && !connection.peer_shut && !connection.tls())
            connection.readable = false;
        connection.progressed = true;
        const size_t direct = std::min(bytes, window.size());
        if (direct) session.filled(direct);
        // Also when the session has found an error: do not wait for the rest.
        if (direct == 0 || direct < bytes || session.window().empty()) {
            if (consume(connection, {scratch_.data(), bytes - direct}) != Progress::kMore) return;
            if (to_.table.find(id) != &connection || connection.phase != Phase::kOpen) return;
        } else {
            session.progressed(to_.host, connection);
        }
        if (bytes >= budget) {
            if (connection.readable) to_.serve_list.schedule(connection);
            return;
        }
        budget -= bytes;
    }
}

/// As readv(2) on a non-blocking socket.
ssize_t Input::receive(Connection& connection, const iovec* parts, int count) {
    if (connection.tls()) return receive_tls(connection, parts, count);
    if (count > 1) return readv(connection.fd.get(), parts, count);
    return recv(connection.fd.get(), parts->iov_base, parts->iov_len, MSG_DONTWAIT);
}

ssize_t Input::receive_tls(Connection& connection, const iovec* parts, int count) {
    TlsStream& tls = *connection.tls();
    size_t bytes = 0;
    switch (tls.read(parts, count, bytes)) {
        case TlsStream::Outcome::kDone:
            if (tls.is_drained()) connection.readable = false;
            return static_cast<ssize_t>(bytes);
        case TlsStream::Outcome::kEnd: return 0;
        case TlsStream::Outcome::kBlocked: errno = EAGAIN; return -1;
        case TlsStream::Outcome::kBroken: break;
    }
    errno = ECONNRESET;
    return -1;
}

/// Reads and drops input of a connection that ends.
void Input::discard(Connection& connection) {
    for (int i = 0; i < kDiscardsAtOnce && connection.readable; ++i) {
        const ssize_t got = recv(connection.fd.get(), scratch_.data(), scratch_.size(), MSG_DONTWAIT);
        if (got > 0) continue;
        if (got < 0 && errno == EAGAIN) {
            connection.readable = false;
        } else if (got == 0) {
            connection.read_ended = true;
            connection.readable = false;
            if (connection.phase == Phase::kLingering) to_.life.abort(connection);
        } else {
            to_.life.abort(connection);
        }
        return;
    }
    if (connection.readable) to_.serve_list.schedule(connection);
}

// -- Streams

void Input::receive_for_stream(Connection& stream, std::span<char> input) {
    if (!input.empty()) {
        stream.active_ms = to_.commons.now_ms;
        stream.at_once = 0;
    }
    if (stream.phase == Phase::kOpen) {
        stream.progressed = !input.empty();
        if (stream.pending) {
            stream.pending->bytes.append(input.data(), input.size());
        } else if (stream.waiting || stream.blocked || stream.stopping) {
            if (!input.empty()) stream.pending = std::make_unique<PendingInput>(input);
        } else {
            consume(stream, input);
        }
    }
    settle_stream(stream);
}

/// Credits the client for what the session has taken, and reports the end of input once the session has
/// reached it.
void Input::settle_stream(Connection& connection) {
    Stream* stream = connection.stream();
    if (stream->is_over()) return;
    const size_t kept = connection.pending ? std::min(stream->held_bytes, connection.pending->size()) : 0;
    stream->credit(stream->held_bytes - kept);
    if (!stream->input_ended || connection.read_ended || !is_idle(connection)) return;
    if (connection.phase == Phase::kOpen && !connection.session->is_conversation()) return;
    connection.read_ended = true;
    if (connection.phase == Phase::kOpen) connection.session->ended(to_.host, connection);
}

}  // namespace sluice
