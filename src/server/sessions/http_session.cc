#include "server/sessions/http_session.h"

#include <algorithm>
#include <string>

#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/seam/records.h"
#include "server/sessions/http2_stream.h"

namespace sluice {

namespace {
/// While the server drains, how long an idle connection is kept for a request that the client may just have
/// sent.
constexpr uint32_t kLastRequestMs = 250;
}  // namespace

bool may_follow(HttpState state, HttpState next) {
    using State = HttpState;
    switch (state) {
        case State::kHead: return next != State::kHead && next != State::kDrain && next != State::kSending;
        case State::kRequest: return next > state && next != State::kDrain && next != State::kSending;
        case State::kBody: return next == State::kDispatch || next == State::kEnded;
        case State::kDispatch: return next == State::kAwaiting || next == State::kEnded;
        case State::kAwaiting: return next == State::kHead || next > State::kAwaiting;
        case State::kDrain: return next == State::kHead || next > State::kDrain;
        case State::kSending: return next == State::kHead || next == State::kEnded;
        case State::kEnded: return false;
    }
    return false;
}

void HttpSession::connected(SessionHost& host, Connection& self) {
    if (self.tls() && self.tls()->protocol() == "h2") {
        host.sessions().begin_http2(host, self, {});  // this session ends here
        return;
    }
    host.set_deadline(self, host.site_limits(self.endpoint).head_ms);
}

Activity HttpSession::activity(const Connection&) const {
    switch (state_) {
        case State::kHead: return exchange_.incoming() ? Activity::kReading : Activity::kNothing;
        case State::kRequest:
        case State::kBody:
        case State::kDrain: return Activity::kReading;
        default: return Activity::kHandling;
    }
}

void HttpSession::begin_stream(SessionHost& host, Connection& self, const RequestView& request) {
    exchange_.keep(request);
    exchange_.read(request, self.endpoint);
    if (names_clients(host, self)) name_client(host, self, request);
    state_.move_to(State::kRequest);
    host.set_deadline(self, host.site_limits(self.endpoint).head_ms);
}

std::span<char> HttpSession::window() {
    const bool takes = state_ == State::kBody || (state_ == State::kAwaiting && exchange_.streams_body());
    return takes ? exchange_.incoming()->window() : std::span<char>{};
}

void HttpSession::filled(size_t bytes) {
    exchange_.incoming()->filled(bytes);
}

void HttpSession::progressed(SessionHost& host, Connection& self) {
    if (exchange_.streams_body()) {
        exchange_.incoming()->note_streamed(host);
        exchange_.arm(host, self);
        return;
    }
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
                if (!host.out_budget().may_begin(client_of(self)))
                    return await_turn(host, self, Resource::kOutMemory);
                std::span<char> rest = input;
                progress = begin(host, self, rest, exchange_.incoming()->view());
                if (progress != Progress::kWait) input = rest;
                break;
            }
            case State::kBody: progress = read_body(host, self, input); break;
            case State::kDispatch: {
                IncomingRequest& request = *exchange_.incoming();
                progress = dispatch(host, self, request.view(), request.body(), request.deliverable(),
                                    !input.empty());
                break;
            }
            case State::kAwaiting:
                if (exchange_.streams_body()) {
                    progress = feed_stream(host, self, input);
                    break;
                }
                pipeline(host, self, input);
                return Progress::kBlocked;
            case State::kDrain: progress = drain_body(host, self, input); break;
            case State::kSending: return Progress::kBlocked;
            case State::kEnded: return Progress::kClosed;
        }
        if (progress == Progress::kBlocked && state_ == State::kAwaiting) pipeline(host, self, input);
        const bool goes_on = !input.empty() || state_ == State::kRequest || state_ == State::kDispatch;
        if (progress != Progress::kMore || !goes_on) return progress;
    }
}

