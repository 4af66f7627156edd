// HttpSession: reading a request's head, and its body whole or as it arrives.

#include "protocol/http2/http2_server.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/http_session.h"
#include "server/sessions/websocket_opening.h"

namespace sluice {

// -- The head

/// Whether the connection begins, or may begin, with the preface of HTTP/2; then `progress` is set.
bool HttpSession::meets_preface(SessionHost& host, Connection& self, std::span<char>& input,
                                Progress& progress) {
    if (requests_ || self.tls() || input[0] == 'G') return false;
    const IncomingRequest* begun = exchange_.incoming();
    const std::string_view kept = begun ? std::string_view(begun->text) : std::string_view();
    if (kept.size() >= http2::kPreface.size()) return false;
    if (!host.endpoints()[self.endpoint].spec.http2) return false;
    const std::string_view rest = http2::kPreface.substr(kept.size());
    const std::string_view next(input.data(), std::min(input.size(), rest.size()));
    if (!http2::kPreface.starts_with(kept) || !rest.starts_with(next)) return false;
    if (next.size() == rest.size()) {
        std::string preface(kept);
        release(host);
        // This session ends here.
        host.sessions().begin_http2(host, self, std::move(preface));
        progress = Progress::kSwitched;
        return true;
    }
    if (!begun) {
        const HttpLimits& limits = host.site_limits(self.endpoint);
        exchange_.keep().parser = http1::HeadParser(head_limits(limits));
        host.set_deadline(self, limits.head_ms);
    }
    exchange_.keep().text.append(input.data(), input.size());
    input = {};
    progress = Progress::kMore;
    return true;
}

/// Whether the connection is a proxy's, whose requests say whose they are.
bool HttpSession::names_clients(SessionHost& host, const Connection& self) {
    return self.trusted && host.endpoints()[self.endpoint].spec.proxies.fields != http::ProxyFields::kNone;
}

/// From here to the next head the connection is the client's whom this one names.
void HttpSession::name_client(SessionHost& host, Connection& self, const RequestView& request) {
    const http::TrustedProxies& proxies = host.endpoints()[self.endpoint].spec.proxies;
    const Address client = http::read_forwarded(request.fields, request.text, proxies).client;
    // A stream of which nobody is named counts for the connection that carries it.
    if (client.is_ip() || !self.stream()) host.count_for(self, client);
}

Progress HttpSession::read_head(SessionHost& host, Connection& self, std::span<char>& input) {
    const HttpLimits& limits = host.site_limits(self.endpoint);
    IncomingRequest* begun = exchange_.incoming();
    size_t kept = begun ? begun->text.size() : 0;
    const bool is_named = names_clients(host, self);
    // Asked before parsing, so that a request that stands whole in the input never has to be copied; but
    // whose it is has to be known.
    if (!is_named) {
        const int worker = host.transport().worker_for_request(self.client_key());
        if (!host.out_budget().may_begin(self)) return await_turn(host, self, Resource::kOutMemory);
        if (worker == kNoWorker ||
            !host.accepts_request(self, worker, kept + input.size() + request_overhead(limits)))
            return await_turn(host, self, Resource::kWorker);
    }
    http1::HeadParser& parser = begun ? begun->parser : host.shared_parser();
    std::span<char> text = input;
    if (begun) {
        begun->text.append(input.data(), input.size());
        text = begun->text;
    } else {
        parser.reset(head_limits(limits));
    }
    switch (parser.parse(text)) {
        case http1::HeadParser::Status::kError:
            exchange_.access.begin_unreadable(host, self, {text.data(), text.size()});
            return fail(host, self, parser.error());
        case http1::HeadParser::Status::kNeedMore:
            if (!begun) {
                IncomingRequest& request = exchange_.keep();
                request.parser = std::move(parser);
                request.text.assign(input.data(), input.size());
                host.set_deadline(self, limits.head_ms);
                awaits_turn_ = false;
            }
            input = {};
            return Progress::kMore;
        case http1::HeadParser::Status::kDone: break;
    }
    size_t head_bytes = parser.head_bytes();
    std::span<char> rest = input.subspan(head_bytes - kept);
    if (begun) {
        begun->text.resize(head_bytes);
        begun->head = parser.head();
        begun->fields.assign(parser.fields().begin(), parser.fields().end());
    }
    if (is_named) {
        name_client(host, self,
                    exchange_.keep({&parser.head(), parser.fields(), {text.data(), head_bytes}}).view());
        state_.move_to(State::kRequest);
        awaits_turn_ = false;
        input = rest;
        return Progress::kMore;
    }
    const Progress progress = begin(
        host, self, rest,
        begun ? begun->view() : RequestView{&parser.head(), parser.fields(), {input.data(), head_bytes}});
    if (progress != Progress::kWait) {
        input = rest;
    } else if (begun) {
        // The input is kept and offered again: forget what was appended from it.
        begun->text.resize(kept);
        begun->parser.reset();
    }
    return progress;
}

/// The workers are busy or have died, or memory is short: a request waits for that as long as for its answer.
Progress HttpSession::await_turn(SessionHost& host, Connection& self, Resource resource) {
    if (!awaits_turn_) host.set_deadline(self, host.site_limits(self.endpoint).request_ms);
    awaits_turn_ = true;
    exchange_.note_arrival();
    return wait_for(self, resource);
}

Progress HttpSession::begin(SessionHost& host, Connection& self, std::span<char>& rest,
                            const RequestView& request) {
    const http::RequestHead& head = *request.head;
    exchange_.access.begin(host, self, head, request.fields, request.text);
    if (head.version_major == 1 && !host.endpoints()[self.endpoint].spec.http1) {
        exchange_.read(request, self.endpoint);
        return fail(host, self, {505, "this site speaks HTTP/2 alone"});
    }
    if (head.upgrade_websocket) {
        const int route = host.endpoints().websocket_route(self.endpoint, head.path.in(request.text.data()));
        if (route != Endpoints::kNone) return begin_websocket(self, route, request);
        // An extended CONNECT must be a WebSocket.
        if (head.version_major > 1) return fail(host, self, {404, "there is no WebSocket at this path"});
    }
    exchange_.read(request, self.endpoint);
    // Behind a body some clients send an empty line (RFC 9112 2.2).
    self.sends_no_more = !head.keep_alive && !head.has_body && !self.stream();
    if (requests_ + 1 >= host.site_limits(self.endpoint).keep_alive_requests) exchange_.be_last();
    const bool is_wanted = find_route(host, self, request);
    http1::BodyReceiver body;
    const HttpLimits& limits = host.endpoints()[exchange_.endpoint()].spec.limits.http;
    body.begin(head, limits.body_bytes, limits.memory_body_bytes(host.limits().temporary_file_bytes));
    switch (body.next(rest)) {
        case http1::BodyReceiver::Event::kMessage:
            if (!is_wanted) return turn_away(host, self, request);
            return dispatch(host, self, request, {body.message().data(), body.message().size()}, {},
                            !rest.empty());
        case http1::BodyReceiver::Event::kError:
            if (is_wanted || head.chunked) return fail(host, self, body.error());
            [[fallthrough]];
        default:
            if (is_wanted) return begin_body(host, self, request, body, rest.empty());
            exchange_.keep(request).begin_body(host, self, body, limits);
            return turn_away(host, self, exchange_.incoming()->view(), true);
    }
}

/// Finds the endpoint whose handler the request is for. False: there is none.
bool HttpSession::find_route(SessionHost& host, const Connection& self, const RequestView& request) {
    const char* text = request.text.data();
    const http::RequestHead& head = *request.head;
    const int route = host.endpoints().http_route(self.endpoint, head.method, head.method_text.in(text),
                                                  head.path.in(text));
    if (route != Endpoints::kNone) exchange_.go_to(static_cast<uint16_t>(route));
    return route != Endpoints::kNone;
}

/// Answers a request that has no route. `body_follows`: its body is to be discarded.
Progress HttpSession::turn_away(SessionHost& host, Connection& self, const RequestView& request,
                                bool body_follows) {
    if (body_follows && !exchange_.incoming()->may_drain()) exchange_.be_last();
    const std::string allowed =
        host.endpoints().allowed_methods(self.endpoint, request.head->path.in(request.text.data()));
    const std::string allow = "allow: " + allowed + "\r\n";
    state_.move_to(State::kAwaiting);
    ++requests_;
    if (allowed.empty()) {
        exchange_.answer_here(host, self, requests_, 404, {}, "this site has no such path");
    } else if (request.head->method == http::Method::kOptions) {
        exchange_.answer_here(host, self, requests_, 204, allow, {});
    } else {
        exchange_.answer_here(host, self, requests_, 405, allow, "this path takes " + allowed);
    }
    if (body_follows && exchange_.keep_alive()) {
        exchange_.incoming()->begin_to_drain(host);
        state_.move_to(State::kDrain);
        exchange_.arm(host, self);
        return Progress::kMore;
    }
    exchange_.drop_incoming(host);
    return next_after_answer(host, self);
}

/// This session has answered the request itself: goes on to the next one.
Progress HttpSession::next_after_answer(SessionHost& host, Connection& self) {
    begin_next(host, self);
    return self.phase != Phase::kOpen ? Progress::kClosed
           : state_ == State::kHead   ? Progress::kMore
                                      : Progress::kBlocked;
}

/// The connection becomes a WebSocket's if the handshake is granted. This session ends here.
Progress HttpSession::begin_websocket(Connection& self, int route, const RequestView& request) {
    exchange_.keep(request);
    exchange_.read(exchange_.incoming()->view(), static_cast<uint16_t>(route));
    HttpExchange exchange = std::move(exchange_);
    self.session.emplace<WebSocketOpening>(std::move(exchange), static_cast<uint16_t>(route), requests_ + 1);
    return Progress::kSwitched;
}

// -- The body

Progress HttpSession::begin_body(SessionHost& host, Connection& self, const RequestView& request,
                                 const http1::BodyReceiver& body, bool nothing_came) {
    IncomingRequest& incoming = exchange_.keep(request);
    const EndpointSpec& spec = host.endpoints()[exchange_.endpoint()].spec;
    incoming.begin_body(host, self, body, spec.limits.http);
    const bool waits = nothing_came && incoming.awaits_continue();
    if (spec.stream_bodies) {
        if (!incoming.begin_stream(host, waits)) return fail(host, self, incoming.error());
        state_.move_to(State::kDispatch);
    } else {
        state_.move_to(State::kBody);
        if (waits) exchange_.inform(host, self, 100, {});
    }
    host.set_deadline(self, spec.limits.http.body_ms);
    awaits_turn_ = false;
    return Progress::kMore;
}

void HttpSession::note_body_progress(SessionHost& host, Connection& self) {
    if (exchange_.incoming()->note_progress(host)) exchange_.arm(host, self);
}

Progress HttpSession::read_body(SessionHost& host, Connection& self, std::span<char>& input) {
    const IncomingRequest::Read read = exchange_.incoming()->read(host, self.id, input);
    switch (read) {
        case IncomingRequest::Read::kWhole:
            state_.move_to(State::kDispatch);
            exchange_.note_whole();
            return Progress::kMore;
        case IncomingRequest::Read::kFailed: return fail(host, self, exchange_.incoming()->error());
        default: break;
    }
    note_body_progress(host, self);
    if (read == IncomingRequest::Read::kMore) return Progress::kMore;
    return read == IncomingRequest::Read::kYield ? Progress::kYield : wait_for(self, Resource::kArena);
}

/// Feeds a body that its handler reads as it arrives; the request has been delivered.
Progress HttpSession::feed_stream(SessionHost& host, Connection& self, std::span<char>& input) {
    IncomingRequest& incoming = *exchange_.incoming();
    switch (incoming.feed(host, self.id, input)) {
        case IncomingRequest::Read::kFailed:
            fail_stream(host, self, incoming.error());
            return Progress::kClosed;
        case IncomingRequest::Read::kWhole: {
            const uint64_t request_due_ms = incoming.request_due_ms();
            exchange_.drop_incoming(host);
            host.set_deadline_at(self, request_due_ms);
            return Progress::kBlocked;
        }
        case IncomingRequest::Read::kFull: exchange_.arm(host, self); return Progress::kBlocked;
        default: exchange_.arm(host, self); return Progress::kMore;
    }
}

void HttpSession::want_body(SessionHost& host, Connection& self, int worker, uint32_t request) {
    if (!exchange_.is_of(worker, request) || !exchange_.streams_body()) return;
    IncomingRequest& incoming = *exchange_.incoming();
    if (!incoming.awaits_continue() || exchange_.has_begun_to_respond()) return;
    exchange_.inform(host, self, 100, {});
    incoming.asked(host.now_ms());
    exchange_.arm(host, self);
}

/// The rest of the body will not come: tells the handler in its stream, and the client if possible.
void HttpSession::fail_stream(SessionHost& host, Connection& self, const http::Error& error) {
    exchange_.incoming()->break_off(host, self.id, error.status);
    exchange_.be_last();
    if (error.status == 499 || exchange_.has_begun_to_respond()) {
        host.abort(self);
    } else {
        fail(host, self, error);
    }
}

Progress HttpSession::drain_body(SessionHost& host, Connection& self, std::span<char>& input) {
    switch (exchange_.incoming()->drain(input)) {
        case IncomingRequest::Read::kWhole:
            exchange_.drop_incoming(host);
            return next_after_answer(host, self);
        case IncomingRequest::Read::kFailed: host.finish(self); return Progress::kClosed;
        default: note_body_progress(host, self); return Progress::kMore;
    }
}

}  // namespace sluice
