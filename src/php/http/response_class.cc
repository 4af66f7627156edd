#include "php/http/response_class.h"

#include <algorithm>
#include <charconv>

#include "core/log.h"
#include "php/http/response_encoding.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/worker/delivery.h"
#include "php/worker/handlers.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/json.h"
#include "php/zend/objects.h"
#include "php/zend/said_once.h"
#include "protocol/http/http_syntax.h"
#include "server/config/config.h"

namespace sluice::php {

zend_class_entry* response_class = nullptr;

namespace {

zend_object_handlers handlers;

/// The response cannot be finished any more.
void let_go(ResponseObject* self, Worker& worker) {
    if (is_dying()) return;
    if (is_unanswered(&self->object)) {
        refuse_unanswered(&self->object, nullptr);
        return;
    }
    const bool whole = self->abandoned || (!self->lost_bytes && length_is_kept(self, self->sent_bytes));
    const ResponsePiece end{.last = true};
    if (!whole || submit_part(self, worker, end, NoRoom::kKeep) == Delivery::kDropped)
        close_connection(self, worker);
    mark_ended(self, worker);
}

void free_response(zend_object* object) {
    ResponseObject* self = embedded<ResponseObject>(object);
    Worker* worker = current_worker();
    if (self->open && worker) let_go(self, *worker);
    end_encoding(self);
    if (self->compression) OBJ_RELEASE(self->compression);
    if (self->page_end) zend_string_release(self->page_end);
    smart_str_free(&self->fields);
    smart_str_free(&self->trailers);
    if (self->etag) zend_string_release(self->etag);
    if (self->head) release_head(self->head);
    zend_object_std_dtor(object);
}

zend_object* create_response(zend_class_entry* class_entry) {
    ResponseObject* self = new_embedded<ResponseObject>(class_entry, handlers);
    self->status = 200;
    return &self->object;
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

void set_field(INTERNAL_FUNCTION_PARAMETERS, bool replace) {
    zend_string *name, *value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(name)
    Z_PARAM_STR(value)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
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

}  // namespace

void init_response_class(zend_class_entry* class_entry) {
    response_class = class_entry;
    class_entry->create_object = create_response;
    init_handlers<ResponseObject>(handlers, free_response);
}

zend_object* new_response(const Inbound& request, SharedHead* head, const Handler* handler) {
    ResponseObject* self = embedded<ResponseObject>(create_response(response_class));
    if (handler && handler->compression) {
        GC_ADDREF(handler->compression);
        self->compression = handler->compression;
    }
    if (handler && handler->page_end) self->page_end = zend_string_copy(handler->page_end);
    self->head = head;
    ++head->references;
    self->connection = request.connection;
    self->request = request.as<inbound::Request>()->number;
    self->endpoint = request.endpoint;
    self->to_head_request = head->head.method == http::Method::kHead;
    self->open = true;
    Worker& worker = *current_worker();
    ++worker.open_responses;
    self->pipelined = request.as<inbound::Request>()->pipelined;
    if (UNEXPECTED(self->pipelined)) worker.pipelines.begin(self->connection);
    return &self->object;
}

void abandon_response(zend_object* object) {
    embedded<ResponseObject>(object)->abandoned = true;
}

http::ErrorPage error_page_of(const ResponseObject* self, uint16_t status, std::string_view detail) {
    const Worker& worker = *current_worker();
    const int place = worker.endpoint_index(self->endpoint);
    const http::ErrorPages* pages =
        place < 0 ? nullptr : worker.config->endpoints[static_cast<size_t>(place)].error_pages.get();
    return http::make_error_page(pages, http::wanted_format(self->head->fields(), self->head->text()),
                                 {status, detail, self->request});
}

bool is_unanswered(zend_object* object) {
    const ResponseObject* self = embedded<ResponseObject>(object);
    return self->open && !self->abandoned && !self->head_sent && !self->has_status && !self->fields.s &&
           !self->trailers.s;
}

void refuse_unanswered(zend_object* object, const zend_function* handler) {
    constexpr char kInstead[] =
        "the client got 500. Call $response->text(), json(), end() or another method that answers";
    if (handler && handler->type == ZEND_USER_FUNCTION) {
        if (is_first_of("no answer", handler))
            SLUICE_ERROR(
                "The HTTP handler at %s:%u has ended without an answer, and nothing holds its Response: %s",
                ZSTR_VAL(handler->op_array.filename), handler->op_array.line_start, kInstead);
    } else if (is_first_of("no answer", nullptr)) {
        SLUICE_ERROR("A Response was released without an answer: %s", kInstead);
    }
    fail_response(object, 500, {});
}

void fail_response(zend_object* object, uint16_t status, std::string_view detail) {
    ResponseObject* self = embedded<ResponseObject>(object);
    if (!self->open) return;
    Worker& worker = *current_worker();
    bool answered = false;
    if (!self->head_sent) {
        smart_str_free(&self->fields);
        smart_str_free(&self->trailers);
        self->has_length = false;
        forbid_encoding(self);
        self->status = status;
        const http::ErrorPage page = error_page_of(self, status, detail);
        smart_str_appendl(&self->fields, page.fields.data(), page.fields.size());
        const ResponsePiece whole{.body = page.body, .last = true};
        answered = submit_part(self, worker, whole, NoRoom::kKeep) != Delivery::kDropped;
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

    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    if (status < 200 || status > 599) {
        zend_argument_value_error(1, "must be between 200 and 599, " ZEND_LONG_FMT " given", status);
        RETURN_THROWS();
    }
    self->status = static_cast<uint16_t>(status);
    self->has_status = true;
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, statusCode) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(embedded<ResponseObject>(ZEND_THIS)->status);
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
    ResponseObject* self = unfinished(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    finish(return_value, self, view(body), content_type);
}

ZEND_METHOD(Sluice_Http_Response, text) {
    finish_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, "text/plain; charset=utf-8");
}

ZEND_METHOD(Sluice_Http_Response, html) {
    finish_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, "text/html; charset=utf-8");
}

ZEND_METHOD(Sluice_Http_Response, jsonText) {
    finish_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, "application/json");
}

ZEND_METHOD(Sluice_Http_Response, json) {
    zval* value;
    zend_long flags = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_ZVAL(value)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    if (!unfinished(Z_OBJ_P(ZEND_THIS))) RETURN_THROWS();
    zend_string* body = json_encoded(value, flags);
    if (!body) RETURN_THROWS();
    // Asked again: a JsonSerializable may have ended it.
    if (ResponseObject* self = unfinished(Z_OBJ_P(ZEND_THIS)))
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

    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
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

    ResponseObject* self = unfinished(Z_OBJ_P(ZEND_THIS));
    if (!self || !check_body(self, ZSTR_LEN(chunk), false)) RETURN_THROWS();
    const sluice::Delivery delivery = write_part(self, view(chunk));
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

ZEND_METHOD(Sluice_Http_Response, end) {
    zend_string* body = zend_empty_string;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(body)
    ZEND_PARSE_PARAMETERS_END();
    ResponseObject* self = unfinished(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    finish(return_value, self, view(body), nullptr);
}

ZEND_METHOD(Sluice_Http_Response, isEnded) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(!embedded<ResponseObject>(ZEND_THIS)->open);
}
