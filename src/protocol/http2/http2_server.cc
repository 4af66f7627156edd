#include "protocol/http2/http2_server.h"

#include <charconv>
#include <nghttp2/nghttp2.h>

#include "protocol/http2/http2_fields.h"

namespace sluice::http2 {

namespace {

std::string_view view(const uint8_t* bytes, size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

uint32_t code_of(ErrorCode code) {
    return static_cast<uint32_t>(code);
}

/// A status as :status has it.
std::string_view digits(uint16_t status, char (&buffer)[4]) {
    auto end = std::to_chars(buffer, buffer + sizeof buffer, status).ptr;
    return {buffer, static_cast<size_t>(end - buffer)};
}

bool is_client_stream(int32_t stream) {
    return stream > 0 && (stream & 1) != 0;
}

/// nghttp2's own limit is 64 KiB; HTTP/1.1 has none. Longer heads are reset.
constexpr size_t kMostResponseHeadBytes = 16 * 1024 * 1024;
constexpr int kStop = NGHTTP2_ERR_CALLBACK_FAILURE;

}  // namespace

/// What nghttp2 calls, translated to the members of Server.
struct Server::Callbacks {
    static Server& self(void* user) { return *static_cast<Server*>(user); }

    static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
        if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
        return self(user).begin_headers(frame->hd.stream_id);
    }
    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
                         const uint8_t* value, size_t value_bytes, uint8_t, void* user) {
        Server& server = self(user);
        if (frame->hd.type != NGHTTP2_HEADERS) return 0;
        if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) {
            // Trailers are dropped, but cost as much as fields of a head.
            const bool bearable = ++server.trailer_fields_ <= server.limits_.header_fields;
            return bearable ? 0 : server.calm("headerFields", "too many trailer fields (headerFields)");
        }
        if (server.builder_.add(view(name, name_bytes), view(value, value_bytes))) return 0;
        return server.calm("headBytes",
                           "a header block many times longer than a head may be (headBytes, headerFields)");
    }
    static int on_invalid_header(nghttp2_session*, const nghttp2_frame*, const uint8_t*, size_t,
                                 const uint8_t*, size_t, uint8_t, void*) {
        // Refuse the request: nghttp2 would only drop the field.
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    static int on_data_chunk(nghttp2_session*, uint8_t, int32_t stream, const uint8_t* bytes, size_t size,
                             void* user) {
        Server& server = self(user);
        // A stream whose bytes wait, as its handler waits for another stream's, is not to stop that one: the
        // windows of the streams bound what is held.
        nghttp2_session_consume_connection(server.session_, size);
        Stream* state = server.find(stream);
        if (!state || state->is_new || state->refused || state->reset_by_us) {
            server.credit(stream, size);
            return 0;
        }
        // The bytes are those given to receive().
        server.events_.on_data(stream, {const_cast<char*>(reinterpret_cast<const char*>(bytes)), size});
        return 0;
    }
    static int on_frame_not_sent(nghttp2_session*, const nghttp2_frame* frame, int, void* user) {
        // Without its head the client would wait for the answer for ever.
        if (frame->hd.type == NGHTTP2_HEADERS) self(user).reset(frame->hd.stream_id, ErrorCode::kInternal);
        return 0;
    }
    static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
        Server& server = self(user);
        const int32_t stream = frame->hd.stream_id;
        const bool ended = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
        switch (frame->hd.type) {
            case NGHTTP2_HEADERS:
                server.in_head_ = false;
                if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) return server.finish_request(stream, ended);
                [[fallthrough]];
            case NGHTTP2_DATA:
                if (frame->hd.type == NGHTTP2_DATA && frame->data.padlen > 0 && !ended &&
                    frame->hd.length == frame->data.padlen && !server.empty_frames_.spend(server.now_ms_)) {
                    return server.calm("emptyFrames", "too many empty frames (emptyFrames)");
                }
                if (Stream* state = server.find(stream); state && ended) server.end_stream(stream, *state);
                return 0;
            case NGHTTP2_SETTINGS: server.ready_ = true; return 0;
            case NGHTTP2_RST_STREAM:
                server.events_.on_reset(false);
                return server.resets_.spend(server.now_ms_)
                           ? 0
                           : server.calm("streamResets", "too many resets (streamResets)");
            default: return 0;
        }
    }
    static int on_invalid_frame(nghttp2_session*, const nghttp2_frame* frame, int error, void* user) {
        Server& server = self(user);
        const int32_t stream = frame->hd.stream_id;
        // Of a stream that is one too many there is no other event.
        if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST &&
            (error == NGHTTP2_ERR_REFUSED_STREAM ||
             (!server.find(stream) && server.streams_.size() >= server.limits_.concurrent_streams)))
            server.events_.on_limit("concurrentStreams");
        server.in_head_ = false;
        if (is_client_stream(stream)) {
            if (Stream* state = server.find(stream)) {
                state->reset_by_us = true;
            } else {
                server.remember(stream, true);
            }
        }
        return server.resets_.spend(server.now_ms_)
                   ? 0
                   : server.calm("streamResets", "too many bad frames (streamResets)");
    }
    static int on_frame_sent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
        Server& server = self(user);
        const int32_t stream = frame->hd.stream_id;
        switch (frame->hd.type) {
            case NGHTTP2_HEADERS:
            case NGHTTP2_DATA:
                if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
                if (Stream* state = server.find(stream); state && !state->is_new && !state->refused) {
                    server.events_.on_response_sent(stream);
                }
                return 0;
            case NGHTTP2_RST_STREAM:
                server.events_.on_reset(true);
                if (Stream* state = server.find(stream)) {
                    state->reset_by_us = true;
                } else if (is_client_stream(stream)) {
                    server.remember(stream, true);
                }
                return 0;
            case NGHTTP2_GOAWAY:
                if (frame->goaway.error_code != NGHTTP2_NO_ERROR) server.failed_ = true;
                return 0;
            default: return 0;
        }
    }
    static int on_stream_close(nghttp2_session*, int32_t stream, uint32_t, void* user) {
        Server& server = self(user);
        auto found = server.streams_.find(stream);
        if (found == server.streams_.end()) return 0;
        const Stream state = std::move(found->second);
        server.streams_.erase(found);
        server.remember(stream, state.reset_by_us);
        if (!state.is_new && !state.refused) server.events_.on_closed(stream);
        return 0;
    }
    static ssize_t read(nghttp2_session* session, int32_t stream, uint8_t*, size_t most, uint32_t* flags,
                        nghttp2_data_source*, void* user) {
        Server& server = self(user);
        Stream* state = server.find(stream);
        if (!state) return NGHTTP2_ERR_DEFERRED;
        const Events::Available available = server.events_.available(stream);
        const size_t bytes = available.bytes < most ? static_cast<size_t>(available.bytes) : most;
        if (bytes == 0 && !available.ends) return NGHTTP2_ERR_DEFERRED;
        *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
        if (!available.ends || bytes < available.bytes) return static_cast<ssize_t>(bytes);
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (state->has_trailers) {
            FieldList fields;
            fields.add_lines(state->trailers);
            auto nv = fields.as_nv();
            if (!nv.empty() && nghttp2_submit_trailer(session, stream, nv.data(), nv.size()) == 0) {
                *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
            }
        }
        return static_cast<ssize_t>(bytes);
    }
    static int send_data(nghttp2_session*, nghttp2_frame* frame, const uint8_t* head, size_t bytes,
                         nghttp2_data_source*, void* user) {
        static constexpr size_t kFrameHeadBytes = 9;
        Server& server = self(user);
        switch (server.events_.write_data(frame->hd.stream_id, view(head, kFrameHeadBytes), bytes)) {
            case Events::Written::kAll: return 0;
            case Events::Written::kGone: return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
            case Events::Written::kNotNow: break;
        }
        return NGHTTP2_ERR_WOULDBLOCK;
    }

    /// Shared by all connections, never freed.
    static const nghttp2_session_callbacks* all() {
        static const nghttp2_session_callbacks* const shared = [] {
            nghttp2_session_callbacks* made = nullptr;
            if (nghttp2_session_callbacks_new(&made) != 0) abort();
            nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin_headers);
            nghttp2_session_callbacks_set_on_header_callback(made, on_header);
            nghttp2_session_callbacks_set_on_invalid_header_callback(made, on_invalid_header);
            nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data_chunk);
            nghttp2_session_callbacks_set_on_frame_not_send_callback(made, on_frame_not_sent);
            nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame);
            nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(made, on_invalid_frame);
            nghttp2_session_callbacks_set_on_frame_send_callback(made, on_frame_sent);
            nghttp2_session_callbacks_set_on_stream_close_callback(made, on_stream_close);
            nghttp2_session_callbacks_set_send_data_callback(made, send_data);
            return made;
        }();
        return shared;
    }
};

