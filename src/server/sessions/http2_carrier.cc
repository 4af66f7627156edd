#include "server/sessions/http2_carrier.h"

#include "protocol/http/http1_response.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
/// So much is taken out of the streams' queues before the socket has taken it: what stands here goes in its
/// order, what is still with its stream lets others pass.
constexpr size_t kAheadBytes = 256 * 1024;
/// While the server drains, how long streams are still taken that the client may just have begun.
constexpr uint32_t kLastRequestMs = 250;

http2::Limits http2_limits(const Limits& limits) {
    http2::Limits result;
    result.head_bytes = limits.head_bytes;
    result.header_fields = limits.header_fields;
    result.concurrent_streams = limits.concurrent_streams;
    result.stream_resets = limits.stream_resets;
    result.pings = limits.pings;
    result.settings_frames = limits.settings_frames;
    result.empty_frames = limits.empty_frames;
    result.continuations = limits.continuations;
    return result;
}
}  // namespace

Http2Carrier::Http2Carrier(Reactor& reactor, Connection& self)
    : reactor_(reactor),
      self_(self),
      server_(http2_limits(reactor.limits()), reactor.shared_parser(), *this) {
    // For the client's first settings; then as for any head.
    reactor_.set_deadline(self_, reactor_.limits().head_ms);
    head_due_ = true;
    reactor_.wants_flush(self_);
}

Http2Carrier::~Http2Carrier() {
    for (auto& [number, stream] : streams_)
        stream->stream->carrier = nullptr;
}

bool Http2Carrier::receive(std::span<char> input) {
    const bool goes_on = server_.receive(input, reactor_.now_ms());
    reactor_.wants_flush(self_);
    if (!goes_on) {
        fail_all();
        return false;
    }
    set_deadline();
    return true;
}

/// The connection has an error; what it is has been queued.
void Http2Carrier::fail_all() {
    abort_streams();
    reactor_.finish(self_);
}

void Http2Carrier::fill() {
    while (self_.out.bytes() + self_.out.file_bytes() < kAheadBytes) {
        const std::string_view bytes = server_.next_output();
        if (bytes.empty()) break;
        self_.out.append(bytes);
    }
    if (self_.phase != Phase::kOpen) return;
    if (server_.is_failed()) {
        fail_all();
        return;
    }
    set_deadline();
}

void Http2Carrier::set_deadline() {
    if (self_.phase != Phase::kOpen) return;
    if (stopping_ == Stopping::kEnding && streams_.empty() && server_.streams() == 0) {
        reactor_.finish(self_);
        return;
    }
    if (stopping_ == Stopping::kAnnounced) return;
    const bool in_head = server_.in_head() || !server_.is_ready();
    const bool idle = !in_head && server_.streams() == 0;
    if (in_head != head_due_ || idle != idle_) {
        reactor_.set_deadline(self_, in_head ? reactor_.limits().head_ms
                                     : idle  ? reactor_.limits().keep_alive_ms
                                             : 0);
    }
    head_due_ = in_head;
    idle_ = idle;
}

void Http2Carrier::deadline() {
    if (stopping_ == Stopping::kAnnounced) {
        stopping_ = Stopping::kEnding;
        server_.end();
        reactor_.wants_flush(self_);
        set_deadline();
        return;
    }
    if (head_due_) {
        server_.fail(http2::ErrorCode::kEnhanceYourCalm, "the request head did not arrive in time");
    } else {
        server_.end();
    }
    fail_all();
}

void Http2Carrier::stop() {
    if (stopping_ != Stopping::kNo) return;
    stopping_ = Stopping::kAnnounced;
    server_.announce_end();
    reactor_.wants_flush(self_);
    reactor_.set_deadline(self_, kLastRequestMs);
}

void Http2Carrier::abort_streams() {
    while (!streams_.empty())
        reactor_.abort(*streams_.begin()->second);
}

size_t Http2Carrier::queued_bytes() const {
    size_t bytes = self_.out.bytes();
    for (const auto& [number, stream] : streams_)
        bytes += stream->out.bytes();
    return bytes;
}

Connection* Http2Carrier::find(int32_t number) const {
    auto found = streams_.find(number);
    return found == streams_.end() ? nullptr : found->second;
}

// -- For the streams

void Http2Carrier::wants_flush(Connection& stream) {
    server_.resume(stream.stream->number);
    reactor_.wants_flush(self_);
}

void Http2Carrier::let_go(Http2Stream& stream, http2::ErrorCode code) {
    streams_.erase(stream.number);
    server_.credit(stream.number, stream.held_bytes);
    stream.held_bytes = 0;
    stream.carrier = nullptr;
    server_.reset(stream.number, code);
    reactor_.wants_flush(self_);
}

