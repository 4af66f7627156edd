#include "php/response_class.h"

#include <algorithm>
#include <charconv>

#include "php/enums.h"
#include "php/errors.h"
#include "php/json.h"
#include "php/objects.h"
#include "php/worker.h"
#include "protocol/http1_response.h"
#include "protocol/http_syntax.h"
#include "protocol/websocket_frame.h"

namespace sluice::php {

namespace {

zend_class_entry* response_class;
zend_object_handlers handlers;

struct ResponseObject {
    smart_str fields;  ///< "Name: value\r\n" lines
    ConnectionId connection;
    uint64_t declared_bytes;  ///< the content-length that was set, when has_length
    uint64_t sent_bytes;      ///< of the body
    uint32_t request;
    uint16_t status;
    bool open;  ///< belongs to a request that waits for its end
    bool head_sent;
    bool has_length;
    bool has_content_type;
    bool to_head_request;  ///< no body is sent, so a content-length may announce one
    bool lost_bytes;       ///< a part of the body was dropped: no end can make it whole
    zend_object object;
};

Delivery submit_part(ResponseObject* self, Worker& worker, std::string_view body, bool last) {
    Command command;
    command.kind = self->head_sent ? CommandKind::kBody : CommandKind::kRespond;
    command.connection = self->connection;
    command.request = self->request;
    command.last = last;
    command.body = body;
    if (!self->head_sent) {
        command.code = self->status;
        command.has_length = self->has_length;
        if (self->fields.s) command.head = view(self->fields.s);
    }
    const Delivery delivery = worker.port->submit(command);
    if (delivery == Delivery::kDropped) return delivery;
    self->head_sent = true;
    self->sent_bytes += body.size();
    return delivery;
}

void close_connection(ResponseObject* self, Worker& worker) {
    Command command;
    command.kind = CommandKind::kClose;
    command.connection = self->connection;
    command.request = self->request;
    command.code = websocket::close_code::kInternalError;
    worker.port->submit(command);
}

void mark_ended(ResponseObject* self, Worker& worker) {
    self->open = false;
    --worker.open_responses;
    smart_str_free(&self->fields);
}

/// Whether a body that has come to `bytes` may end there.
bool length_is_kept(const ResponseObject* self, uint64_t bytes) {
    return !self->has_length || bytes == self->declared_bytes ||
           (bytes == 0 && (self->to_head_request || self->status == 304));
}

/// Nobody can finish it any more.
void let_go(ResponseObject* self, Worker& worker) {
    if (is_dying()) return;
    const bool whole = !self->lost_bytes && length_is_kept(self, self->sent_bytes);
    if (!whole || submit_part(self, worker, {}, true) == Delivery::kDropped) close_connection(self, worker);
    mark_ended(self, worker);
}

void free_response(zend_object* object) {
    ResponseObject* self = embedded<ResponseObject>(object);
    Worker* worker = current_worker();
    if (self->open && worker) let_go(self, *worker);
    smart_str_free(&self->fields);
    zend_object_std_dtor(object);
}

zend_object* create_response(zend_class_entry* class_entry) {
    ResponseObject* self = new_embedded<ResponseObject>(class_entry, handlers);
    self->status = 200;
    return &self->object;
}

/// Takes out all lines of that name.
void remove_field(ResponseObject* self, std::string_view name) {
    if (!self->fields.s) return;
    char* const text = ZSTR_VAL(self->fields.s);
    std::string_view rest = view(self->fields.s);
    size_t kept = 0;
    while (!rest.empty()) {
        const size_t size = rest.find('\n') + 1;
        const std::string_view line = rest.substr(0, size);
        rest.remove_prefix(size);
        if (http::equals_caseless(line.substr(0, line.find(':')), name)) continue;
        memmove(text + kept, line.data(), size);
        kept += size;
    }
    ZSTR_LEN(self->fields.s) = kept;
}

void append_field(ResponseObject* self, std::string_view name, std::string_view value) {
    smart_str_appendl(&self->fields, name.data(), name.size());
    smart_str_appendl(&self->fields, ": ", 2);
    smart_str_appendl(&self->fields, value.data(), value.size());
    smart_str_appendl(&self->fields, "\r\n", 2);
}

bool check_field(std::string_view name, std::string_view value) {
    if (!http::is_token(name)) {
        zend_argument_value_error(1, "must be a token: letters, digits and !#$%%&'*+-.^_`|~, \"%.*s\" given",
                                  static_cast<int>(std::min<size_t>(name.size(), 200)), name.data());
        return false;
    }
    if (!http::is_field_value(value)) {
        zend_argument_value_error(2, "must not hold CR, LF, NUL or another control character");
        return false;
    }
    for (const std::string_view reserved : {"connection", "transfer-encoding", "upgrade", "keep-alive"}) {
        if (!http::equals_caseless(name, reserved)) continue;
        zend_argument_value_error(1, "must not be \"%s\": the server decides about the connection",
                                  reserved.data());
        return false;
    }
    return true;
}

bool declare_length(ResponseObject* self, std::string_view value) {
    uint64_t bytes = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes);
    if (value.empty() || error != std::errc() || end != value.data() + value.size()) {
        zend_argument_value_error(2, "must be a number of bytes for content-length, \"%.*s\" given",
                                  static_cast<int>(std::min<size_t>(value.size(), 200)), value.data());
        return false;
    }
    self->has_length = true;
    self->declared_bytes = bytes;
    return true;
}

/// nullptr when it has thrown: no worker, or ended.
ResponseObject* unfinished(zval* this_value) {
    ResponseObject* self = embedded<ResponseObject>(this_value);
    if (!self->open) {
        throw_server_exception("The response was ended already");
        return nullptr;
    }
    return require_worker() ? self : nullptr;
}

ResponseObject* before_head(zval* this_value) {
    ResponseObject* self = unfinished(this_value);
    if (self && self->head_sent) {
        throw_server_exception(
            "The head of the response was sent already, with its first part: status and fields come before");
        return nullptr;
    }
    return self;
}

void set_field(INTERNAL_FUNCTION_PARAMETERS, bool replace) {
    zend_string *name, *value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(name)
    Z_PARAM_STR(value)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(ZEND_THIS);
    if (!self || !check_field(view(name), view(value))) RETURN_THROWS();
    const bool is_length = http::equals_caseless(view(name), "content-length");
    if (is_length && !declare_length(self, view(value))) RETURN_THROWS();
    if (!http::equals_caseless(view(name), "date")) {
        if (replace || is_length) remove_field(self, view(name));
        if (http::equals_caseless(view(name), "content-type")) self->has_content_type = true;
        append_field(self, view(name), view(value));
    }
    RETURN_OBJ_COPY(&self->object);
}

/// Whether `bytes` more of a body are allowed; throws when not.
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

void finish(zval* return_value, ResponseObject* self, std::string_view body, const char* content_type) {
    if (!check_body(self, body.size(), true)) return;
    if (content_type && !self->has_content_type && !self->head_sent) {
        append_field(self, "Content-Type", content_type);
        self->has_content_type = true;
    }
    Worker& worker = *current_worker();
    const Delivery delivery = submit_part(self, worker, body, true);
    if (delivery == Delivery::kDropped) {
        self->lost_bytes = true;
    } else {
        mark_ended(self, worker);
    }
    RETURN_DELIVERY(delivery);
}

}  // namespace

