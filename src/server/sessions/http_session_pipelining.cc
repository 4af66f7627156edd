// HttpSession: requests that are given to their worker before the response to an earlier one is complete.

#include <algorithm>

#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/http_session.h"

namespace sluice {

namespace {
/// How many requests of a connection its worker has at a time.
constexpr uint8_t kMostInFlight = 16;

/// Whether the request may be given to its worker at once: it is whole, asks for nothing but its response,
/// and may be sent again when that never comes (RFC 9112 9.3.2, RFC 9110 9.2.1).
bool may_be_pipelined(const http::RequestHead& head) {
    const bool is_safe = head.method == http::Method::kGet || head.method == http::Method::kHead ||
                         head.method == http::Method::kOptions;
    return is_safe && !head.has_body && !head.expect_continue && !head.upgrade_websocket;
}
}  // namespace

/// Gives the first request's worker those that stand whole in the input behind it. What has to wait, for
/// whatever reason, stays in the input until all before it are answered.
void HttpSession::pipeline(SessionHost& host, Connection& self, std::span<char>& input) {
    // Through a proxy they may be of several clients.
    if (!exchange_.is_pipelined() || names_clients(host, self)) return;
    // The client may have closed its side since the session was resumed.
    if (self.peer_shut) exchange_.client_left(host, self);
    while (!input.empty() && begin_pipelined(host, self, input)) {
    }
}

bool HttpSession::begin_pipelined(SessionHost& host, Connection& self, std::span<char>& input) {
    const int worker = exchange_.awaited().worker;
    HttpExchange& last = behind_ ? behind_->back() : exchange_;
    if (worker == kNoWorker || (behind_ ? behind_->size() : 0) + 1u >= window_) return false;
    if (!last.is_pipelined() || !last.keep_alive() || host.shutting_down() ||
        !host.may_pipeline(self, worker))
        return false;
    if (self.out.file_bytes() > 0 || self.out.bytes() > host.sending(self.endpoint).high_water())
        return false;
    if (!host.out_budget().may_begin(self)) return false;

    const HttpLimits& limits = host.site_limits(self.endpoint);
    http1::HeadParser& parser = host.shared_parser();
    parser.reset(head_limits(limits));
    if (parser.parse(input) != http1::HeadParser::Status::kDone || !may_be_pipelined(parser.head()))
        return false;
    const RequestView request{&parser.head(), parser.fields(), {input.data(), parser.head_bytes()}};
    const char* text = request.text.data();
    const int route = host.endpoints().http_route(
        self.endpoint, request.head->method, request.head->method_text.in(text), request.head->path.in(text));
    if (route == Endpoints::kNone) return false;
    const EndpointSpec& spec = host.endpoints()[static_cast<uint16_t>(route)].spec;
    if (spec.dispatch == Dispatch::kSticky && self.worker != worker) return false;
    const size_t bytes = request.text.size() + sizeof *request.head + request.fields.size_bytes();
    if (!host.transport().is_ready(worker) ||
        !host.transport().accepts_request(worker, self.client_key(), bytes, false))
        return false;

    HttpExchange next(exchange_.writer());
    next.access.begin(host, self, *request.head, request.fields, request.text);
    next.read(request, self.endpoint);
    next.go_to(static_cast<uint16_t>(route));
    if (requests_ + 1 >= limits.keep_alive_requests) next.be_last();
    Inbound message = request_message(request, requests_ + 1, next.waits_since_us());
    message.endpoint = next.endpoint();
    std::get<inbound::Request>(message.what).pipelined = true;
    self.is_backlogged = true;
    host.deliver(self, worker, message, {});
    next.be_pipelined();
    next.delivered(host, self, worker, ++requests_);
    last.be_followed();
    if (!behind_) behind_ = std::make_unique<std::deque<HttpExchange>>();
    behind_->push_back(std::move(next));
    input = input.subspan(request.text.size());
    return true;
}

/// A response is complete. The window opens while responses are small, and the client reads them: so it
/// cannot have many long ones made at once.
void HttpSession::widen_window(SessionHost& host, const Connection& self) {
    const bool is_small =
        self.out.file_bytes() == 0 && self.out.bytes() <= host.sending(self.endpoint).high_water() / 2;
    window_ = is_small ? std::min<uint8_t>(kMostInFlight, window_ * 2) : 1;
}

/// The next request is the first one now.
void HttpSession::begin_followed(SessionHost& host, Connection& self) {
    HttpExchange next = std::move(behind_->front());
    behind_->pop_front();
    if (behind_->empty()) behind_.reset();
    exchange_.access.go_on(std::move(next.access));
    next.access = std::move(exchange_.access);
    exchange_ = std::move(next);
    host.set_deadline(self, host.endpoints()[exchange_.endpoint()].spec.limits.http.request_ms);
    if (self.peer_shut) exchange_.client_left(host, self);
    if (self.pending && (!behind_ || behind_->size() < window_ / 2)) host.resume(self);
}

HttpExchange* HttpSession::in_flight(uint32_t request) {
    if (exchange_.is_awaited() && exchange_.number() == request) return &exchange_;
    if (!behind_) return nullptr;
    const auto found = std::find_if(behind_->begin(), behind_->end(),
                                    [&](const HttpExchange& one) { return one.number() == request; });
    return found == behind_->end() ? nullptr : &*found;
}

int HttpSession::worker_of(uint32_t request) {
    const HttpExchange* exchange = in_flight(request);
    return exchange ? exchange->awaited().worker : kNoWorker;
}

void HttpSession::moved_to(SessionHost& host, Connection& self, uint32_t request, int worker) {
    if (HttpExchange* exchange = in_flight(request)) exchange->moved_to(host, self, worker);
}

/// Those behind the first will not be answered on this connection.
void HttpSession::give_up_behind(SessionHost& host) {
    if (!behind_) return;
    for (HttpExchange& one : *behind_)
        one.give_up(host);
}

void HttpSession::drop_behind(SessionHost& host) {
    if (!behind_) return;
    give_up_behind(host);
    for (HttpExchange& one : *behind_)
        exchange_.access.go_on(std::move(one.access));
    behind_.reset();
}

}  // namespace sluice