void Http2Carrier::credit(Http2Stream& stream, size_t bytes) {
    if (!bytes) return;
    stream.held_bytes -= bytes;
    server_.credit(stream.number, bytes);
    reactor_.wants_flush(self_);
}

// -- http2::Events

bool Http2Carrier::on_request(int32_t number, const http2::RequestBuilder& request,
                              std::span<const http::Field> fields) {
    // A client that asks and does not read must not pile up answers.
    if (queued_bytes() > reactor_.limits().queued_bytes) return false;
    if (request.wants_unknown_protocol()) {
        on_bad_request(number, {501, "the only protocol that CONNECT can open here is websocket"}, false);
        return true;
    }
    Connection* stream = reactor_.open_stream(*this, number);
    if (!stream) return false;
    streams_.emplace(number, stream);
    http::RequestHead head = request.head();
    stream->stream->wraps_body = head.chunked;
    std::get<HttpSession>(stream->session).begin_stream(reactor_, *stream, head, fields, request.text());
    reactor_.receive_for_stream(*stream, {});
    return true;
}

void Http2Carrier::on_bad_request(int32_t number, const http::Error& error, bool is_head) {
    std::string body = error.reason;
    body += '\n';
    server_.respond(number, error.status, reactor_.date(), "content-type: text/plain; charset=utf-8\r\n",
                    body.size(), !is_head);
    if (!is_head) refusals_.emplace(number, std::move(body));
    reactor_.wants_flush(self_);
}

void Http2Carrier::on_data(int32_t number, std::span<char> bytes) {
    Connection* stream = find(number);
    if (!stream) {
        server_.credit(number, bytes.size());
        return;
    }
    stream->stream->held_bytes += bytes.size();
    if (stream->stream->wraps_body && std::holds_alternative<HttpSession>(stream->session)) {
        char head[http1::kChunkHeadBound];
        reactor_.receive_for_stream(*stream, {head, http1::write_chunk_head(bytes.size(), head)});
        if (find(number)) reactor_.receive_for_stream(*stream, bytes);
        char end[] = {'\r', '\n'};
        if (find(number)) reactor_.receive_for_stream(*stream, end);
        return;
    }
    reactor_.receive_for_stream(*stream, bytes);
}

void Http2Carrier::on_end(int32_t number) {
    Connection* stream = find(number);
    if (!stream) return;
    stream->stream->input_ended = true;
    if (stream->stream->wraps_body && std::holds_alternative<HttpSession>(stream->session)) {
        char end[] = {'0', '\r', '\n', '\r', '\n'};
        reactor_.receive_for_stream(*stream, end);
        return;
    }
    reactor_.receive_for_stream(*stream, {});
}

void Http2Carrier::on_response_sent(int32_t number) {
    refusals_.erase(number);
    Connection* stream = find(number);
    if (!stream) {
        // The answer to a bad request: what the client still sends with it is of no use.
        if (!server_.input_ended(number)) server_.reset(number, http2::ErrorCode::kNone);
        return;
    }
    stream->stream->output_ended = true;
    reactor_.stream_sent(*stream);
}

void Http2Carrier::on_closed(int32_t number) {
    refusals_.erase(number);
    Connection* stream = find(number);
    if (!stream) return;
    streams_.erase(number);
    server_.credit(number, stream->stream->held_bytes);
    stream->stream->held_bytes = 0;
    stream->stream->carrier = nullptr;
    reactor_.abort(*stream);
}

http2::Events::Available Http2Carrier::available(int32_t number) {
    if (auto refusal = refusals_.find(number); refusal != refusals_.end()) {
        return {refusal->second.size(), true};
    }
    const Connection* stream = find(number);
    if (!stream) return {};
    return {stream->out.bytes() + stream->out.file_bytes(), stream->phase != Phase::kOpen};
}

http2::Events::Written Http2Carrier::write_data(int32_t number, std::string_view frame_head, size_t bytes) {
    if (self_.out.bytes() + self_.out.file_bytes() >= kAheadBytes) return Written::kNotNow;
    if (auto refusal = refusals_.find(number); refusal != refusals_.end()) {
        self_.out.append(frame_head);
        self_.out.append(refusal->second.substr(0, bytes));
        refusal->second.erase(0, bytes);
        return Written::kAll;
    }
    Connection* stream = find(number);
    if (!stream) return Written::kGone;
    self_.out.append(frame_head);
    stream->out.move_to(self_.out, bytes);
    reactor_.stream_progressed(*stream, bytes);
    return Written::kAll;
}

}  // namespace sluice
