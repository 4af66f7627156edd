#include "server/sessions/http2_carrier.h"

#include "protocol/http/http1_response.h"
#include "server/config/limits.h"

namespace sluice {

namespace {
/// How much is taken out of the streams' queues ahead of the socket: bytes taken have a fixed order, bytes
/// left with their stream can be overtaken.
constexpr size_t kAheadBytes = 256 * 1024;
/// While the server drains, how long it takes new streams that the client may just have begun.
constexpr uint32_t kLastRequestMs = 250;

http2::Limits http2_limits(const HttpLimits& all, const Http2Limits& limits) {
    http2::Limits result;
    result.head_bytes = all.head_bytes;
    result.header_fields = all.header_fields;
    result.concurrent_streams = limits.concurrent_streams;
    result.stream_resets = limits.stream_resets;
    result.pings = limits.pings;
    result.settings_frames = limits.settings_frames;
    result.empty_frames = limits.empty_frames;
    result.continuations = limits.continuations;
    return result;
}
/// HttpSession reads a body by its length or by chunks: frame others as chunks.
bool wants_chunks(Connection& stream) {
    return stream_of(stream).wraps_body && !stream.session->is_conversation();
}
}  // namespace

bool may_follow(Http2State state, Http2State next) {
    return next > state && (next != Http2State::kEnding || state == Http2State::kAnnounced);
}

Http2Carrier::Http2Carrier(SessionHost& host, Connection& self)
    : host_(host),
      self_(self),
      server_(
          http2_limits(host.site_limits(self.endpoint), host.endpoints()[self.endpoint].spec.limits.http2),
          host.shared_parser(), *this) {
    // The deadline of the client's first SETTINGS, then of each head.
    host_.set_deadline(self_, host_.site_limits(self_.endpoint).head_ms);
    host_.wants_flush(self_);
}

Http2Carrier::~Http2Carrier() {
    for (auto& [number, stream] : streams_)
        stream_of(*stream).cut_off();
}

bool Http2Carrier::receive(std::span<char> input) {
    const uint64_t frames = server_.frames();
    const size_t bytes = input.size();
    const bool goes_on = server_.receive(input, host_.now_ms());
    self_.count_frames(server_.frames() - frames, bytes);
    host_.wants_flush(self_);
    if (!goes_on) {
        fail_all();
        return false;
    }
    set_deadline();
    return true;
}

/// The connection has failed, and its GOAWAY is queued.
void Http2Carrier::fail_all() {
    abort_streams();
    finish();
}

void Http2Carrier::finish() {
    if (state_ != State::kEnded) state_.move_to(State::kEnded);
    host_.finish(self_);
}

Activity Http2Carrier::activity() const {
    if (server_.in_head()) return Activity::kReading;
    return server_.streams() > 0 ? Activity::kHandling : Activity::kNothing;
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
    if (server_.is_over()) {
        // RFC 9113 6.8: GOAWAY tells the client which of its streams were processed.
        if (state_ != State::kEnding) server_.end();
        self_.out.append(server_.next_output());
        finish();
        return;
    }
    if (state_ == State::kAnnounced) return;
    const Awaited awaited = server_.in_head() || !server_.is_ready() ? Awaited::kHead
                            : server_.streams() == 0                 ? Awaited::kRequest
                                                                     : Awaited::kNothing;
    if (awaited == awaited_) return;
    awaited_ = awaited;
    const HttpLimits& limits = host_.site_limits(self_.endpoint);
    host_.set_deadline(self_, awaited == Awaited::kHead      ? limits.head_ms
                              : awaited == Awaited::kRequest ? limits.keep_alive_ms
                                                             : 0);
}

void Http2Carrier::deadline() {
    if (state_ == State::kAnnounced) {
        state_.move_to(State::kEnding);
        server_.end();
        host_.wants_flush(self_);
        set_deadline();
        return;
    }
    if (self_.awaits_server()) {
        const HttpLimits& limits = host_.site_limits(self_.endpoint);
        host_.set_deadline(self_, awaited_ == Awaited::kHead ? limits.head_ms : limits.keep_alive_ms);
        return;
    }
    if (awaited_ == Awaited::kHead) {
        host_.count_refusal("headSeconds");
        server_.fail(http2::ErrorCode::kEnhanceYourCalm, "the request head did not arrive in time");
    } else {
        server_.end();
    }
    fail_all();
}

void Http2Carrier::stop() {
    if (state_ != State::kServing) return;
    state_.move_to(State::kAnnounced);
    server_.announce_end();
    host_.wants_flush(self_);
    host_.set_deadline(self_, kLastRequestMs);
}

void Http2Carrier::abort_streams() {
    while (!streams_.empty())
        host_.abort(*streams_.begin()->second);
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

// -- http2::Events

bool Http2Carrier::on_request(int32_t number, const http2::RequestBuilder& request,
                              std::span<const http::Field> fields) {
    // A client that sends requests and does not read must not pile up responses.
    if (queued_bytes() > host_.sending(self_.endpoint).queued_bytes) return false;
    if (request.wants_unknown_protocol()) {
        on_bad_request(number, {501, "the only protocol that CONNECT can open here is websocket"}, false);
        return true;
    }
    Connection* stream = host_.open_stream(self_);
    if (!stream) {
        host_.count_refusal("connections");
        return false;
    }
    streams_.emplace(number, stream);
    const http::RequestHead head = request.head();
    stream->carrier = std::make_unique<Http2Stream>(*this, number, self_.tls() != nullptr, head.chunked);
    host_.sessions().begin_stream(host_, *stream, head, fields, request.text());
    host_.receive_for_stream(*stream, {});
    return true;
}

void Http2Carrier::on_bad_request(int32_t number, const http::Error& error, bool is_head) {
    http::ErrorPage page = http::make_error_page(host_.endpoints()[self_.endpoint].spec.error_pages.get(),
                                                 http::ErrorFormat::kAny, {error.status, error.reason, 1});
    if (error.limit) host_.count_refusal(error.limit);
    server_.respond(number, error.status, host_.date(), page.fields, page.body.size(), !is_head);
    if (!is_head) refusals_.emplace(number, std::move(page.body));
    host_.wants_flush(self_);
}

void Http2Carrier::on_reset(bool by_us) {
    ReactorFigures& figures = host_.figures();
    HistogramCell::add(by_us ? figures.stream_resets_sent : figures.stream_resets_received, 1);
}

void Http2Carrier::on_data(int32_t number, std::span<char> bytes) {
    Connection* stream = find(number);
    if (!stream) {
        server_.credit(number, bytes.size());
        return;
    }
    stream->stream()->held_bytes += bytes.size();
    if (wants_chunks(*stream)) {
        char head[http1::kChunkHeadBound];
        host_.receive_for_stream(*stream, {head, http1::write_chunk_head(bytes.size(), head)});
        if (find(number)) host_.receive_for_stream(*stream, bytes);
        char end[] = {'\r', '\n'};
        if (find(number)) host_.receive_for_stream(*stream, end);
        return;
    }
    host_.receive_for_stream(*stream, bytes);
    // The frames of its WebSocket are this connection's.
    stream = find(number);
    if (stream) self_.count_frames(stream->at_once, 0);
}

void Http2Carrier::on_end(int32_t number) {
    Connection* stream = find(number);
    if (!stream) return;
    stream->stream()->input_ended = true;
    if (wants_chunks(*stream)) {
        char end[] = {'0', '\r', '\n', '\r', '\n'};
        host_.receive_for_stream(*stream, end);
        return;
    }
    host_.receive_for_stream(*stream, {});
}

void Http2Carrier::on_response_sent(int32_t number) {
    refusals_.erase(number);
    Connection* stream = find(number);
    if (!stream) {
        // The answer to a bad request: tell the client to stop sending its body.
        if (!server_.input_ended(number)) server_.reset(number, http2::ErrorCode::kNone);
        return;
    }
    host_.stream_sent(*stream);
}

void Http2Carrier::on_closed(int32_t number) {
    refusals_.erase(number);
    Connection* stream = find(number);
    if (!stream) return;
    streams_.erase(number);
    stream_of(*stream).credit_rest();
    stream_of(*stream).cut_off();
    host_.abort(*stream);
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
    host_.stream_progressed(*stream, bytes);
    return Written::kAll;
}

}  // namespace sluice
