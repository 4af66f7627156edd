// How an HTTP/1.1 session takes the body of a request: whole, into memory or a file, or as a stream to its
// handler.

#include <algorithm>
#include <cstring>

#include "base/pace.h"
#include "protocol/http/http1_response.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/http2_stream.h"
#include "server/sessions/http_session.h"

namespace sluice {

namespace {
/// What is read of a body that nobody wants, so that the connection can be used again.
constexpr uint64_t kMostDrainedBytes = 256u << 10;
}  // namespace

/// A request that does not arrive in one piece.
void HttpSession::keep_exchange(const http::RequestHead& head, std::span<const http::Field> fields,
                                std::string_view text) {
    if (exchange_) return;
    exchange_ = std::make_unique<Exchange>();
    exchange_->text.assign(text);
    exchange_->head = head;
    exchange_->fields.assign(fields.begin(), fields.end());
}

void HttpSession::drop_exchange(SessionHost& host) {
    if (!exchange_) return;
    exchange_->incoming.release(host);
    exchange_.reset();
}

/// Bytes of the body may have come.
void HttpSession::note_body_progress(SessionHost& host, Connection& self) {
    Exchange& exchange = *exchange_;
    const uint64_t received = exchange.body.received_bytes();
    if (received == exchange.paced_bytes) return;
    const Limits& limits = host.limits();
    exchange.body_due_ms =
        moved_deadline(exchange.body_due_ms, host.now_ms(), received - exchange.paced_bytes, limits.body_ms,
                       limits.body_bytes_per_second);
    exchange.paced_bytes = received;
    arm_body(host, self);
}

void HttpSession::arm_body(SessionHost& host, Connection& self) {
    const uint64_t body = exchange_->body_due_ms, request = exchange_->request_due_ms;
    host.set_deadline_at(self, body && request ? std::min(body, request) : body + request);
}

Progress HttpSession::read_body(SessionHost& host, Connection& self, std::span<char>& input) {
    http1::BodyReceiver& body = exchange_->body;
    for (;;) {
        const http1::BodyReceiver before = body;
        const std::span<char> input_before = input;
        switch (body.next(input)) {
            case http1::BodyReceiver::Event::kNeedInput:
                note_body_progress(host, self);
                return Progress::kMore;
            case http1::BodyReceiver::Event::kNeedRoom:
                if (body.needed() > host.limits().slot_body_bytes()) {
                    if (exchange_->incoming.spill(host, body.filled_bytes()) == RequestBody::Taken::kFailed) {
                        return fail(host, self, exchange_->incoming.error());
                    }
                    body.take_pieces();
                    break;
                }
                if (!exchange_->incoming.room().grow(host.transport(), body.needed(), body.filled_bytes())) {
                    return Progress::kWait;
                }
                body.grant(exchange_->incoming.room().room());
                break;
            case http1::BodyReceiver::Event::kData: {
                std::span<const char> piece = body.piece();
                const RequestBody::Taken taken = exchange_->incoming.append(host, self.id, piece);
                if (taken == RequestBody::Taken::kFailed)
                    return fail(host, self, exchange_->incoming.error());
                body.put_back(piece.size(), input);
                note_body_progress(host, self);
                if (taken != RequestBody::Taken::kAll) return Progress::kWait;
                break;
            }
            case http1::BodyReceiver::Event::kMessage: {
                std::span<char> message = body.message();
                if (body.in_room() || message.empty()) {
                    state_ = State::kDispatch;
                    return Progress::kMore;
                }
                // In place in the input, which will not stay: dispatch now, or keep a copy of what is small
                // anyway.
                if (!exchange_->incoming.room().grow(host.transport(), message.size(), 0)) {
                    body = before;
                    input = input_before;
                    return Progress::kWait;
                }
                memcpy(exchange_->incoming.room().room().data, message.data(), message.size());
                exchange_->body.grant(exchange_->incoming.room().room());
                state_ = State::kDispatch;
                return dispatch(host, self, exchange_->head, exchange_->fields, exchange_->text,
                                {exchange_->incoming.room().room().data, message.size()},
                                exchange_->incoming.room().deliverable());
            }
            case http1::BodyReceiver::Event::kError: return fail(host, self, body.error());
        }
    }
}

void HttpSession::say_continue(SessionHost& host, Connection& self) {
    if (self.stream) {
        stream_of(self).inform(100, {});
    } else {
        self.out.append(http1::kContinue);
    }
    host.wants_flush(self);
}

// -- A body that its handler reads as it arrives: the request has been delivered, and is kAwaiting

Progress HttpSession::feed_stream(SessionHost& host, Connection& self, std::span<char>& input) {
    Exchange& exchange = *exchange_;
    http1::BodyReceiver& body = exchange.body;
    if (exchange.body_due_ms == 0 && !input.empty() && !exchange.reader_gone) {
        // The handler has read on, or the client has not waited to be asked.
        exchange.body_due_ms = host.now_ms() + host.limits().body_ms;
        arm_body(host, self);
    }
    while (!exchange.reader_gone) {
        RequestBody::Taken taken = RequestBody::Taken::kAll;
        switch (body.next(input)) {
            case http1::BodyReceiver::Event::kNeedRoom:
            case http1::BodyReceiver::Event::kNeedInput:
                note_body_progress(host, self);
                return Progress::kMore;
            case http1::BodyReceiver::Event::kData: {
                std::span<const char> piece = body.piece();
                taken = exchange.incoming.append(host, self.id, piece);
                body.put_back(piece.size(), input);
                note_body_progress(host, self);
                break;
            }
            case http1::BodyReceiver::Event::kMessage:
                taken = exchange.incoming.end_stream(host, self.id, BodyPipe::kComplete);
                if (taken == RequestBody::Taken::kFull) break;
                {
                    const uint64_t request_due_ms = exchange.request_due_ms;
                    drop_exchange(host);
                    host.set_deadline_at(self, request_due_ms);
                }
                return Progress::kBlocked;
            case http1::BodyReceiver::Event::kError:
                fail_stream(host, self, body.error());
                return Progress::kClosed;
        }
        if (taken == RequestBody::Taken::kAll) continue;
        exchange.reader_gone = taken == RequestBody::Taken::kGone;
        break;
    }
    // The client is not the one who is waited for.
    exchange.body_due_ms = 0;
    arm_body(host, self);
    return Progress::kBlocked;
}

void HttpSession::want_body(SessionHost& host, Connection& self, int worker, const Command& command) {
    if (state_ != State::kAwaiting || command.request != request_ || worker != worker_ || !streams_body())
        return;
    Exchange& exchange = *exchange_;
    if (!exchange.head.expect_continue || exchange.body.received_bytes() > 0 || head_sent_) return;
    exchange.head.expect_continue = false;
    say_continue(host, self);
    exchange.body_due_ms = host.now_ms() + host.limits().body_ms;
    arm_body(host, self);
}

/// The rest of the body will not come. The handler is told where it reads, the client if it can be.
void HttpSession::fail_stream(SessionHost& host, Connection& self, const http::Error& error) {
    exchange_->incoming.end_stream(host, self.id, error.status);
    keep_alive_ = false;
    if (error.status == 499 || head_sent_) {
        host.abort(self);
    } else {
        fail(host, self, error);
    }
}

/// Whether what is left of an answered request's body may be read, so that another request can follow.
bool HttpSession::may_drain() const {
    const Exchange& exchange = *exchange_;
    const bool asks_first = exchange.head.expect_continue && exchange.body.received_bytes() == 0;
    return !asks_first && (exchange.head.chunked || exchange.body.left_bytes() <= kMostDrainedBytes);
}

void HttpSession::begin_to_drain(SessionHost& host, Connection& self) {
    exchange_->incoming.release(host);
    exchange_->paced_bytes = exchange_->body.received_bytes();
    exchange_->body_due_ms = host.now_ms() + host.limits().body_ms;
    exchange_->request_due_ms = 0;
    state_ = State::kDrain;
    arm_body(host, self);
    host.resume(self);
}

Progress HttpSession::drain_body(SessionHost& host, Connection& self, std::span<char>& input) {
    Exchange& exchange = *exchange_;
    for (;;) {
        const size_t before = input.size();
        const http1::BodyReceiver::Event event = exchange.body.next(input);
        exchange.drained_bytes += before - input.size();
        if (event == http1::BodyReceiver::Event::kMessage) {
            drop_exchange(host);
            begin_next(host, self);
            if (self.phase != Phase::kOpen) return Progress::kClosed;
            return awaits_sending_ ? Progress::kBlocked : Progress::kMore;
        }
        if (event == http1::BodyReceiver::Event::kError || exchange.drained_bytes > kMostDrainedBytes) {
            host.finish(self);
            return Progress::kClosed;
        }
        if (event != http1::BodyReceiver::Event::kData) {
            note_body_progress(host, self);
            return Progress::kMore;
        }
    }
}

}  // namespace sluice