Server::Server(const Limits& limits, http1::HeadParser& parser, Events& events)
    : limits_(limits),
      parser_(parser),
      events_(events),
      builder_({limits.head_bytes, limits.header_fields}),
      resets_(limits.stream_resets),
      pings_(limits.pings),
      settings_(limits.settings_frames),
      empty_frames_(limits.empty_frames) {
    nghttp2_option* options = nullptr;
    if (nghttp2_option_new(&options) != 0) abort();
    nghttp2_option_set_no_auto_window_update(options, 1);
    // nghttp2's own budgets would run out before ours, with other errors; its count of CONTINUATION frames
    // counts every piece of a frame that it is given.
    nghttp2_option_set_max_continuations(options, SIZE_MAX);
    nghttp2_option_set_max_send_header_block_length(options, kMostResponseHeadBytes);
    nghttp2_option_set_stream_reset_rate_limit(options, UINT32_MAX, UINT32_MAX);
    if (nghttp2_session_server_new2(&session_, Callbacks::all(), this, options) != 0) abort();
    nghttp2_option_del(options);

    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrent_streams},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.stream_window_bytes},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.head_bytes},
        {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
        {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
    };
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
    nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0,
                                          static_cast<int32_t>(limits.connection_window_bytes));
}

Server::~Server() {
    nghttp2_session_del(session_);
}

