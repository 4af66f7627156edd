#include "server/sessions/incoming_request.h"

#include <algorithm>
#include <cstring>

#include "core/pace.h"
#include "server/config/limits.h"
#include "server/reactor/session_host.h"

namespace sluice {

namespace {
/// How much of an unwanted body is read so that the connection can be used again.
constexpr uint64_t kMostDrainedBytes = 256u << 10;
using Event = http1::BodyReceiver::Event;
}  // namespace

Inbound request_message(const RequestView& request, uint32_t number, uint32_t waits_since_us) {
    return {.what = inbound::Request{.number = number,
                                     .head = {request.head, request.fields, request.text},
                                     .waits_since_us = waits_since_us}};
}

size_t request_overhead(const HttpLimits& limits) {
    return sizeof(http::RequestHead) + size_t{limits.header_fields} * sizeof(http::Field);
}

http1::HeadLimits head_limits(const HttpLimits& limits) {
    return {limits.head_bytes, static_cast<uint16_t>(limits.header_fields)};
}

void IncomingRequest::keep(const RequestView& request) {
    text.assign(request.text);
    head = *request.head;
    fields.assign(request.fields.begin(), request.fields.end());
}

void IncomingRequest::begin_body(SessionHost& host, Connection& self, const http1::BodyReceiver& receiver,
                                 const HttpLimits& limits) {
    limits_ = limits;
    body_.begin(head.chunked ? http::kNoLength : head.content_length, limits_, self.client_key());
    receiver_ = receiver;
    body_due_ms_ = host.now_ms() + limits_.body_ms;
}

bool IncomingRequest::begin_stream(SessionHost& host, bool waits) {
    if (!body_.begin_stream(host)) {
        error_ = body_.error();
        return false;
    }
    receiver_.take_pieces();
    if (waits) body_due_ms_ = 0;
    return true;
}

void IncomingRequest::asked(uint64_t now_ms) {
    head.expect_continue = false;
    body_due_ms_ = now_ms + limits_.body_ms;
}

std::span<char> IncomingRequest::window() const {
    if (!is_stream()) return receiver_.window();
    const std::span<char> window = reader_gone_ ? std::span<char>{} : body_.stream_window();
    return window.first(static_cast<size_t>(std::min<uint64_t>(window.size(), receiver_.piece_bytes())));
}

void IncomingRequest::filled(size_t bytes) {
    if (!is_stream()) {
        receiver_.filled(bytes);
        return;
    }
    receiver_.took(bytes);
    body_.stream_filled(bytes);
}

IncomingRequest::Read IncomingRequest::read(SessionHost& host, ConnectionId connection,
                                            std::span<char>& input) {
    for (;;) {
        const http1::BodyReceiver before = receiver_;
        const std::span<char> input_before = input;
        switch (receiver_.next(input)) {
            case Event::kNeedInput: return Read::kMore;
            case Event::kNeedRoom:
                if (receiver_.needed() > limits_.memory_body_bytes(host.limits().temporary_file_bytes)) {
                    if (body_.spill(host, receiver_.filled_bytes()) == RequestBody::Taken::kFailed) {
                        error_ = body_.error();
                        return Read::kFailed;
                    }
                    receiver_.take_pieces();
                    break;
                }
                if (!body_.grow_room(host.transport(), receiver_.needed(), receiver_.filled_bytes(),
                                     input.size())) {
                    return Read::kWait;
                }
                receiver_.grant(body_.room().room());
                break;
            case Event::kData: {
                std::span<const char> piece = receiver_.piece();
                const RequestBody::Taken taken = body_.append(host, connection, piece);
                if (taken == RequestBody::Taken::kFailed) {
                    error_ = body_.error();
                    return Read::kFailed;
                }
                receiver_.put_back(piece.size(), input);
                if (taken != RequestBody::Taken::kAll)
                    return taken == RequestBody::Taken::kYield ? Read::kYield : Read::kWait;
                break;
            }
            case Event::kMessage: {
                const std::span<char> message = receiver_.message();
                if (receiver_.in_room() || message.empty()) return Read::kWhole;
                // The body stands in the input, which is transient: it is small, so copy it.
                if (!body_.grow_room(host.transport(), message.size(), 0, message.size())) {
                    receiver_ = before;
                    input = input_before;
                    return Read::kWait;
                }
                memcpy(body_.room().room().data, message.data(), message.size());
                receiver_.grant(body_.room().room());
                return Read::kWhole;
            }
            case Event::kError: error_ = receiver_.error(); return Read::kFailed;
        }
    }
}

std::string_view IncomingRequest::body() {
    const std::span<char> message = receiver_.message();
    // The receiver still refers to the input for a body that was copied from it.
    const Room room = body_.room().room();
    return {room ? room.data : message.data(), message.size()};
}

void IncomingRequest::delivered(SessionHost& host) {
    if (!is_stream()) {
        if (deliverable()) body_.room().forget();
        return;
    }
    body_.forget_file();
    request_due_ms_ = limits_.request_ms ? host.now_ms() + limits_.request_ms : 0;
    if (body_due_ms_) body_due_ms_ = host.now_ms() + limits_.body_ms;
}

IncomingRequest::Read IncomingRequest::feed(SessionHost& host, ConnectionId connection,
                                            std::span<char>& input) {
    note_streamed(host);
    if (body_due_ms_ == 0 && !input.empty() && !reader_gone_) {
        // The handler has read on, or the client has not waited for 100 (Continue).
        body_due_ms_ = host.now_ms() + limits_.body_ms;
    }
    while (!reader_gone_) {
        RequestBody::Taken taken = RequestBody::Taken::kAll;
        switch (receiver_.next(input)) {
            case Event::kNeedRoom:
            case Event::kNeedInput:
                taken = body_.make_stream_room(host, connection);
                if (taken != RequestBody::Taken::kAll) break;
                note_progress(host);
                return Read::kMore;
            case Event::kData: {
                std::span<const char> piece = receiver_.piece();
                taken = body_.append(host, connection, piece);
                receiver_.put_back(piece.size(), input);
                // While the body arrives, the deadline of the response moves: the handler is busy with the
                // body.
                if (taken == RequestBody::Taken::kAll && request_due_ms_)
                    request_due_ms_ = host.now_ms() + limits_.request_ms;
                break;
            }
            case Event::kMessage:
                taken = body_.end_stream(host, connection, BodyPipe::kComplete);
                if (taken == RequestBody::Taken::kFull) break;
                return Read::kWhole;
            case Event::kError: error_ = receiver_.error(); return Read::kFailed;
        }
        if (taken == RequestBody::Taken::kAll) continue;
        reader_gone_ = taken == RequestBody::Taken::kGone;
        break;
    }
    // The handler is being waited for, not the client.
    note_progress(host);
    body_due_ms_ = 0;
    return Read::kFull;
}

void IncomingRequest::note_streamed(const SessionHost& host) {
    if (receiver_.received_bytes() == paced_bytes_) return;
    if (body_due_ms_ == 0) body_due_ms_ = host.now_ms() + limits_.body_ms;
    if (request_due_ms_) request_due_ms_ = host.now_ms() + limits_.request_ms;
    note_progress(host);
}

bool IncomingRequest::may_drain() const {
    return !awaits_continue() && (head.chunked || receiver_.left_bytes() <= kMostDrainedBytes);
}

void IncomingRequest::begin_to_drain(SessionHost& host) {
    receiver_.take_pieces();
    body_.release(host);
    paced_bytes_ = receiver_.received_bytes();
    body_due_ms_ = host.now_ms() + limits_.body_ms;
    request_due_ms_ = 0;
}

IncomingRequest::Read IncomingRequest::drain(std::span<char>& input) {
    for (;;) {
        const size_t before = input.size();
        const Event event = receiver_.next(input);
        drained_bytes_ += before - input.size();
        if (event == Event::kMessage) return Read::kWhole;
        if (event == Event::kError || drained_bytes_ > kMostDrainedBytes) return Read::kFailed;
        if (event != Event::kData) return Read::kMore;
    }
}

bool IncomingRequest::note_progress(const SessionHost& host) {
    const uint64_t received = receiver_.received_bytes();
    if (received == paced_bytes_) return false;
    body_due_ms_ = moved_deadline(body_due_ms_, host.now_ms(), received - paced_bytes_, limits_.body_ms,
                                  limits_.body_bytes_per_second);
    paced_bytes_ = received;
    return true;
}

uint64_t IncomingRequest::due_ms() const {
    return body_due_ms_ && request_due_ms_ ? std::min(body_due_ms_, request_due_ms_)
                                           : body_due_ms_ + request_due_ms_;
}

}  // namespace sluice
