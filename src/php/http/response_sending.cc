#include "php/http/response_sending.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/clock.h"
#include "php/http/request_notes.h"
#include "php/http/response_encoding.h"
#include "php/http/response_fields.h"
#include "php/worker/delivery.h"
#include "php/worker/patience.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "protocol/http/http1_response.h"
#include "protocol/http/http_syntax.h"
#include "server/config/limits.h"
#include "server/seam/outbox.h"

namespace sluice::php {

namespace {

/// Its views point to what other coroutines may change: submit it at once.
Command command_for(const ResponseObject* self, const ResponsePiece& piece) {
    Command command{.connection = self->connection,
                    .payload = piece.encoded ? std::string_view(self->encoding->output) : piece.body};
    if (self->head_sent) {
        command::BodyPart part{.request = self->request, .last = piece.last, .file = piece.file};
        if (piece.last && self->trailers.s) part.trailers = view(self->trailers.s);
        command.what = part;
        return command;
    }
    command::Respond response{
        .request = self->request, .status = self->status, .last = piece.last, .file = piece.file};
    // A response to HEAD does not announce the length of an encoded body.
    response.has_length = self->is_encoded ? self->to_head_request : self->has_length;
    response.length = self->is_encoded ? http::kNoLength : piece.length;
    if (self->fields.s) response.fields = view(self->fields.s);
    command.what = response;
    return command;
}

}  // namespace

Delivery submit_piece(ResponseObject* self, Worker& worker, const ResponsePiece& piece, NoRoom no_room) {
    // Later parts follow the client's pace; a head must find room soon.
    Patience patience(worker,
                      self->head_sent ? worker.port->sending(self->connection).write_ms : kSubmitWaitMs);
    for (;;) {
        if (piece.encoded && !self->encoding) return Delivery::kClosed;
        const Command command = command_for(self, piece);
        if (piece.encoded && self->head_sent && command.payload.empty() && !piece.last)
            return Delivery::kSent;  // another coroutine has sent it meanwhile
        Reach reach;
        Submitted submitted = Submitted::kNoRoom;
        if (no_room == NoRoom::kKeep) {
            submitted = worker.port->submit_surely(command);
        } else if (patience.may_try(command)) {
            submitted = worker.port->submit(command, reach);
        }
        if (submitted != Submitted::kNoRoom) {
            if (submitted != Submitted::kDropped) {
                if (UNEXPECTED(notes_requests()) && !self->head_sent) self->head_sent_us = monotonic_us();
                self->head_sent = true;
            }
            return static_cast<Delivery>(submitted);
        }
        switch (patience.pause(command)) {
            case Patience::Then::kTryAgain: break;
            case Patience::Then::kNobodyWaits: no_room = NoRoom::kKeep; break;
            case Patience::Then::kGiveUp: patience.tell_of_loss(); return Delivery::kDropped;
            case Patience::Then::kInterrupted: return Delivery::kClosed;
        }
        // Another coroutine may have ended it meanwhile.
        if (!self->open || self->abandoned) return Delivery::kClosed;
    }
}

Delivery submit_part(ResponseObject* self, Worker& worker, const ResponsePiece& part, NoRoom no_room) {
    if (self->abandoned) return Delivery::kClosed;
    if (!self->head_sent && self->compression) begin_encoding(self, worker, part.body, part.last);
    ResponsePiece piece = part;
    if (self->is_encoded && self->to_head_request) piece.body = {};
    piece.encoded = self->encoding;
    if (piece.encoded && !encode_part(self, worker, part.body, part.last)) return Delivery::kDropped;
    Delivery delivery = submit_piece(self, worker, piece, no_room);
    if (EG(exception)) return delivery;
    if (self->encoding) delivery = after_encoded_part(self, delivery, part.last);
    if (delivery != Delivery::kDropped) self->sent_bytes += part.body.size();
    return delivery;
}

void mark_ended(ResponseObject* self, Worker& worker) {
    self->open = false;
    --worker.open_responses;
    if (UNEXPECTED(self->pipelined)) worker.pipelines.end(self->connection);
    end_encoding(self);
    smart_str_free(&self->fields);
    smart_str_free(&self->trailers);
}

bool length_is_kept(const ResponseObject* self, uint64_t bytes) {
    return !self->has_length || bytes == self->declared_bytes ||
           (bytes == 0 && (self->to_head_request || self->status == 304));
}

bool check_body(const ResponseObject* self, size_t bytes, bool last) {
    if (bytes > 0 && !http1::status_has_body(self->status)) {
        throw_server_exception("A response with status %d has no body, %zu bytes given",
                               static_cast<int>(self->status), bytes);
        return false;
    }
    const uint64_t total = self->sent_bytes + bytes;
    const bool fits = last ? length_is_kept(self, total) : !self->has_length || total <= self->declared_bytes;
    if (!fits) {
        throw_server_exception("The body would have %zu bytes, but the content-length that was set is %zu",
                               static_cast<size_t>(total), static_cast<size_t>(self->declared_bytes));
        return false;
    }
    return true;
}

namespace {

bool is_read(const ResponseObject* self) {
    return self->head->head.method == http::Method::kGet || self->head->head.method == http::Method::kHead;
}

/// Sends a body in as many parts as it takes to follow the client's pace; `last`: the response ends with it.
/// `most_queued_bytes`: of the client, while the last of these parts may still follow. May come back with an
/// exception.
Delivery submit_body(ResponseObject* self, std::string_view body, bool last, uint64_t most_queued_bytes) {
    Worker& worker = *current_worker();
    const uint64_t out_bytes = worker.port->limits().out_bytes;
    const uint64_t high_water = worker.port->sending(self->connection).high_water();
    // Trailers come after chunks only.
    const bool is_announced = last && !self->head_sent && !self->has_length && !self->trailers.s;
    const uint64_t length = is_announced ? body.size() : http::kNoLength;
    const uint64_t sent_before = self->sent_bytes;
    for (;;) {
        ResponsePiece part;
        const size_t bytes = Outbox::part_bytes(body.size(), self->head_sent, out_bytes);
        part.body = body.substr(0, bytes);
        const bool is_end = bytes == body.size();
        part.last = last && is_end;
        if (!part.last) part.length = length;
        Delivery delivery = Delivery::kSent;
        if (self->head_sent && bytes > 0) {
            const uint64_t most = is_end ? most_queued_bytes : high_water;
            if (!wait_for_client(worker, self->connection, bytes, most) || !self->open)
                delivery = Delivery::kClosed;
        }
        if (delivery == Delivery::kSent) delivery = submit_part(self, worker, part, NoRoom::kWait);
        const bool is_lost = delivery == Delivery::kDropped || EG(exception);
        // An incomplete body cannot be completed any more.
        if (is_lost && self->sent_bytes > sent_before) self->lost_bytes = true;
        if (is_lost || delivery == Delivery::kClosed || is_end) return delivery;
        body.remove_prefix(bytes);
    }
}

/// The last part. Before trailers the rest of the body goes as a part of its own: only the end of a body in
/// several parts can carry them.
Delivery submit_end(ResponseObject* self, std::string_view body) {
    Worker& worker = *current_worker();
    const uint64_t most_queued_bytes = worker.port->sending(self->connection).queued_bytes;
    Delivery delivery = Delivery::kSent;
    const bool is_apart = self->trailers.s && (!self->head_sent || !body.empty());
    if (is_apart) delivery = submit_body(self, body, false, most_queued_bytes);
    if (delivery != Delivery::kDropped && delivery != Delivery::kClosed && !EG(exception))
        delivery = submit_body(self, is_apart ? std::string_view() : body, true, most_queued_bytes);
    if (delivery == Delivery::kDropped) {
        self->lost_bytes = true;
    } else if (self->open && !EG(exception)) {
        mark_ended(self, worker);
    }
    return delivery;
}

}  // namespace

Delivery write_part(ResponseObject* self, std::string_view chunk) {
    Worker& worker = *current_worker();
    if (self->head_sent && chunk.empty() && !self->abandoned)
        return worker.port->is_open(self->connection) ? Delivery::kSent : Delivery::kClosed;
    return submit_body(self, chunk, false, worker.port->sending(self->connection).high_water());
}

uint16_t status_by_condition(ResponseObject* self, bool may_be_encoded) {
    if (self->status < 200 || self->status > 299) return 0;
    http::Validators current;
    if (self->etag) current.etag = view(self->etag);
    if (self->has_last_modified) current.last_modified_s = self->last_modified_s;
    if (may_be_encoded && self->compression)
        return status_by_condition_of_encoded(self, is_read(self), current);
    return http::evaluate_conditions(self->head->fields(), self->head->text(), is_read(self), current);
}

Delivery finish_without_body(ResponseObject* self, uint16_t status) {
    self->status = status;
    self->has_length = false;
    for (const std::string_view name : {"content-length", "content-type", "content-encoding"})
        remove_field(self, name);
    smart_str_free(&self->trailers);
    return submit_end(self, {});
}

namespace {

/// Where the response's body, a page, gets `page_end`; npos: it gets none.
size_t end_of_page(const ResponseObject* self, std::string_view body) {
    if (EXPECTED(!self->page_end) || self->head_sent || self->status == 206 ||
        has_field(self, "content-encoding"))
        return std::string_view::npos;
    constexpr std::string_view kHtml = "text/html";
    if (!http::equals_caseless(field_value(self, "content-type").substr(0, kHtml.size()), kHtml))
        return std::string_view::npos;
    return std::max(body.rfind("</body>") + 1, body.rfind("</BODY>") + 1) - 1;
}

/// submit_end() of a page with what belongs at its end.
Delivery submit_page(ResponseObject* self, std::string_view body, size_t place) {
    const std::string_view html = view(self->page_end);
    zend_string* page = zend_string_alloc(body.size() + html.size(), false);
    char* to = std::copy_n(body.data(), place, ZSTR_VAL(page));
    to = std::copy_n(html.data(), html.size(), to);
    *std::copy_n(body.data() + place, body.size() - place, to) = '\0';
    if (self->has_length) {
        self->declared_bytes = ZSTR_LEN(page);
        remove_field(self, "content-length");
        char digits[20];
        char* const end = std::to_chars(digits, std::end(digits), ZSTR_LEN(page)).ptr;
        append_field(self, "Content-Length", {digits, static_cast<size_t>(end - digits)});
    }
    const Delivery delivery = submit_end(self, view(page));
    zend_string_release(page);
    return delivery;
}

}  // namespace

void finish(zval* return_value, ResponseObject* self, std::string_view body, const char* content_type) {
    if ((self->etag || self->has_last_modified) && !self->head_sent && is_read(self)) {
        if (const uint16_t status = status_by_condition(self, true))
            RETURN_DELIVERY(finish_without_body(self, status));
    }
    if (!check_body(self, body.size(), true)) return;
    if (content_type && !self->has_content_type && !self->head_sent) {
        append_field(self, "Content-Type", content_type);
        self->has_content_type = true;
    }
    const size_t place = end_of_page(self, body);
    const Delivery delivery =
        UNEXPECTED(place != std::string_view::npos) ? submit_page(self, body, place) : submit_end(self, body);
    if (EG(exception)) return;
    RETURN_DELIVERY(delivery);
}

}  // namespace sluice::php
