// The methods of Sluice\Http\Request that read its body.

#include <memory>

#include "php/http/body_stream.h"
#include "php/http/form_values.h"
#include "php/http/request_object.h"
#include "php/http/string_stream.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/json.h"
#include "php/zend/objects.h"
#include "server/config/config.h"
#include "server/config/limits.h"

namespace sluice::php {

namespace {

/// All of the body, borrowed; nullptr when it has thrown.
zend_string* body_of(RequestObject* self) {
    return self->body ? self->body : whole_body(self->source);
}

bool is_in_file(const RequestObject* self) {
    return self->source && !self->source->is_pipe;
}

}  // namespace

bool receive_whole(RequestObject* self) {
    if (!self->source) return true;
    const EndpointSpec* endpoint = endpoint_of(self);
    const Worker* worker = current_worker();
    uint64_t most_in_memory = UINT64_MAX;
    if (endpoint && worker)
        most_in_memory = endpoint->limits.http.memory_body_bytes(worker->port->limits().temporary_file_bytes);
    return receive_body(self->source, most_in_memory);
}

namespace {

/// Reads in pieces, so that only the fields take memory.
http::Form read_form_from_file(const BodySource* source, std::string_view type,
                               const http::FormLimits& limits) {
    constexpr size_t kPieceBytes = 65536;
    const std::unique_ptr<char[]> buffer(new char[kPieceBytes]);
    uint64_t at = 0;
    const http::FormInput next_piece = [&]() -> std::string_view {
        const ssize_t got = read_body_at(source, at, buffer.get(), kPieceBytes);
        if (got <= 0) return {};
        at += static_cast<uint64_t>(got);
        return {buffer.get(), static_cast<size_t>(got)};
    };
    return http::read_form(type, next_piece, limits);
}

http::FormLimits form_limits_of(const HttpLimits& limits) {
    return {limits.form_fields, limits.part_head_bytes, limits.form_bytes};
}

/// The form in the body, read at the first call; nullptr when it has thrown.
const http::Form* form_of(RequestObject* self) {
    if (!receive_whole(self)) return nullptr;
    if (!self->form) {
        std::string_view type;  // the parser refuses a second Content-Type
        for_each_field(*self->head, "content-type", [&](std::string_view value) { type = value; });
        const EndpointSpec* endpoint = endpoint_of(self);
        const http::FormLimits limits = endpoint ? form_limits_of(endpoint->limits.http) : http::FormLimits{};
        zend_string* body = is_in_file(self) ? nullptr : body_of(self);
        if (!body && !is_in_file(self)) return nullptr;
        self->form = new http::Form(body ? http::read_form(type, view(body), limits)
                                         : read_form_from_file(self->source, type, limits));
    }
    if (!self->form->error) return self->form;
    zend_throw_exception_ex(bad_request_class, 0, "%s", self->form->error.reason);
    return nullptr;
}

/// Wraps a JsonException in a BadRequest. Other exceptions are left as they are.
void refuse_malformed_json() {
    zend_object* exception = EG(exception);
    if (!zend_string_equals_literal(exception->ce->name, "JsonException")) return;
    zval room;
    zval* message = zend_read_property(zend_ce_exception, exception, ZEND_STRL("message"), true, &room);
    zend_throw_exception_ex(bad_request_class, 0, "the body is no JSON: %s", Z_STRVAL_P(message));
}

}  // namespace

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_Request, body) {
    ZEND_PARSE_PARAMETERS_NONE();
    zend_string* body = body_of(embedded<RequestObject>(ZEND_THIS));
    if (!body) RETURN_THROWS();
    RETURN_STR_COPY(body);
}

ZEND_METHOD(Sluice_Http_Request, bodyStream) {
    ZEND_PARSE_PARAMETERS_NONE();
    RequestObject* self = embedded<RequestObject>(ZEND_THIS);
    php_stream* stream;
    if (is_in_file(self)) {
        stream = open_file_part_stream(self->source, 0, static_cast<size_t>(self->source->bytes));
    } else if (zend_string* text = self->body ? self->body : self->source->text) {
        stream = open_string_stream(text, 0, ZSTR_LEN(text));
    } else {
        if (self->source->taken) {
            throw_server_exception("The body arrives once: bodyStream() was called already");
            RETURN_THROWS();
        }
        self->source->taken = true;
        stream = open_arriving_stream(self->source);
    }
    php_stream_to_zval(stream, return_value);
}

ZEND_METHOD(Sluice_Http_Request, receiveBody) {
    ZEND_PARSE_PARAMETERS_NONE();
    if (!receive_whole(embedded<RequestObject>(ZEND_THIS))) RETURN_THROWS();
}

ZEND_METHOD(Sluice_Http_Request, json) {
    ZEND_PARSE_PARAMETERS_NONE();
    zend_string* body = body_of(embedded<RequestObject>(ZEND_THIS));
    if (!body) RETURN_THROWS();
    return_json_decoded(return_value, body);
    if (EG(exception)) refuse_malformed_json();
}

ZEND_METHOD(Sluice_Http_Request, form) {
    zend_string *name, *fallback;
    if (!parse_name_and_default(execute_data, name, fallback)) RETURN_THROWS();
    const http::Form* form = form_of(embedded<RequestObject>(ZEND_THIS));
    if (!form) RETURN_THROWS();
    const http::FormField* last = nullptr;
    for (const http::FormField& field : form->fields)
        if (!field.is_file && field.name == view(name)) last = &field;
    if (last) RETURN_VIEW(last->value);
    if (fallback) RETURN_STR_COPY(fallback);
    RETURN_NULL();
}

ZEND_METHOD(Sluice_Http_Request, formAll) {
    ZEND_PARSE_PARAMETERS_NONE();
    const http::Form* form = form_of(embedded<RequestObject>(ZEND_THIS));
    if (!form) RETURN_THROWS();
    array_init(return_value);
    add_form_values(return_value, *form);
}

ZEND_METHOD(Sluice_Http_Request, files) {
    ZEND_PARSE_PARAMETERS_NONE();
    RequestObject* self = embedded<RequestObject>(ZEND_THIS);
    const http::Form* form = form_of(self);
    if (!form) RETURN_THROWS();
    array_init(return_value);
    zend_string* body = self->body ? self->body : self->source->text;
    add_form_files(return_value, *form, body, is_in_file(self) ? self->source : nullptr);
}