Progress HttpSession::dispatch(SessionHost& host, Connection& self, const RequestView& request,
                               std::string_view body, Room room, bool more_follow) {
    IncomingRequest* incoming = exchange_.incoming();
    const Ref<RequestFile> file = incoming ? incoming->file() : Ref<RequestFile>{};
    size_t inline_bytes = request.text.size() + sizeof *request.head + request.fields.size_bytes() +
                          (file   ? sizeof(BodyPlace)
                           : room ? 0
                                  : body.size());
    if (!host.endpoints()[exchange_.endpoint()].active && !find_route(host, self, request))
        return turn_away(host, self, request, exchange_.streams_body());
    const EndpointSpec& spec = host.endpoints()[exchange_.endpoint()].spec;
    int worker;
    if (spec.dispatch == Dispatch::kSticky) {
        Connection& client = client_of(self);
        if (!host.can_deliver(client, inline_bytes)) return await_turn(host, self, Resource::kItsWorker);
        worker = client.worker;
    } else {
        worker = host.transport().worker_for_request(self.client_key());
        if (worker == kNoWorker || !host.accepts_request(self, worker, inline_bytes))
            return await_turn(host, self, Resource::kWorker);
    }
    Inbound message = request_message(request, requests_ + 1, exchange_.waits_since_us());
    message.endpoint = exchange_.endpoint();
    if (more_follow && !self.stream() && !exchange_.streams_body()) {
        std::get<inbound::Request>(message.what).pipelined = true;
        exchange_.be_pipelined();
    }
    if (!file) {
        message.payload = body;
        host.deliver(self, worker, message, room);
    } else if (!host.deliver_file(self, worker, message, file)) {
        return await_turn(host, self, Resource::kWorker);
    }
    state_.move_to(State::kAwaiting);
    awaits_turn_ = false;
    host.set_deadline(self, spec.limits.http.request_ms);
    exchange_.delivered(host, self, worker, ++requests_);
    if (spec.dispatch != Dispatch::kSticky) exchange_.compare(host);
    if (incoming) incoming->delivered(host);
    if (exchange_.streams_body()) {
        exchange_.arm(host, self);
        return Progress::kMore;
    }
    exchange_.drop_incoming(host);
    return Progress::kBlocked;
}

// -- The response

void HttpSession::command(SessionHost& host, Connection& self, int worker, const Command& command,
                          Ref<Payload> payload) {
    if (const auto* response = command.as<command::Respond>()) {
        answered(host, self,
                 exchange_.answer(host, self, worker, *response, command.payload, std::move(payload)));
    } else if (const auto* part = command.as<command::BodyPart>()) {
        answered(host, self,
                 exchange_.answer(host, self, worker, *part, command.payload, std::move(payload)));
    } else if (const auto* hints = command.as<command::Inform>()) {
        exchange_.answer(host, self, worker, *hints);
    } else if (const auto* want = command.as<command::WantBody>()) {
        want_body(host, self, worker, want->request);
    } else if (command.is<command::Close>()) {
        host.abort(self);
    }
}

void HttpSession::answered(SessionHost& host, Connection& self, HttpExchange::Answered answered) {
    if (answered == HttpExchange::Answered::kNothing) return;
    if (answered == HttpExchange::Answered::kBroken) {
        host.abort(self);
        return;
    }
    if (exchange_.streams_body()) {
        IncomingRequest& incoming = *exchange_.incoming();
        if (exchange_.keep_alive() && incoming.may_drain()) {
            incoming.begin_to_drain(host);
            state_.move_to(State::kDrain);
            exchange_.arm(host, self);
            host.resume(self);
            return;
        }
        exchange_.be_last();
    }
    begin_next(host, self);
}

/// The request has been answered: goes on to the next one.
void HttpSession::begin_next(SessionHost& host, Connection& self) {
    if (!exchange_.keep_alive() || (self.read_ended && !self.pending && !behind_)) {
        state_.move_to(State::kEnded);
        drop_behind(host);
        host.finish(self);
        return;
    }
    self.is_backlogged = behind_ || self.pending || self.readable;
    widen_window(host, self);
    if (behind_) {
        begin_followed(host, self);
        return;
    }
    // A client that pipelines requests and does not read must not pile up files or responses.
    if (self.out.file_bytes() > 0 || self.out.bytes() > host.sending(self.endpoint).high_water()) {
        state_.move_to(State::kSending);
    } else {
        await_request(host, self);
    }
}

void HttpSession::sent(SessionHost& host, Connection& self) {
    exchange_.access.all_sent(host, self);
    if (state_ != State::kSending || self.phase != Phase::kOpen) return;
    if (exchange_.keep_alive()) {
        await_request(host, self);
    } else {
        state_.move_to(State::kEnded);
        host.finish(self);
    }
}

void HttpSession::await_request(SessionHost& host, Connection& self) {
    state_.move_to(State::kHead);
    awaits_turn_ = false;
    host.set_deadline(self, host.site_limits(self.endpoint).keep_alive_ms);
    host.resume(self);
}