bool Server::receive(std::span<char> bytes, uint64_t now_ms) {
    now_ms_ = now_ms;
    const std::string_view input(bytes.data(), bytes.size());
    size_t fed = 0;
    size_t at = 0;
    while (!failed_) {
        const std::optional<FrameScanner::Head> head = scanner_.next(input, at);
        if (!head) break;
        // nghttp2 gets all bytes before this frame now, and the frame's head only after our checks.
        feed(bytes.subspan(fed, at - 1 - fed));
        fed = at - 1;
        ++frames_;
        if (!failed_) begin_frame(*head);
    }
    if (!failed_) feed(bytes.subspan(fed));
    return !failed_;
}

void Server::feed(std::span<const char> bytes) {
    if (bytes.empty()) return;
    const ssize_t taken =
        nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    switch (taken) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC:
            fail(ErrorCode::kProtocol, "the connection does not begin with the preface of HTTP/2");
            break;
        case NGHTTP2_ERR_FLOODED:
            calm(nullptr, "too many answers wait for a client that does not read");
            break;
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS:
            calm("continuations", "too many CONTINUATION frames for one head (continuations)");
            break;
        default:
            if (taken < 0) fail(ErrorCode::kInternal, nghttp2_strerror(static_cast<int>(taken)));
    }
}

std::string_view Server::next_output() {
    const uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
    if (size < 0) failed_ = true;
    return size > 0 ? view(bytes, static_cast<size_t>(size)) : std::string_view();
}

bool Server::wants_to_write() const {
    return nghttp2_session_want_write(session_) != 0;
}

bool Server::is_over() const {
    return nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
}

// -- Input