void init_response_class(zend_class_entry* class_entry) {
    response_class = class_entry;
    class_entry->create_object = create_response;
    init_handlers<ResponseObject>(handlers, free_response);
}

zend_object* new_response(const Inbound& request) {
    ResponseObject* self = embedded<ResponseObject>(create_response(response_class));
    self->connection = request.connection;
    self->request = request.request;
    self->to_head_request = request.head->method == http::Method::kHead;
    self->open = true;
    ++current_worker()->open_responses;
    return &self->object;
}

void fail_response(zend_object* object, uint16_t status, std::string_view text) {
    ResponseObject* self = embedded<ResponseObject>(object);
    if (!self->open) return;
    Worker& worker = *current_worker();
    bool answered = false;
    if (!self->head_sent) {
        smart_str_free(&self->fields);
        self->has_length = false;
        self->status = status;
        append_field(self, "Content-Type", "text/plain; charset=utf-8");
        answered = submit_part(self, worker, text, true) != Delivery::kDropped;
    }
    if (!answered) close_connection(self, worker);
    mark_ended(self, worker);
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_Response, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Http_Response, status) {
    zend_long status;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(status)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(ZEND_THIS);
    if (!self) RETURN_THROWS();
    if (status < 200 || status > 599) {
        zend_argument_value_error(1, "must be between 200 and 599, " ZEND_LONG_FMT " given", status);
        RETURN_THROWS();
    }
    self->status = static_cast<uint16_t>(status);
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, header) {
    set_field(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Sluice_Http_Response, addHeader) {
    set_field(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

static void finish_with(INTERNAL_FUNCTION_PARAMETERS, const char* content_type) {
    zend_string* body;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(body)
    ZEND_PARSE_PARAMETERS_END();
    ResponseObject* self = unfinished(ZEND_THIS);
    if (!self) RETURN_THROWS();
    finish(return_value, self, view(body), content_type);
}

ZEND_METHOD(Sluice_Http_Response, text) {
    finish_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, "text/plain; charset=utf-8");
}

ZEND_METHOD(Sluice_Http_Response, html) {
    finish_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, "text/html; charset=utf-8");
}

ZEND_METHOD(Sluice_Http_Response, json) {
    zval* value;
    zend_long flags = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_ZVAL(value)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    if (!unfinished(ZEND_THIS)) RETURN_THROWS();
    zend_string* body = json_encoded(value, flags);
    if (!body) RETURN_THROWS();
    // Asked again: a JsonSerializable may have ended it.
    if (ResponseObject* self = unfinished(ZEND_THIS))
        finish(return_value, self, view(body), "application/json");
    zend_string_release(body);
}

ZEND_METHOD(Sluice_Http_Response, redirect) {
    zend_string* location;
    zend_long status = 302;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(location)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(status)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(ZEND_THIS);
    if (!self) RETURN_THROWS();
    if (ZSTR_LEN(location) == 0 || !http::is_field_value(view(location))) {
        zend_argument_value_error(1, "must not be empty or hold CR, LF, NUL or another control character");
        RETURN_THROWS();
    }
    if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
        zend_argument_value_error(2, "must be 301, 302, 303, 307 or 308, " ZEND_LONG_FMT " given", status);
        RETURN_THROWS();
    }
    remove_field(self, "location");
    append_field(self, "Location", view(location));
    self->status = static_cast<uint16_t>(status);
    finish(return_value, self, {}, nullptr);
}

ZEND_METHOD(Sluice_Http_Response, write) {
    zend_string* chunk;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(chunk)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = unfinished(ZEND_THIS);
    if (!self || !check_body(self, ZSTR_LEN(chunk), false)) RETURN_THROWS();
    Worker& worker = *current_worker();
    if (self->head_sent && ZSTR_LEN(chunk) == 0) {
        RETURN_DELIVERY(worker.port->is_open(self->connection) ? sluice::Delivery::kSent
                                                               : sluice::Delivery::kClosed);
    }
    const sluice::Delivery delivery = submit_part(self, worker, view(chunk), false);
    RETURN_DELIVERY(delivery);
}

ZEND_METHOD(Sluice_Http_Response, end) {
    zend_string* body = zend_empty_string;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(body)
    ZEND_PARSE_PARAMETERS_END();
    ResponseObject* self = unfinished(ZEND_THIS);
    if (!self) RETURN_THROWS();
    finish(return_value, self, view(body), nullptr);
}

ZEND_METHOD(Sluice_Http_Response, isEnded) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(!embedded<ResponseObject>(ZEND_THIS)->open);
}