void HttpSession::worker_lost(SessionHost& host, Connection& self) {
    if (!exchange_.is_awaited()) return;
    if (exchange_.streams_body()) exchange_.be_last();  // the unread rest of the body is unknown
    if (exchange_.has_begun_to_respond()) {
        // The client has a part of the response: only the connection's end tells it that the rest is missing.
        host.abort(self);
        return;
    }
    answered(host, self, exchange_.answer_error(host, self, 502, kWorkerDied));
}

void HttpSession::refuse(SessionHost& host, Connection& self) {
    const uint32_t seconds = std::max(1u, host.limits().queue_ms / 1000);
    fail(host, self,
         {503, "the server has more to do than it can, try again later (queueSeconds)", "queueSeconds"},
         "retry-after: " + std::to_string(seconds) + "\r\n");
}

size_t HttpSession::unfinished_bytes() const {
    return state_ == State::kBody ? exchange_.incoming()->extent_bytes() : 0;
}

void HttpSession::give_up_unfinished(SessionHost& host, Connection& self) {
    fail(host, self,
         {503, "the server has no memory for the rest of this body, try again later (arenaBytes)",
          "arenaBytes"},
         "retry-after: 1\r\n");
}

Progress HttpSession::fail(SessionHost& host, Connection& self, const http::Error& error,
                           std::string_view fields) {
    exchange_.refuse(host, self, error, fields);
    release(host);
    host.finish(self);
    return Progress::kClosed;
}

// -- The end

void HttpSession::peer_left(SessionHost& host, Connection& self) {
    if (topics_) {
        host.abort(self);
        return;
    }
    exchange_.client_left(host, self);
}

void HttpSession::close(SessionHost& host, Connection& self, uint16_t, std::string_view) {
    leave_topics(host);
    host.finish(self);
}

/// The current request is the last one.
void HttpSession::stop(SessionHost& host, Connection& self) {
    (behind_ ? behind_->back() : exchange_).be_last();
    if (topics_) {
        leave_topics(host);
        answered(host, self, exchange_.end_taken_over(host, self));
        return;
    }
    if (self.waiting && host.transport().is_short_of_memory()) {
        fail(host, self, kNothingCameFree);
        return;
    }
    if (state_ != State::kHead || exchange_.incoming() || self.pending || self.waiting) return;
    // A request may be on its way already: wait for it, and answer it, before the connection ends.
    host.set_deadline(self, kLastRequestMs);
}

void HttpSession::ended(SessionHost& host, Connection& self) {
    if (exchange_.streams_body()) {
        fail_stream(host, self, {499, "the client has gone before the end of the body"});
        return;
    }
    if (state_ == State::kAwaiting || state_ == State::kDispatch)
        return;  // a half-closed client still gets its answer
    if (state_ == State::kHead && !exchange_.incoming() && self.out.empty()) {
        host.abort(self);
        return;
    }
    host.finish(self);
}

void HttpSession::deadline(SessionHost& host, Connection& self) {
    if (topics_) {
        beat(host, self);
        return;
    }
    if (self.waiting) {  // the client is not at fault
        fail(host, self, kNothingCameFree);
        return;
    }
    if (exchange_.streams_body() && exchange_.incoming()->is_body_overdue(host.now_ms())) {
        fail_stream(host, self, {408, "the request body did not arrive in time", "bodySeconds"});
        return;
    }
    switch (state_) {
        case State::kAwaiting:
            // A response that has begun has no deadline: this one has not begun.
            exchange_.cancel_overdue(host, self);
            host.count_refusal("requestSeconds");
            // Its worker may be stuck, and has those behind it, too: their client may send them again.
            if (behind_) exchange_.be_last();
            if (!exchange_.has_begun_to_respond()) {
                answered(
                    host, self,
                    exchange_.answer_error(host, self, 504, "the request took longer than this site allows"));
            }
            break;
        case State::kBody:
            fail(host, self, {408, "the request body did not arrive in time", "bodySeconds"});
            break;
        case State::kHead:
            if (exchange_.incoming()) {
                fail(host, self, {408, "the request head did not arrive in time", "headSeconds"});
            } else {
                host.finish(self);
            }
            break;
        case State::kDrain: host.finish(self); break;
        default: break;
    }
}

void HttpSession::cut(SessionHost& host, Connection& self) {
    drop_behind(host);
    exchange_.access.cut(host, self, self.out.bytes() + self.out.file_bytes());
}

void HttpSession::release(SessionHost& host) {
    leave_topics(host);
    drop_behind(host);
    exchange_.release(host);
    if (state_ != State::kEnded) state_.move_to(State::kEnded);
}

}  // namespace sluice