/// Called for each frame before nghttp2 sees it.
void Server::begin_frame(const FrameScanner::Head& head) {
    switch (head.type) {
        case NGHTTP2_PING:
            if ((head.flags & NGHTTP2_FLAG_ACK) == 0 && !pings_.spend(now_ms_))
                calm("pings", "too many pings (pings)");
            break;
        case NGHTTP2_SETTINGS:
            if ((head.flags & NGHTTP2_FLAG_ACK) == 0 && !settings_.spend(now_ms_)) {
                calm("settingsFrames", "too many SETTINGS frames (settingsFrames)");
            }
            break;
        case NGHTTP2_DATA:
            if (head.length == 0 && (head.flags & (NGHTTP2_FLAG_END_STREAM | NGHTTP2_FLAG_PADDED)) == 0 &&
                !empty_frames_.spend(now_ms_)) {
                calm("emptyFrames", "too many empty frames (emptyFrames)");
                break;
            }
            [[fallthrough]];
        case NGHTTP2_HEADERS:
            continuations_ = 0;
            begin_stream_frame(head);
            break;
        case NGHTTP2_CONTINUATION:
            if (++continuations_ > limits_.continuations) {
                calm("continuations", "too many CONTINUATION frames for one head (continuations)");
            }
            break;
        case NGHTTP2_RST_STREAM:
        case NGHTTP2_GOAWAY:
        case NGHTTP2_WINDOW_UPDATE:
        case NGHTTP2_PUSH_PROMISE: break;
        case NGHTTP2_PRIORITY:
            // Our settings turn priorities off (RFC 9218), so nghttp2 does not check these frames.
            if (head.stream == 0) {
                fail(ErrorCode::kProtocol, "a PRIORITY frame for no stream");
                break;
            }
            [[fallthrough]];
        default:
            if (!empty_frames_.spend(now_ms_))
                calm("emptyFrames", "too many frames without a use (emptyFrames)");
    }
}

void Server::begin_stream_frame(const FrameScanner::Head& head) {
    // RFC 9113 4.2: too small for what the flags promise. nghttp2 would call it PROTOCOL_ERROR.
    const bool is_headers = head.type == NGHTTP2_HEADERS;
    const uint32_t least = ((head.flags & NGHTTP2_FLAG_PADDED) != 0 ? 1 : 0) +
                           (is_headers && (head.flags & NGHTTP2_FLAG_PRIORITY) != 0 ? 5 : 0);
    if (head.stream != 0 && head.length < least) {
        fail(ErrorCode::kFrameSize, "a frame is too short for what its flags promise");
        return;
    }
    // RFC 9113 6.8: what comes for streams that GOAWAY has excluded is passed over.
    if (!is_client_stream(head.stream) || head.stream > most_stream_) return;
    if (is_headers) in_head_ = (head.flags & NGHTTP2_FLAG_END_HEADERS) == 0;
    if (head.stream > last_stream_) {
        if (is_headers) last_stream_ = head.stream;
        return;
    }
    if (streams_.contains(head.stream)) return;
    // nghttp2 ignores this frame silently. That is right while the frame was on its way when we ended the
    // stream; otherwise it is the client's error (RFC 9113 5.1, 5.1.1).
    const Gone* gone = find_gone(head.stream);
    if (gone && gone->reset_by_us) return;
    if (gone || !is_headers) {
        fail(ErrorCode::kStreamClosed, "a frame for a stream that is closed");
    } else {
        fail(ErrorCode::kProtocol, "a stream with a lower number than one before it");
    }
}

int Server::begin_headers(int32_t stream) {
    streams_.try_emplace(stream);
    builder_.reset();
    trailer_fields_ = 0;
    return 0;
}

int Server::finish_request(int32_t stream, bool ended) {
    Stream* state = find(stream);
    if (!state) return 0;
    state->remote_ended = ended;
    if (!builder_.finish(parser_, ended)) {
        state->is_new = false;
        events_.on_bad_request(stream, builder_.error(), builder_.is_head_method());
        return 0;
    }
    if (stream > most_stream_ ||
        !events_.on_request(stream, builder_, parser_.fields().first(builder_.field_count()))) {
        state->refused = true;
        reset(stream, ErrorCode::kRefusedStream);
        return resets_.spend(now_ms_) ? 0 : calm("streamResets", "too many refused streams (streamResets)");
    }
    // The event may have ended streams, but `state` stays valid: nghttp2 removes streams only when it writes.
    state->is_new = false;
    if (ended) events_.on_end(stream);
    return 0;
}

