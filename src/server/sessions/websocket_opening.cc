#include "server/sessions/websocket_opening.h"

#include "protocol/http/forwarded.h"
#include "protocol/http/route_pattern.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/websocket_session.h"
#include "server/sessions/websocket_upgrade.h"

namespace sluice {

bool may_follow(OpeningState state, OpeningState next) {
    switch (state) {
        case OpeningState::kOffered: return next == OpeningState::kDeciding || next == OpeningState::kEnded;
        case OpeningState::kDeciding: return next > OpeningState::kDeciding;
        case OpeningState::kRefusing:
        case OpeningState::kGranted: return next == OpeningState::kEnded;
        case OpeningState::kEnded: return false;
    }
    return false;
}

WebSocketOpening::WebSocketOpening(HttpExchange exchange, uint16_t route, uint32_t number)
    : exchange_(std::move(exchange)), number_(number), route_(route) {
    exchange_.be_last();  // bytes behind a refused handshake may be frames
}

Progress WebSocketOpening::consume(SessionHost& host, Connection& self, std::span<char>&) {
    switch (state_) {
        case State::kOffered: return check(host, self);
        case State::kDeciding:
        case State::kRefusing: return Progress::kBlocked;
        case State::kGranted:
            if (!host.can_deliver(
                    self, request().text.size() + request_overhead(host.site_limits(self.endpoint)))) {
                return Progress::kWait;
            }
            return become_websocket(host, self, decision_->protocol, decision_->fields);
        case State::kEnded: break;
    }
    return Progress::kClosed;
}

Progress WebSocketOpening::check(SessionHost& host, Connection& self) {
    const RequestView view = request().view();
    const WebSocketOffer offer(*view.head, view.fields, view.text);
    if (auto refusal = websocket::check_handshake(offer.request())) {
        const bool by_version = refusal->status == 426;
        // RFC 8441 section 5: over HTTP/2, which has no 426, Sec-WebSocket-Version goes with a 400.
        const uint16_t status = view.head->version_major > 1 ? 400 : static_cast<uint16_t>(refusal->status);
        const std::string_view fields = !by_version     ? std::string_view()
                                        : status == 426 ? websocket::kUpgradeFields
                                                        : websocket::kVersionField;
        exchange_.refuse(host, self, {status, refusal->sentence.c_str()}, fields);
        return end(host, self);
    }
    const EndpointSpec& spec = host.endpoints()[route_].spec;
    if (http::has_parameters(spec.path) && view.head->path.length > PathCell::kMostBytes)
        return fail(host, self, {414, "the path of a WebSocket with parameters has at most 244 bytes"});
    const http::Forwarded told =
        self.trusted ? http::read_forwarded(view.fields, view.text, spec.proxies) : http::Forwarded{};
    const std::string_view site = told.host.empty() ? offer.request().host : std::string_view(told.host);
    const bool secure = told.scheme.empty() ? self.is_secure() : told.scheme == "https";
    if (!spec.websocket.origins.allows(offer.origin(), site, secure)) {
        return fail(host, self, {403, "pages of this origin may not open a WebSocket here"});
    }
    if (!host.can_deliver(self, view.text.size() + request_overhead(host.site_limits(self.endpoint))))
        return Progress::kWait;
    if (spec.websocket.asks_handler) return ask(host, self);
    return become_websocket(host, self, {}, {});
}

/// Lets the application decide on the handshake.
Progress WebSocketOpening::ask(SessionHost& host, Connection& self) {
    if (!host.handshakes().take(self.client_key())) {
        return fail(host, self,
                    {503, "too many WebSocket handshakes wait to be decided on (handshakes)", "handshakes"});
    }
    decision_ = std::make_unique<Decision>(Decision{self.client_key(), {}, {}});
    state_.move_to(State::kDeciding);
    self.endpoint = route_;
    Inbound message = request_message(request().view(), number_, exchange_.waits_since_us());
    host.deliver(self, self.worker, message, {});
    host.set_deadline(self, host.endpoints()[route_].spec.limits.websocket.handshake_ms);
    exchange_.delivered(host, self, self.worker, number_);
    return Progress::kBlocked;
}

/// The application's decision has come, or is no longer awaited.
void WebSocketOpening::decided(SessionHost& host, State next) {
    if (is_being_decided()) host.handshakes().give_back(decision_->client);
    state_.move_to(next);
}

void WebSocketOpening::command(SessionHost& host, Connection& self, int worker, const Command& command,
                               Ref<Payload> payload) {
    if (const auto* grant = command.as<command::GrantHandshake>()) {
        if (state_ != State::kDeciding || !exchange_.is_of(worker, grant->request)) return;
        if (!command.payload.empty() &&
            !host.attachments().attach(self.id, self.client_key(), command.payload)) {
            fail(host, self,
                 {503, "there is no room for what the handler attaches (attachedTotalBytes)",
                  "attachedTotalBytes"});
            return;
        }
        exchange_.give_up(host);
        decision_->protocol = grant->protocol;
        decision_->fields = grant->fields;
        decided(host, State::kGranted);
        host.resume(self);
    } else if (const auto* response = command.as<command::Respond>()) {
        answered(host, self,
                 exchange_.answer(host, self, worker, *response, command.payload, std::move(payload)));
    } else if (const auto* part = command.as<command::BodyPart>()) {
        answered(host, self,
                 exchange_.answer(host, self, worker, *part, command.payload, std::move(payload)));
    } else if (const auto* hints = command.as<command::Inform>()) {
        exchange_.answer(host, self, worker, *hints);
    } else if (command.is<command::Close>()) {
        host.abort(self);
    }
}

void WebSocketOpening::answered(SessionHost& host, Connection& self, HttpExchange::Answered answered) {
    if (answered == HttpExchange::Answered::kBroken) {
        host.abort(self);
    } else if (answered == HttpExchange::Answered::kWhole) {
        end(host, self);
    } else if (state_ == State::kDeciding && exchange_.has_begun_to_respond()) {
        state_.move_to(State::kRefusing);
    }
}

Progress WebSocketOpening::become_websocket(SessionHost& host, Connection& self, std::string_view protocol,
                                            std::string_view fields) {
    const EndpointSpec& spec = host.endpoints()[route_].spec;
    const RequestView view = request().view();
    const WebSocketOffer offer(*view.head, view.fields, view.text);
    if (self.trusted) {
        // From here on the connection belongs to one client: note whom the proxies name.
        const http::Forwarded told = http::read_forwarded(view.fields, view.text, spec.proxies);
        if (told.client.family) host.name_client(self, told.client);
    }
    WebSocketGrant grant =
        grant_websocket(spec, offer.request(), protocol, host.compression(), self.client_key());
    grant.fields += fields;
    const uint16_t status = exchange_.writer().grant_websocket(self, offer.request().key, grant.protocol,
                                                               grant.fields, host.date());
    host.wants_flush(self);
    exchange_.access.number(number_);
    exchange_.access.respond(status);
    exchange_.count(host, route_, status);
    exchange_.access.end();
    exchange_.access.all_sent(host, self);
    self.endpoint = route_;
    host.cells().note_protocol(self.id, grant.protocol);
    if (http::has_parameters(spec.path))
        host.cells().note_path(self.id, route_, view.head->path.in(view.text.data()));
    Inbound message{.what = inbound::Opening{{view.head, view.fields, view.text}, number_}};
    host.deliver(self, self.worker, message, {});
    self.close_pending = true;
    host.set_deadline(self, 0);
    exchange_.release(host);
    // This session ends here.
    auto& session = self.session.emplace<WebSocketSession>(std::move(grant.compression));
    session.begin(host, self, spec);
    if (host.shutting_down()) {
        session.close(host, self, websocket::close_code::kGoingAway, "");
    }
    return Progress::kSwitched;
}

Progress WebSocketOpening::fail(SessionHost& host, Connection& self, const http::Error& error) {
    exchange_.refuse(host, self, error);
    return end(host, self);
}

Progress WebSocketOpening::end(SessionHost& host, Connection& self) {
    release(host);
    host.finish(self);
    return Progress::kClosed;
}

void WebSocketOpening::worker_lost(SessionHost& host, Connection& self) {
    if (!exchange_.is_awaited()) return;
    if (exchange_.has_begun_to_respond()) {
        host.abort(self);
        return;
    }
    answered(host, self, exchange_.answer_error(host, self, 502, kWorkerDied));
}

void WebSocketOpening::deadline(SessionHost& host, Connection& self) {
    if (is_being_decided()) {
        exchange_.cancel_overdue(host, self);
        fail(host, self,
             {503, "the handler of this WebSocket's handshake has not decided in time", "handshakeSeconds"});
    } else if (self.waiting) {  // not the client's fault
        fail(host, self, kNothingCameFree);
    }
}

void WebSocketOpening::stop(SessionHost& host, Connection& self) {
    if (self.waiting && host.transport().is_short_of_memory()) fail(host, self, kNothingCameFree);
}

void WebSocketOpening::peer_left(SessionHost& host, Connection& self) {
    exchange_.client_left(host, self);
    if (is_being_decided()) host.abort(self);  // a WebSocket needs both directions
}

void WebSocketOpening::ended(SessionHost& host, Connection& self) {
    host.abort(self);
}

void WebSocketOpening::sent(SessionHost& host, Connection& self) {
    exchange_.access.all_sent(host, self);
}

void WebSocketOpening::close(SessionHost& host, Connection& self, uint16_t, std::string_view) {
    host.finish(self);
}

void WebSocketOpening::cut(SessionHost& host, Connection& self) {
    exchange_.access.cut(host, self, self.out.bytes() + self.out.file_bytes());
}

void WebSocketOpening::release(SessionHost& host) {
    exchange_.release(host);
    if (state_ != State::kEnded) decided(host, State::kEnded);
}

}  // namespace sluice
