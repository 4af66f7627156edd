#include "php/http/response_sending.h"

#include <algorithm>

#include "php/coroutine/coroutine_scheduler.h"
#include "php/http/response_encoding.h"
#include "php/http/response_fields.h"
#include "php/worker/delivery.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "protocol/http/http1_response.h"
#include "server/config/limits.h"

namespace sluice::php {

namespace {

Delivery submit_bytes(ResponseObject* self, Worker& worker, std::string_view body, bool last,
                      uint64_t length) {
    Command command;
    command.kind = self->head_sent ? CommandKind::kBody : CommandKind::kRespond;
    command.connection = self->connection;
    command.request = self->request;
    command.last = last;
    command.body = body;
    if (!self->head_sent) {
        command.code = self->status;
        // To a HEAD nothing is said of the length that an encoded body would have had.
        command.has_length = self->is_encoded ? self->to_head_request : self->has_length;
        command.length = self->is_encoded ? http::kNoLength : length;
        if (self->fields.s) command.head = view(self->fields.s);
    } else if (last && self->trailers.s) {
        command.head = view(self->trailers.s);
    }
    const Delivery delivery = worker.port->submit(command);
    if (delivery == Delivery::kDropped) return delivery;
    self->head_sent = true;
    return delivery;
}

}  // namespace

Delivery submit_part(ResponseObject* self, Worker& worker, std::string_view body, bool last,
                     uint64_t length) {
    if (self->abandoned) return Delivery::kClosed;
    if (!self->head_sent && self->compression) begin_encoding(self, worker, body, last);
    std::string_view bytes = self->is_encoded && self->to_head_request ? std::string_view() : body;
    if (self->encoding && !encode_part(self, worker, body, last, bytes)) return Delivery::kDropped;
    Delivery delivery = submit_bytes(self, worker, bytes, last, length);
    if (self->encoding) delivery = after_encoded_part(self, worker, delivery, last);
    if (delivery != Delivery::kDropped) self->sent_bytes += body.size();
    return delivery;
}

void mark_ended(ResponseObject* self, Worker& worker) {
    self->open = false;
    --worker.open_responses;
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

/// False when an exception is set.
bool wait_for_client(ResponseObject* self, Worker& worker, std::string_view part) {
    if (!wait_to_write(worker, self->connection, part.size())) return false;
    Command command;
    command.kind = CommandKind::kBody;
    command.connection = self->connection;
    command.body = part;
    return wait_for_way(worker, command);
}

/// Sends what is too long to be on its way at once, at the client's pace, up to the last part, which `body`
/// becomes. False when nothing may follow; an exception may be set.
bool submit_long(ResponseObject* self, Worker& worker, std::string_view& body, Delivery& delivery) {
    constexpr size_t kPartBytes = 1u << 20;
    const size_t most = worker.port->limits().out_bytes / 4;
    while (body.size() > std::max(most, kPartBytes) || (self->head_sent && body.size() > kPartBytes)) {
        if (!suspendable()) return !EG(exception);
        const std::string_view part = body.substr(0, kPartBytes);
        if (self->head_sent && !wait_for_client(self, worker, part)) return false;
        if (!self->open) delivery = Delivery::kClosed;
        if (!self->open) return false;
        // Trailers come after chunks only.
        const bool is_announced = !self->head_sent && !self->has_length && !self->trailers.s;
        const uint64_t length = is_announced ? body.size() : http::kNoLength;
        delivery = submit_part(self, worker, part, false, length);
        if (delivery == Delivery::kDropped) self->lost_bytes = true;
        if (delivery == Delivery::kDropped || delivery == Delivery::kClosed) return false;
        body.remove_prefix(part.size());
    }
    return true;
}

/// The last part. Before trailers the rest of the body goes as a part of its own: only the end of a body in
/// several parts can carry them.
Delivery submit_end(ResponseObject* self, std::string_view body) {
    Worker& worker = *current_worker();
    Delivery delivery = Delivery::kSent;
    if (self->trailers.s && (!self->head_sent || !body.empty())) {
        if (!submit_long(self, worker, body, delivery)) return delivery;
        delivery = submit_part(self, worker, body, false);
        body = {};
    }
    if (!submit_long(self, worker, body, delivery)) return delivery;
    if (delivery != Delivery::kDropped) delivery = submit_part(self, worker, body, true);
    if (delivery == Delivery::kDropped) {
        self->lost_bytes = true;
    } else {
        mark_ended(self, worker);
    }
    return delivery;
}

}  // namespace

Delivery write_part(ResponseObject* self, std::string_view chunk) {
    Worker& worker = *current_worker();
    if (self->head_sent && !chunk.empty() && !self->abandoned) {
        if (!wait_for_client(self, worker, chunk)) return Delivery::kClosed;
        // Another coroutine may have ended it meanwhile.
        if (!self->open) return Delivery::kClosed;
    }
    if (self->head_sent && chunk.empty() && !self->abandoned)
        return worker.port->is_open(self->connection) ? Delivery::kSent : Delivery::kClosed;
    return submit_part(self, worker, chunk, false);
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
    const Delivery delivery = submit_end(self, body);
    if (EG(exception)) return;
    RETURN_DELIVERY(delivery);
}

}  // namespace sluice::php