void Server::end_stream(int32_t stream, Stream& state) {
    if (state.remote_ended) return;
    state.remote_ended = true;
    if (!state.is_new && !state.refused && !state.reset_by_us) events_.on_end(stream);
}

/// For callbacks: ends the connection with ENHANCE_YOUR_CALM. `limit`: see Events::on_limit(); nullptr: none.
int Server::calm(const char* limit, const char* what) {
    if (limit && !failed_) events_.on_limit(limit);
    fail(ErrorCode::kEnhanceYourCalm, what);
    return kStop;
}

void Server::remember(int32_t stream, bool reset_by_us) {
    if (gone_.size() < kRemembered) {
        gone_.push_back({stream, reset_by_us});
        return;
    }
    gone_[gone_next_] = {stream, reset_by_us};
    gone_next_ = (gone_next_ + 1) % kRemembered;
}

const Server::Gone* Server::find_gone(int32_t stream) const {
    for (const Gone& gone : gone_) {
        if (gone.stream == stream) return &gone;
    }
    return nullptr;
}

Server::Stream* Server::find(int32_t stream) {
    auto found = streams_.find(stream);
    return found == streams_.end() ? nullptr : &found->second;
}

bool Server::input_ended(int32_t stream) const {
    auto found = streams_.find(stream);
    return found == streams_.end() || found->second.remote_ended;
}

// -- Output

void Server::inform(int32_t stream, uint16_t status, std::string_view field_lines) {
    char buffer[4];
    FieldList fields;
    fields.add(":status", digits(status, buffer));
    fields.add_lines(field_lines);
    auto nv = fields.as_nv();
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream, nullptr, nv.data(), nv.size(), nullptr);
}

void Server::respond(int32_t stream, uint16_t status, std::string_view date, std::string_view field_lines,
                     std::optional<uint64_t> length, bool has_body) {
    char buffer[4], decimal[20];
    FieldList fields;
    fields.add(":status", digits(status, buffer));
    if (!date.empty()) fields.add("date", date);
    fields.add_lines(field_lines);
    if (length) {
        auto end = std::to_chars(decimal, decimal + sizeof decimal, *length).ptr;
        fields.add("content-length", {decimal, static_cast<size_t>(end - decimal)});
    }
    auto nv = fields.as_nv();
    nghttp2_data_provider provider{};
    provider.read_callback = Callbacks::read;
    nghttp2_submit_response(session_, stream, nv.data(), nv.size(), has_body ? &provider : nullptr);
}

void Server::set_trailers(int32_t stream, std::string_view field_lines) {
    Stream* state = find(stream);
    if (!state || field_lines.empty()) return;
    state->trailers = field_lines;
    state->has_trailers = true;
}

void Server::resume(int32_t stream) {
    nghttp2_session_resume_data(session_, stream);
}

void Server::reset(int32_t stream, ErrorCode code) {
    Stream* state = find(stream);
    if (!state) return;
    state->reset_by_us = true;
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream, code_of(code));
}

void Server::credit(int32_t stream, size_t bytes) {
    if (bytes) nghttp2_session_consume_stream(session_, stream, bytes);
}

void Server::announce_end() {
    nghttp2_submit_shutdown_notice(session_);
}

void Server::end() {
    say_goodbye(ErrorCode::kNone, {});
}

void Server::fail(ErrorCode code, std::string_view reason) {
    if (failed_) return;
    failed_ = true;
    say_goodbye(code, reason);
}

/// GOAWAY with the last stream that was taken, which must not become higher than an earlier one said.
void Server::say_goodbye(ErrorCode code, std::string_view reason) {
    most_stream_ = std::min(most_stream_, nghttp2_session_get_last_proc_stream_id(session_));
    if (last_stream_ > most_stream_) in_head_ = false;
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, most_stream_, code_of(code),
                          reinterpret_cast<const uint8_t*>(reason.data()), reason.size());
}

}  // namespace sluice::http2
