#include "server/sessions/http_exchange.h"

#include "core/clock.h"
#include "protocol/http/http_syntax.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"

namespace sluice {

namespace {
constexpr uint16_t kEarlyHints = 103;
}  // namespace

bool may_follow(ExchangeState state, ExchangeState next) {
    switch (state) {
        case ExchangeState::kReading:
            return next == ExchangeState::kAwaiting || next == ExchangeState::kAnswered;
        case ExchangeState::kAwaiting:
            return next == ExchangeState::kResponding || next == ExchangeState::kAnswered;
        case ExchangeState::kResponding: return next == ExchangeState::kAnswered;
        case ExchangeState::kAnswered: return next == ExchangeState::kReading;
    }
    return false;
}

void HttpExchange::note_arrival() {
    if (begun_us_) return;
    begun_us_ = static_cast<uint32_t>(monotonic_us());
    if (begun_us_ == 0) begun_us_ = UINT32_MAX;  // a microsecond before, as 0 has its own meaning
}

void HttpExchange::note_whole() {
    incoming_->whole_after_us = us_since_begin(monotonic_us());
}

void HttpExchange::count(const SessionHost& host, uint16_t endpoint, uint16_t status) {
    const uint32_t us = us_since_begin(monotonic_us());
    host.requests().observe(endpoint, method_, status, us);
    if (CanaryCounts* const counts = compared_counts(host)) {
        HistogramCell::add(counts->taken[CanaryCounts::bucket_of(us)], 1);
        if (status >= 500) HistogramCell::add(counts->failed, 1);
    }
    compared_ = Compared::kNo;
}

CanaryCounts* HttpExchange::compared_counts(const SessionHost& host) const {
    CanaryCells& cells = host.counters().canary;
    if (compared_ == Compared::kNo || !cells.is_under_way()) return nullptr;
    return &cells.of[compared_ == Compared::kOfCanary ? CanaryCells::kCanary : CanaryCells::kServing];
}

void HttpExchange::compare(SessionHost& host) {
    if (host.transport().gave_request(worker_)) begin_to_compare(host);
}

void HttpExchange::begin_to_compare(SessionHost& host) {
    compared_ = host.transport().is_canary(worker_) ? Compared::kOfCanary : Compared::kOfServing;
    if (CanaryCounts* const counts = compared_counts(host)) HistogramCell::add(counts->given, 1);
}

void HttpExchange::read(const RequestView& request, uint16_t endpoint) {
    const http::RequestHead& head = *request.head;
    note_arrival();
    method_ = head.method;
    if (state_ == ExchangeState::kAnswered) state_.move_to(ExchangeState::kReading);
    version_minor_ = head.version_minor & 1;
    is_pipelined_ = is_followed_ = false;
    keep_alive_ = head.keep_alive;  // begin_response() checks whether the server drains
    is_head_ = head.method == http::Method::kHead;
    has_head_ = true;
    wanted_format_ = http::wanted_format(request.fields, request.text.data());
    go_to(endpoint);
}

IncomingRequest& HttpExchange::keep() {
    if (!incoming_) incoming_ = std::make_unique<IncomingRequest>();
    return *incoming_;
}

IncomingRequest& HttpExchange::keep(const RequestView& request) {
    if (!incoming_) keep().keep(request);
    return *incoming_;
}

void HttpExchange::drop_incoming(SessionHost& host) {
    if (!incoming_) return;
    incoming_->release(host);
    incoming_.reset();
}

void HttpExchange::arm(SessionHost& host, Connection& self) const {
    host.set_deadline_at(self, incoming_->due_ms());
}

void HttpExchange::delivered(SessionHost& host, Connection& self, int worker, uint32_t number) {
    state_.move_to(ExchangeState::kAwaiting);
    number_ = number;
    access.number(number);
    worker_ = static_cast<int16_t>(worker);
    cancelled_ = false;
    host.await_response(worker_, +1);
    if (self.peer_shut) client_left(host, self);
}

void HttpExchange::client_left(SessionHost& host, Connection& self) {
    if (!is_awaited() || cancelled_ || worker_ == kNoWorker) return;
    if (!host.endpoints()[endpoint_].spec.cancel_on_disconnect) return;
    cancelled_ = true;
    access.client_left();
    HistogramCell::add(host.counters().requests_cancelled, 1);
    // If the client has only closed its side, it still gets the cancelled handler's response.
    host.cancel_request(self, worker_, number_, CancelReason::kClientGone);
}

void HttpExchange::moved_to(SessionHost& host, Connection& self, int worker) {
    worker_ = static_cast<int16_t>(worker);
    if (CanaryCounts* const counts = compared_counts(host)) {
        HistogramCell::add(counts->given, uint64_t{0} - 1);
        begin_to_compare(host);
    }
    if (!cancelled_) return;
    cancelled_ = false;
    client_left(host, self);
}

void HttpExchange::cancel_overdue(SessionHost& host, const Connection& self) {
    if (!cancelled_) host.cancel_request(self, worker_, number_, CancelReason::kOverdue);
}

bool HttpExchange::take_over(SessionHost& host, int worker, uint32_t request) {
    if (!is_of(worker, request) || !has_begun_to_respond() || streams_body()) return false;
    host.await_response(worker_, -1);
    worker_ = kNoWorker;
    return true;
}

void HttpExchange::give_up(SessionHost& host) {
    if (!is_awaited()) return;
    if (CanaryCounts* const counts = compared_counts(host)) HistogramCell::add(counts->left, 1);
    compared_ = Compared::kNo;
    if (worker_ != kNoWorker) host.await_response(worker_, -1);
    worker_ = kNoWorker;
    state_.move_to(ExchangeState::kAnswered);
}

void HttpExchange::inform(SessionHost& host, Connection& self, uint16_t status,
                          std::string_view field_lines) {
    writer_->inform(self, status, field_lines, version_minor_);
    host.wants_flush(self);
}

void HttpExchange::answer(SessionHost& host, Connection& self, int worker, const command::Inform& hints) {
    if (is_of(worker, hints.request) && !has_begun_to_respond())
        inform(host, self, kEarlyHints, hints.fields);
}

HttpExchange::Answered HttpExchange::answer(SessionHost& host, Connection& self, int worker,
                                            const command::Respond& response, std::string_view body,
                                            Ref<Payload> kept) {
    // Ignore a response to another request, from another worker, or a second one.
    if (!is_of(worker, response.request) || has_begun_to_respond()) return Answered::kNothing;
    if (response.status < 200 || response.status > 599) return Answered::kNothing;
    // The client would wait for the connection's end.
    if (response.has_length && !is_head_ && http1::status_has_body(response.status) &&
        !http::has_field_line(response.fields, "content-length"))
        return Answered::kBroken;
    if (response.file && !kept) {
        return answer_error(host, self, 503, "the file cannot be sent now, try again");
    }
    return begin_response(host, self, response, body, std::move(kept));
}

HttpExchange::Answered HttpExchange::answer(SessionHost& host, Connection& self, int worker,
                                            const command::BodyPart& part, std::string_view body,
                                            Ref<Payload> kept) {
    if (!is_of(worker, part.request) || !has_begun_to_respond()) return Answered::kNothing;
    if (part.file && !kept) return Answered::kBroken;  // the head has announced bytes that cannot be sent
    write(host, self, body, std::move(kept));
    return part.last ? end(host, self, part.trailers) : Answered::kNothing;
}

HttpExchange::Answered HttpExchange::answer_here(SessionHost& host, Connection& self, uint32_t number,
                                                 uint16_t status, std::string_view fields,
                                                 std::string_view detail) {
    state_.move_to(ExchangeState::kAwaiting);
    number_ = number;
    access.number(number);
    http::ErrorPage page;
    if (status >= 400) page = error_page(host, self, status, detail);
    page.fields += fields;
    const command::Respond response{.request = number, .status = status, .fields = page.fields};
    return begin_response(host, self, response, page.body, {});
}

HttpExchange::Answered HttpExchange::answer_error(SessionHost& host, Connection& self, uint16_t status,
                                                  std::string_view detail) {
    const http::ErrorPage page = error_page(host, self, status, detail);
    const command::Respond response{.request = number_, .status = status, .fields = page.fields};
    return begin_response(host, self, response, page.body, {});
}

/// Until a request has its route, its site's pages are used.
http::ErrorPage HttpExchange::error_page(SessionHost& host, const Connection& self, uint16_t status,
                                         std::string_view detail) const {
    const uint16_t endpoint = has_head_ ? endpoint_ : self.endpoint;
    return http::make_error_page(host.endpoints()[endpoint].spec.error_pages.get(), wanted_format_,
                                 {status, detail, is_awaited() ? number_ : number_ + 1});
}

HttpExchange::Answered HttpExchange::begin_response(SessionHost& host, Connection& self,
                                                    const command::Respond& response, std::string_view body,
                                                    Ref<Payload> kept) {
    const uint64_t body_bytes = kept ? kept->size() : body.size();
    http1::ResponseHead head;
    head.status = response.status;
    head.fields = response.fields;
    head.version_minor = version_minor_;
    head.keep_alive = keep_alive_ && (is_followed_ || (!host.shutting_down() && !self.read_ended)) &&
                      !(response.last && streams_body() && !incoming_->may_drain());
    if (!http1::status_has_body(response.status)) {
        head.framing = http1::Framing::kNoBody;
    } else if (response.has_length) {
        head.framing = http1::Framing::kNoBody;  // the fields hold the application's own Content-Length
    } else if (response.last || response.length != http::kNoLength) {
        head.framing = http1::Framing::kLength;
        // For HEAD, only the worker knows the body's length.
        const bool all_is_here = response.last && !(is_head_ && response.length != http::kNoLength);
        head.length = all_is_here ? body_bytes : response.length;
    } else {
        head.framing = http1::Framing::kChunked;
    }
    drops_body_ = is_head_ || !http1::status_has_body(response.status);
    // A response without a body ends with its head, and its handler would then be cancelled if it goes on.
    const bool has_more = !response.last || (!drops_body_ && body_bytes > 0);
    const ResponseWriter::Begun begun = writer_->begin(self, head, host.date(), has_more);
    chunked_ = begun.chunked;
    keep_alive_ = begun.keep_alive;
    state_.move_to(ExchangeState::kResponding);
    access.respond(response.status);
    count(host, endpoint_, response.status);
    if (streams_body()) {
        incoming_->response_begun();
        arm(host, self);
    } else if (self.deadline_ms) {
        host.set_deadline(self, 0);
    }
    write(host, self, body, std::move(kept));
    return response.last ? end(host, self, {}) : Answered::kNothing;
}

void HttpExchange::write(SessionHost& host, Connection& self, std::string_view body, Ref<Payload> kept) {
    if (const uint64_t bytes = kept ? kept->size() : body.size(); !drops_body_ && bytes) {
        access.count(bytes);
        writer_->write(self, bytes, body, std::move(kept), chunked_);
    }
    host.wants_flush(self);
}

HttpExchange::Answered HttpExchange::end(SessionHost& host, Connection& self, std::string_view trailers) {
    if (!drops_body_) writer_->end(self, trailers, chunked_);
    give_up(host);
    access.end();
    // Reset: the next input may be no request with an Accept field.
    wanted_format_ = http::ErrorFormat::kAny;
    is_head_ = false;
    has_head_ = false;
    method_ = http::Method::kOther;
    begun_us_ = 0;
    return Answered::kWhole;
}

void HttpExchange::refuse(SessionHost& host, Connection& self, const http::Error& error,
                          std::string_view fields) {
    access.begin_unreadable(host, self, incoming_ ? std::string_view(incoming_->text) : std::string_view());
    access.respond(error.status);
    access.number(is_awaited() ? number_ : number_ + 1);
    count(host, has_head_ ? endpoint_ : self.endpoint, error.status);
    if (error.limit) host.count_refusal(error.limit);
    http::ErrorPage page = error_page(host, self, error.status, error.reason);
    page.fields += fields;
    http1::ResponseHead head;
    head.status = error.status;
    head.fields = page.fields;
    head.length = page.body.size();
    head.keep_alive = false;
    writer_->begin(self, head, host.date(), !is_head_);
    if (!is_head_) {
        access.count(page.body.size());
        writer_->write(self, page.body.size(), page.body, {}, false);
    }
    access.end();
}

void HttpExchange::release(SessionHost& host) {
    give_up(host);
    drop_incoming(host);
}

}  // namespace sluice
