#include "server/sessions/http_session.h"

#include <cstring>

#include "protocol/http/http1_response.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http2/http2_server.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/seam/records.h"
#include "server/sessions/http2_stream.h"
#include "server/sessions/websocket_session.h"
#include "server/sessions/websocket_upgrade.h"

namespace sluice {

namespace {
/// What a record holds beside the bytes of the request: head struct and up to the permitted number of fields.
size_t record_overhead(const Limits& limits) {
    return sizeof(http::RequestHead) + size_t{limits.header_fields} * sizeof(http::Field);
}
/// While the server drains, how long an idle connection is kept for a request that the client may just have
/// sent.
constexpr uint32_t kLastRequestMs = 250;
}  // namespace

void HttpSession::connected(SessionHost& host, Connection& self) {
    if (self.tls && self.tls->protocol() == "h2") {
        host.sessions().begin_http2(host, self, {});  // this session ends here
        return;
    }
    host.set_deadline(self, host.limits().head_ms);
}

std::span<char> HttpSession::window() {
    return state_ == State::kBody ? exchange_->body.window() : std::span<char>{};
}

void HttpSession::filled(size_t bytes) {
    exchange_->body.filled(bytes);
}

void HttpSession::progressed(SessionHost& host, Connection& self) {
    note_body_progress(host, self);
}

Progress HttpSession::consume(SessionHost& host, Connection& self, std::span<char>& input) {
    for (;;) {
        Progress progress = Progress::kMore;
        switch (state_) {
            case State::kHead:
                if (input.empty()) return Progress::kMore;
                if (meets_preface(host, self, input, progress)) return progress;
                progress = read_head(host, self, input);
                break;
            case State::kRequest: {
                Exchange& exchange = *exchange_;
                std::span<char> rest = input;
                progress = begin(host, self, rest, exchange.head, exchange.fields, exchange.text);
                if (progress != Progress::kWait) input = rest;
                break;
            }
            case State::kBody: progress = read_body(host, self, input); break;
            case State::kDispatch: {
                Exchange& exchange = *exchange_;
                std::span<char> body = exchange.body.message();
                // A body that was copied here from the input is still named there by its receiver.
                if (Room room = exchange.incoming.room().room()) body = {room.data, body.size()};
                progress = dispatch(host, self, exchange.head, exchange.fields, exchange.text,
                                    {body.data(), body.size()}, exchange.incoming.room().deliverable());
                break;
            }
            case State::kAwaiting:
                if (!streams_body()) return Progress::kBlocked;
                progress = feed_stream(host, self, input);
                break;
            case State::kDrain: progress = drain_body(host, self, input); break;
            case State::kGranted: {
                Exchange& exchange = *exchange_;
                if (!host.can_deliver(self, exchange.text.size() + record_overhead(host.limits()))) {
                    return Progress::kWait;
                }
                return become_websocket(host, self, self.endpoint,
                                        {&exchange.head, exchange.fields, exchange.text},
                                        exchange.granted_protocol, exchange.granted_fields);
            }
            case State::kFailed: return Progress::kClosed;
        }
        if (progress != Progress::kMore || (input.empty() && state_ != State::kDispatch)) return progress;
    }
}

/// Whether the connection begins as one of HTTP/2 does, or may: `progress` is what became of it then.
bool HttpSession::meets_preface(SessionHost& host, Connection& self, std::span<char>& input,
                                Progress& progress) {
    if (request_ || self.tls || self.stream || input[0] == 'G') return false;
    const std::string_view kept = exchange_ ? std::string_view(exchange_->text) : std::string_view();
    if (kept.size() >= http2::kPreface.size()) return false;
    if (!host.endpoints()[self.endpoint].spec.http2) return false;
    const std::string_view rest = http2::kPreface.substr(kept.size());
    const std::string_view next(input.data(), std::min(input.size(), rest.size()));
    if (!http2::kPreface.starts_with(kept) || !rest.starts_with(next)) return false;
    if (next.size() == rest.size()) {
        std::string begun(kept);
        release(host);
        // This session ends here.
        host.sessions().begin_http2(host, self, std::move(begun));
        progress = Progress::kSwitched;
        return true;
    }
    if (!exchange_) {
        exchange_ = std::make_unique<Exchange>();
        exchange_->parser =
            http1::HeadParser({host.limits().head_bytes, static_cast<uint16_t>(host.limits().header_fields)});
        host.set_deadline(self, host.limits().head_ms);
    }
    exchange_->text.append(input.data(), input.size());
    input = {};
    progress = Progress::kMore;
    return true;
}

void HttpSession::begin_stream(SessionHost& host, Connection& self, const http::RequestHead& head,
                               std::span<const http::Field> fields, std::string_view text) {
    exchange_ = std::make_unique<Exchange>();
    exchange_->text.assign(text);
    exchange_->head = head;
    exchange_->fields.assign(fields.begin(), fields.end());
    remember(head);
    state_ = State::kRequest;
    host.set_deadline(self, host.limits().head_ms);
}

Progress HttpSession::read_head(SessionHost& host, Connection& self, std::span<char>& input) {
    const Limits& limits = host.limits();
    size_t kept = exchange_ ? exchange_->text.size() : 0;
    // Asked before anything is parsed, so that a request that stands whole in the input never has to be kept.
    int worker = host.transport().least_busy();
    if (worker == kNoWorker || host.out_budget().is_full() ||
        !host.transport().accepts(worker, kept + input.size() + record_overhead(limits))) {
        return Progress::kWait;
    }
    http1::HeadParser& parser = exchange_ ? exchange_->parser : host.shared_parser();
    std::span<char> text = input;
    if (exchange_) {
        exchange_->text.append(input.data(), input.size());
        text = exchange_->text;
    } else {
        parser.reset();
    }
    switch (parser.parse(text)) {
        case http1::HeadParser::Status::kError:
            access_.begin_unreadable(host, self, {text.data(), text.size()});
            return fail(host, self, parser.error());
        case http1::HeadParser::Status::kNeedMore:
            if (!exchange_) {
                exchange_ = std::make_unique<Exchange>();
                exchange_->parser = std::move(parser);
                parser = http1::HeadParser({limits.head_bytes, static_cast<uint16_t>(limits.header_fields)});
                exchange_->text.assign(input.data(), input.size());
                host.set_deadline(self, limits.head_ms);
            }
            input = {};
            return Progress::kMore;
        case http1::HeadParser::Status::kDone: break;
    }
    size_t head_bytes = parser.head_bytes();
    std::span<char> rest = input.subspan(head_bytes - kept);
    Progress progress;
    if (exchange_) {
        exchange_->text.resize(head_bytes);
        exchange_->head = parser.head();
        exchange_->fields.assign(parser.fields().begin(), parser.fields().end());
        progress = begin(host, self, rest, exchange_->head, exchange_->fields, exchange_->text);
    } else {
        progress = begin(host, self, rest, parser.head(), parser.fields(), {input.data(), head_bytes});
    }
    if (progress != Progress::kWait) {
        input = rest;
    } else if (exchange_) {
        // The input is kept and comes again: it is to be read as if it had not been there.
        exchange_->text.resize(kept);
        exchange_->parser.reset();
    }
    return progress;
}

void HttpSession::remember(const http::RequestHead& head) {
    version_minor_ = head.version_minor;
    keep_alive_ = head.keep_alive;  // respond() looks whether the server drains
    is_head_ = head.method == http::Method::kHead;
}

Progress HttpSession::begin(SessionHost& host, Connection& self, std::span<char>& rest,
                            const http::RequestHead& head, std::span<const http::Field> fields,
                            std::string_view text) {
    access_.begin(host, self, head, fields, text);
    if (head.upgrade_websocket) {
        int route = host.endpoints().websocket_route(self.endpoint, head.path.in(text.data()));
        if (route != Endpoints::kNone) return upgrade(host, self, route, head, fields, text);
        if (self.stream) return fail(host, self, {404, "there is no WebSocket at this path"});
    }
    remember(head);
    if (request_ + 1 >= host.limits().keep_alive_requests) keep_alive_ = false;
    http1::BodyReceiver body;
    body.begin(head, host.limits().body_bytes, host.limits().slot_body_bytes());
    http1::BodyReceiver::Event event = body.next(rest);
    if (event == http1::BodyReceiver::Event::kError) return fail(host, self, body.error());
    if (event == http1::BodyReceiver::Event::kMessage) {
        return dispatch(host, self, head, fields, text, {body.message().data(), body.message().size()}, {});
    }
    keep_exchange(head, fields, text);
    exchange_->incoming.begin(head.chunked ? http::kNoLength : head.content_length);
    exchange_->body = body;
    exchange_->body_due_ms = host.now_ms() + host.limits().body_ms;
    if (host.endpoints()[self.endpoint].spec.stream_bodies) {
        if (body.is_too_long()) return fail(host, self, body.error());
        if (!exchange_->incoming.begin_stream(host)) return fail(host, self, exchange_->incoming.error());
        exchange_->body.take_pieces();
        if (head.expect_continue && body.received_bytes() == 0 && rest.empty()) exchange_->body_due_ms = 0;
        state_ = State::kDispatch;
        host.set_deadline(self, host.limits().body_ms);
        return Progress::kMore;
    }
    state_ = State::kBody;
    if (head.expect_continue && body.received_bytes() == 0 && rest.empty()) {
        if (body.is_too_long()) return fail(host, self, body.error());
        say_continue(host, self);
    }
    host.set_deadline(self, host.limits().body_ms);
    return Progress::kMore;
}

Progress HttpSession::dispatch(SessionHost& host, Connection& self, const http::RequestHead& head,
                               std::span<const http::Field> fields, std::string_view text,
                               std::string_view body, Room room) {
    Transport& transport = host.transport();
    const Ref<RequestFile> file = exchange_ ? exchange_->incoming.file() : Ref<RequestFile>{};
    size_t inline_bytes = text.size() + sizeof head + fields.size_bytes() +
                          (file   ? sizeof(BodyPlace)
                           : room ? 0
                                  : body.size());
    int worker;
    if (host.endpoints()[self.endpoint].spec.dispatch == Dispatch::kSticky) {
        Connection& client = self.stream ? stream_of(self).parent() : self;
        if (!host.can_deliver(client, inline_bytes)) return Progress::kWait;
        worker = client.worker;
    } else {
        worker = transport.least_busy();
        if (worker == kNoWorker || !transport.accepts(worker, inline_bytes)) return Progress::kWait;
    }
    Inbound message;
    message.kind = InboundKind::kRequest;
    message.request = request_ + 1;
    message.head = &head;
    message.fields = fields;
    message.head_text = text;
    if (!file) {
        message.payload = body;
        host.deliver(self, worker, message, room);
    } else if (!host.deliver_file(self, worker, message, file)) {
        return Progress::kWait;
    }
    ++request_;
    worker_ = static_cast<int16_t>(worker);
    host.owe_response(worker, +1);
    const uint32_t request_ms = host.endpoints()[self.endpoint].spec.request_ms;
    host.set_deadline(self, request_ms);
    state_ = State::kAwaiting;
    head_sent_ = false;
    cancelled_ = false;
    if (self.peer_shut) cancel_if_wanted(host, self);
    if (streams_body()) {
        exchange_->incoming.forget_file();
        exchange_->request_due_ms = request_ms ? host.now_ms() + request_ms : 0;
        if (exchange_->body_due_ms) exchange_->body_due_ms = host.now_ms() + host.limits().body_ms;
        arm_body(host, self);
        return Progress::kMore;
    }
    if (exchange_ && room) exchange_->incoming.room().forget();
    drop_exchange(host);
    return Progress::kBlocked;
}

Progress HttpSession::upgrade(SessionHost& host, Connection& self, int route, const http::RequestHead& head,
                              std::span<const http::Field> fields, std::string_view text) {
    const WebSocketOffer offer(head, fields, text);
    if (auto refusal = websocket::check_handshake(offer.request())) {
        return refuse_websocket(host, self, *refusal);
    }
    const EndpointSpec& spec = host.endpoints()[static_cast<uint16_t>(route)].spec;
    const http::Forwarded told =
        self.trusted ? http::read_forwarded(fields, text, spec.proxies) : http::Forwarded{};
    const std::string_view site = told.host.empty() ? offer.request().host : std::string_view(told.host);
    const bool secure = told.scheme.empty() ? self.is_secure() : told.scheme == "https";
    if (!spec.websocket.origins.allows(offer.origin(), site, secure)) {
        return fail(host, self, {403, "pages of this origin may not open a WebSocket here"});
    }
    if (!host.can_deliver(self, text.size() + record_overhead(host.limits()))) return Progress::kWait;
    if (spec.websocket.asks_handler) return ask(host, self, route, head, fields, text);
    return become_websocket(host, self, route, {&head, fields, text}, {}, {});
}

/// Has the application decide on the handshake. What it needs is kept meanwhile.
Progress HttpSession::ask(SessionHost& host, Connection& self, int route, const http::RequestHead& head,
                          std::span<const http::Field> fields, std::string_view text) {
    if (!host.handshakes().take()) {
        return fail(host, self, {503, "too many WebSocket handshakes wait to be decided on (handshakes)"});
    }
    asking_ = true;
    keep_exchange(head, fields, text);
    remember(head);
    // Bytes behind a handshake that was refused may be frames.
    keep_alive_ = false;
    self.endpoint = static_cast<uint16_t>(route);
    Inbound message;
    message.kind = InboundKind::kRequest;
    message.request = ++request_;
    message.head = &head;
    message.fields = fields;
    message.head_text = text;
    host.deliver(self, self.worker, message, {});
    worker_ = self.worker;
    host.owe_response(worker_, +1);
    host.set_deadline(self, host.limits().handshake_ms);
    state_ = State::kAwaiting;
    head_sent_ = false;
    cancelled_ = false;
    return Progress::kBlocked;
}

void HttpSession::stop_asking(SessionHost& host) {
    if (!asking_) return;
    asking_ = false;
    host.handshakes().give_back();
}

/// The application has accepted the handshake.
void HttpSession::granted(SessionHost& host, Connection& self, const Command& command) {
    stop_asking(host);
    host.owe_response(worker_, -1);
    worker_ = kNoWorker;
    exchange_->granted_fields = command.head;
    exchange_->granted_protocol = command.body;
    state_ = State::kGranted;
    host.resume(self);
}

Progress HttpSession::become_websocket(SessionHost& host, Connection& self, int route,
                                       const RequestView& request, std::string_view protocol,
                                       std::string_view fields_of_handler) {
    const EndpointSpec& spec = host.endpoints()[static_cast<uint16_t>(route)].spec;
    const WebSocketOffer offer(*request.head, request.fields, request.text);
    if (self.trusted) {
        // From here on the connection is one client's.
        const http::Forwarded told = http::read_forwarded(request.fields, request.text, spec.proxies);
        if (told.client.family) host.cells().name_client(self.id, told.client);
    }
    WebSocketGrant grant = grant_websocket(spec, offer.request(), protocol, host.compression());
    grant.fields += fields_of_handler;
    if (self.stream) {
        if (!grant.protocol.empty()) grant.fields += "sec-websocket-protocol: " + grant.protocol + "\r\n";
        stream_of(self).respond(200, host.date(), grant.fields, std::nullopt, true);
    } else {
        self.out.append(
            websocket::switching_protocols_response(offer.request().key, grant.protocol, grant.fields));
    }
    host.wants_flush(self);
    access_.respond(self.stream ? 200 : 101);
    access_.end();
    access_.all_sent(host, self);
    self.endpoint = static_cast<uint16_t>(route);
    host.cells().note_protocol(self.id, grant.protocol);
    Inbound message;
    message.kind = InboundKind::kOpen;
    message.head = request.head;
    message.fields = request.fields;
    message.head_text = request.text;
    host.deliver(self, self.worker, message, {});
    self.owes_close = true;
    host.set_deadline(self, 0);
    // This session ends here; what its exchange held has been copied.
    std::unique_ptr<Exchange> exchange = std::move(exchange_);
    auto& session = self.session.emplace<WebSocketSession>(
        websocket::Limits{host.limits().message_bytes, host.limits().message_fragments},
        std::move(grant.compression));
    session.begin(host, self, spec);
    if (host.shutting_down()) {
        session.close(host, self, websocket::close_code::kGoingAway, "");
    }
    return Progress::kSwitched;
}

Progress HttpSession::refuse_websocket(SessionHost& host, Connection& self,
                                       const websocket::HandshakeRefusal& refusal) {
    access_.respond(static_cast<uint16_t>(refusal.status));
    if (self.stream) {
        // RFC 8441 section 5: the version is agreed on by the same field as in HTTP/1.1.
        const bool by_version = refusal.status == 426;
        if (by_version) access_.respond(400);
        stream_of(self).refuse(self, by_version ? 400 : static_cast<uint16_t>(refusal.status),
                               refusal.sentence, host.date(),
                               by_version ? "sec-websocket-version: 13\r\n" : "", false);
    } else {
        self.out.append(websocket::refusal_response(refusal));
    }
    access_.end();
    release(host);
    state_ = State::kFailed;
    host.finish(self);
    return Progress::kClosed;
}

Progress HttpSession::fail(SessionHost& host, Connection& self, const http::Error& error) {
    access_.begin_unreadable(host, self, exchange_ ? std::string_view(exchange_->text) : std::string_view());
    access_.respond(error.status);
    if (self.stream) {
        stream_of(self).refuse(self, error.status, error.reason, host.date(), {}, is_head_);
        if (!is_head_) access_.count(strlen(error.reason) + 1);
    } else {
        char response[http1::kErrorResponseBound];
        size_t size = http1::write_error_response(error, host.date(), response);
        self.out.append({response, size});
        access_.count(size - std::string_view(response, size).find("\r\n\r\n") - 4);
    }
    access_.end();
    release(host);
    state_ = State::kFailed;
    host.finish(self);
    return Progress::kClosed;
}

void HttpSession::respond(SessionHost& host, Connection& self, int worker, const Command& command,
                          Ref<Payload> payload) {
    // A response to another request, from another worker or said twice is nothing we asked for.
    if (state_ != State::kAwaiting || command.request != request_ || worker != worker_ || head_sent_) return;
    if (command.code == 103 && !command.last) {
        write_early_hints(host, self, command);
        return;
    }
    if (command.code == 101 && asking_) {
        granted(host, self, command);
        return;
    }
    if (command.code < 200 || command.code > 599) return;
    if (command.file_bytes && !payload) {
        respond_with_error(host, self, 503,
                           "503 Service Unavailable: too many files are being sent, try again\n");
        return;
    }
    http1::ResponseHead head;
    head.status = command.code;
    head.fields = command.head;
    head.version_minor = version_minor_;
    head.keep_alive = keep_alive_ && !host.shutting_down() && !self.read_ended &&
                      !(command.last && streams_body() && !may_drain());
    if (!http1::status_has_body(command.code)) {
        head.framing = http1::Framing::kNoBody;
    } else if (command.has_length) {
        head.framing = http1::Framing::kNoBody;  // the application's own Content-Length is among the fields
    } else if (command.last || command.length != http::kNoLength) {
        head.framing = http1::Framing::kLength;
        // What a HEAD would have got is known to the worker only.
        const bool all_is_here = command.last && !(is_head_ && command.length != http::kNoLength);
        head.length = all_is_here ? command.content_bytes() : command.length;
    } else {
        head.framing = http1::Framing::kChunked;
    }
    drops_body_ = is_head_ || !http1::status_has_body(command.code);
    if (self.stream) {
        std::optional<uint64_t> length;
        if (head.framing == http1::Framing::kLength) length = head.length;
        // Without a body the response is over with its head, and a handler that goes on would be cancelled.
        const bool more = !command.last || (!drops_body_ && command.content_bytes() > 0);
        stream_of(self).respond(command.code, host.date(), command.head, length, more);
        keep_alive_ = false;
    } else {
        chunked_ = http1::uses_chunks(head);
        keep_alive_ = http1::stays_open(head);
        char* place = self.out.reserve(http1::head_bound(head));
        self.out.advance(http1::write_head(head, host.date(), {place, http1::head_bound(head)}));
    }
    head_sent_ = true;
    access_.respond(command.code);
    if (streams_body()) {
        exchange_->request_due_ms = 0;
        arm_body(host, self);
    } else if (self.deadline_ms) {
        host.set_deadline(self, 0);
    }
    write_body(host, self, command, std::move(payload));
}

void HttpSession::write_early_hints(SessionHost& host, Connection& self, const Command& command) {
    if (self.stream) {
        stream_of(self).inform(command.code, command.head);
        host.wants_flush(self);
        return;
    }
    if (version_minor_ == 0) return;  // RFC 9110 15.2: knows no 1xx
    http1::ResponseHead head;
    head.status = command.code;
    head.fields = command.head;
    char* place = self.out.reserve(http1::head_bound(head));
    self.out.advance(http1::write_head(head, {}, {place, http1::head_bound(head)}));
    host.wants_flush(self);
}

void HttpSession::respond_more(SessionHost& host, Connection& self, int worker, const Command& command,
                               Ref<Payload> payload) {
    if (state_ != State::kAwaiting || command.request != request_ || worker != worker_ || !head_sent_) return;
    if (command.file_bytes && !payload) {
        host.abort(self);  // the head has promised what cannot be sent
        return;
    }
    write_body(host, self, command, std::move(payload));
}

void HttpSession::write_body(SessionHost& host, Connection& self, const Command& command,
                             Ref<Payload> payload) {
    if (const uint64_t bytes = command.content_bytes(); !drops_body_ && bytes) {
        access_.count(bytes);
        if (chunked_) {
            char size[http1::kChunkHeadBound];
            self.out.append({size, http1::write_chunk_head(bytes, size)});
        }
        if (payload) {
            self.out.append(std::move(payload));
        } else {
            self.out.append(command.body);
        }
        if (chunked_) self.out.append(http1::kChunkEnd);
    }
    if (command.last && chunked_ && !drops_body_) {
        self.out.append(http1::kTrailersFollow);
        if (command.kind == CommandKind::kBody) self.out.append(command.head);
        self.out.append(http1::kTrailersEnd);
    }
    if (command.last && self.stream && command.kind == CommandKind::kBody && !drops_body_) {
        stream_of(self).set_trailers(command.head);
    }
    host.wants_flush(self);
    if (command.last) complete(host, self);
}

void HttpSession::complete(SessionHost& host, Connection& self) {
    host.owe_response(worker_, -1);
    stop_asking(host);
    access_.end();
    worker_ = kNoWorker;
    if (streams_body() && keep_alive_ && may_drain()) {
        begin_to_drain(host, self);
        return;
    }
    if (streams_body()) keep_alive_ = false;
    begin_next(host, self);
}

/// What was asked for has been answered.
void HttpSession::begin_next(SessionHost& host, Connection& self) {
    state_ = State::kHead;
    if (!keep_alive_ || (self.read_ended && !self.pending)) {
        state_ = State::kFailed;
        host.finish(self);
        return;
    }
    // A client that pipelines requests and does not read must not pile up files or answers.
    awaits_sending_ = self.out.file_bytes() > 0 || self.out.bytes() > host.limits().queued_bytes;
    if (awaits_sending_) return;
    await_request(host, self);
}

void HttpSession::sent(SessionHost& host, Connection& self) {
    access_.all_sent(host, self);
    if (!awaits_sending_ || self.phase != Phase::kOpen) return;
    awaits_sending_ = false;
    if (keep_alive_) {
        await_request(host, self);
    } else {
        host.finish(self);
    }
}

void HttpSession::await_request(SessionHost& host, Connection& self) {
    host.set_deadline(self, host.limits().keep_alive_ms);
    host.resume(self);
}

void HttpSession::worker_lost(SessionHost& host, Connection& self) {
    if (state_ != State::kAwaiting) return;
    if (streams_body()) keep_alive_ = false;  // nobody knows how much of it the worker has read
    if (head_sent_) {
        // The client has part of a response: only the end of the connection can tell it that the rest is
        // missing.
        host.abort(self);
        return;
    }
    respond_with_error(host, self, 502,
                       "502 Bad Gateway: the worker process died while it handled this request\n");
}

/// In place of the worker.
void HttpSession::respond_with_error(SessionHost& host, Connection& self, uint16_t status,
                                     std::string_view text) {
    Command command;
    command.kind = CommandKind::kRespond;
    command.request = request_;
    command.code = status;
    command.head = "content-type: text/plain; charset=utf-8\r\n";
    command.body = text;
    respond(host, self, worker_, command, {});
}

void HttpSession::peer_left(SessionHost& host, Connection& self) {
    cancel_if_wanted(host, self);
    if (asking_) host.abort(self);  // a WebSocket needs both sides
}

void HttpSession::cancel_if_wanted(SessionHost& host, Connection& self) {
    if (state_ != State::kAwaiting || cancelled_) return;
    if (!host.endpoints()[self.endpoint].spec.cancel_on_disconnect) return;
    cancelled_ = true;
    // Should it only have closed its side, it still gets what the handler makes of that.
    host.cancel_request(self, worker_, request_, CancelReason::kClientGone);
}

OwedResponse HttpSession::owed_response() const {
    return state_ == State::kAwaiting ? OwedResponse{worker_, request_} : OwedResponse{};
}

void HttpSession::command(SessionHost& host, Connection& self, int worker, const Command& command,
                          Ref<Payload> payload) {
    switch (command.kind) {
        case CommandKind::kRespond: respond(host, self, worker, command, std::move(payload)); break;
        case CommandKind::kBody: respond_more(host, self, worker, command, std::move(payload)); break;
        case CommandKind::kWantBody: want_body(host, self, worker, command); break;
        case CommandKind::kClose: host.abort(self); break;
        default: break;
    }
}

void HttpSession::close(SessionHost& host, Connection& self, uint16_t, std::string_view) {
    host.finish(self);
}

/// No further request after the current one.
void HttpSession::stop(SessionHost& host, Connection& self) {
    keep_alive_ = false;
    if (awaits_sending_) return;
    if (state_ != State::kHead || exchange_ || self.pending) return;
    // A request may be on its way already: it gets its answer, and only then the connection ends.
    host.set_deadline(self, kLastRequestMs);
}

void HttpSession::ended(SessionHost& host, Connection& self) {
    if (asking_ || state_ == State::kGranted) {
        host.abort(self);
        return;
    }
    if (streams_body()) {
        fail_stream(host, self, {499, "the client has gone before the end of the body"});
        return;
    }
    if (state_ == State::kAwaiting || state_ == State::kDispatch)
        return;  // a half-closed client still gets its answer
    if (state_ == State::kHead && !exchange_ && self.out.empty()) {
        host.abort(self);
        return;
    }
    host.finish(self);
}

void HttpSession::deadline(SessionHost& host, Connection& self) {
    if (asking_) {
        host.cancel_request(self, worker_, request_, CancelReason::kOverdue);
        fail(host, self, {503, "the handler of this WebSocket's handshake has not decided in time"});
        return;
    }
    if (self.waiting) {  // not the client's fault
        fail(host, self, {503, "no worker or no memory has become free in time"});
        return;
    }
    if (state_ == State::kDrain) {
        host.finish(self);
        return;
    }
    if (streams_body() && exchange_->body_due_ms && exchange_->body_due_ms <= host.now_ms()) {
        fail_stream(host, self, {408, "the request body did not arrive in time"});
        return;
    }
    if (state_ == State::kAwaiting) {
        // A response that has begun has no deadline, so this one has not.
        if (!cancelled_) host.cancel_request(self, worker_, request_, CancelReason::kOverdue);
        respond_with_error(host, self, 504,
                           "504 Gateway Timeout: the request took longer than this site allows\n");
        return;
    }
    if (state_ == State::kBody || (state_ == State::kHead && exchange_)) {
        fail(host, self,
             {408, state_ == State::kBody ? "the request body did not arrive in time"
                                          : "the request head did not arrive in time"});
    } else if (state_ == State::kHead) {
        host.finish(self);
    }
}

void HttpSession::cut(SessionHost& host, Connection& self) {
    access_.cut(host, self, self.out.bytes() + self.out.file_bytes());
}

void HttpSession::release(SessionHost& host) {
    stop_asking(host);
    if (state_ == State::kAwaiting) {
        host.owe_response(worker_, -1);
        state_ = State::kFailed;
    }
    drop_exchange(host);
}

}  // namespace sluice
