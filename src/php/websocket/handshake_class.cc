#include "php/websocket/handshake_class.h"

#include <algorithm>

#include "php/http/request_class.h"
#include "php/http/response_class.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/worker/connection.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

namespace {

zend_class_entry* handshake_class;
zend_object_handlers handlers;

/// The request is the first property; the response carries the fields, and a refusal.
struct HandshakeObject {
    zend_object* response;      ///< one reference
    const EndpointSpec* route;  ///< until it is decided
    zend_string* protocol;      ///< chosen; nullptr: none
    zend_string* attached;      ///< to the connection; nullptr: nothing
    zend_object object;
};

void free_handshake(zend_object* object) {
    HandshakeObject* self = embedded<HandshakeObject>(object);
    if (self->response) OBJ_RELEASE(self->response);
    if (self->protocol) zend_string_release(self->protocol);
    if (self->attached) zend_string_release(self->attached);
    zend_object_std_dtor(object);
}

zend_object* create_handshake(zend_class_entry* class_entry) {
    return &new_embedded<HandshakeObject>(class_entry, handlers)->object;
}

ResponseObject* response_of(HandshakeObject* self) {
    return embedded<ResponseObject>(self->response);
}

/// nullptr when it has thrown.
HandshakeObject* undecided(zval* this_value) {
    HandshakeObject* self = embedded<HandshakeObject>(this_value);
    if (self->route && response_of(self)->open) return self;
    throw_server_exception(
        "The handshake was decided already: accepted when the handler returned, or refused");
    return nullptr;
}

/// The client's offer; several fields count as one list.
zend_string* offered_protocols(HandshakeObject* self) {
    smart_str joined = {};
    const SharedHead& head = *response_of(self)->head;
    for (const http::Field& field : head.fields()) {
        if (!http::equals_caseless(head.in(field.name), "sec-websocket-protocol")) continue;
        if (joined.s) smart_str_appends(&joined, ", ");
        const std::string_view value = head.in(field.value);
        smart_str_appendl(&joined, value.data(), value.size());
    }
    smart_str_0(&joined);
    return joined.s ? joined.s : zend_empty_string;
}

}  // namespace

void init_handshake_class(zend_class_entry* class_entry) {
    handshake_class = class_entry;
    class_entry->create_object = create_handshake;
    init_handlers<HandshakeObject>(handlers, free_handshake);
}

zend_object* new_handshake(const Inbound& message, const EndpointSpec& route) {
    HandshakeObject* self = embedded<HandshakeObject>(create_handshake(handshake_class));
    zend_object* request = new_request(message, zend_empty_string);
    self->response = new_response(message, head_of_request(request));
    self->route = &route;
    zval* property = OBJ_PROP_NUM(&self->object, 0);
    ZVAL_OBJ(property, request);
    Z_PROP_FLAG_P(property) = 0;
    return &self->object;
}

void accept_handshake(zend_object* object) {
    HandshakeObject* self = embedded<HandshakeObject>(object);
    ResponseObject* response = response_of(self);
    self->route = nullptr;
    if (!response->open) return;
    command::GrantHandshake grant{.request = response->request};
    if (response->fields.s) grant.fields = view(response->fields.s);
    if (self->protocol) grant.protocol = view(self->protocol);
    Worker& worker = *current_worker();
    const std::string_view attached = self->attached ? view(self->attached) : std::string_view();
    if (submit_surely(worker, {.what = grant, .connection = response->connection, .payload = attached}) ==
        Delivery::kDropped)
        close_connection(response, worker);
    mark_ended(response, worker);
}

const zval* request_of_handshake(zend_object* object) {
    return OBJ_PROP_NUM(object, 0);
}

void fail_handshake(zend_object* object, uint16_t status, std::string_view detail) {
    HandshakeObject* self = embedded<HandshakeObject>(object);
    self->route = nullptr;
    fail_response(self->response, status, detail);
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;
namespace websocket = sluice::websocket;

ZEND_METHOD(Sluice_WebSocket_Handshake, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_WebSocket_Handshake, protocols) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    zend_string* offered = offered_protocols(embedded<HandshakeObject>(ZEND_THIS));
    std::string_view rest = view(offered);
    while (!rest.empty()) {
        const size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view name = http::trim_blanks(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        if (!name.empty()) add_next_index_stringl(return_value, name.data(), name.size());
    }
    zend_string_release(offered);
}

ZEND_METHOD(Sluice_WebSocket_Handshake, protocol) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    HandshakeObject* self = undecided(ZEND_THIS);
    if (!self) RETURN_THROWS();
    const auto& known = self->route->websocket.protocols;
    if (std::find(known.begin(), known.end(), view(name)) == known.end()) {
        zend_argument_value_error(1, "must be one of the route's $protocols, \"%.200s\" given",
                                  ZSTR_VAL(name));
        RETURN_THROWS();
    }
    zend_string* offered = offered_protocols(self);
    const bool is_offered = websocket::offers_protocol(view(offered), view(name));
    zend_string_release(offered);
    if (!is_offered) {
        zend_argument_value_error(1, "must be one that the client offers, \"%s\" given", ZSTR_VAL(name));
        RETURN_THROWS();
    }
    if (self->protocol) zend_string_release(self->protocol);
    self->protocol = zend_string_copy(name);
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_WebSocket_Handshake, attach) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();

    HandshakeObject* self = undecided(ZEND_THIS);
    if (!self || !check_attachment(*current_worker(), data, 1)) RETURN_THROWS();
    if (self->attached) zend_string_release(self->attached);
    self->attached = zend_string_copy(data);
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_WebSocket_Handshake, header) {
    zend_string *name, *value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(name)
    Z_PARAM_STR(value)
    ZEND_PARSE_PARAMETERS_END();

    HandshakeObject* self = undecided(ZEND_THIS);
    if (!self || !check_field(view(name), view(value))) RETURN_THROWS();
    static constexpr std::string_view kOurs = "sec-websocket-";
    if (http::equals_caseless(view(name).substr(0, kOurs.size()), kOurs) ||
        http::equals_caseless(view(name), "content-length")) {
        zend_argument_value_error(1, "must not be \"%s\": the server writes it", ZSTR_VAL(name));
        RETURN_THROWS();
    }
    append_field(response_of(self), view(name), view(value));
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_WebSocket_Handshake, refuse) {
    zend_long status = 403;
    zend_string* body = zend_empty_string;
    ZEND_PARSE_PARAMETERS_START(0, 2)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(status)
    Z_PARAM_STR(body)
    ZEND_PARSE_PARAMETERS_END();

    HandshakeObject* self = undecided(ZEND_THIS);
    if (!self) RETURN_THROWS();
    if (status < 300 || status > 599) {
        zend_argument_value_error(1, "must be between 300 and 599, " ZEND_LONG_FMT " given", status);
        RETURN_THROWS();
    }
    ResponseObject* response = response_of(self);
    response->status = static_cast<uint16_t>(status);
    response->has_content_type = has_field(response, "content-type");
    zval delivery;
    ZVAL_UNDEF(&delivery);
    finish(&delivery, response, view(body), ZSTR_LEN(body) ? "text/plain; charset=utf-8" : nullptr);
    zval_ptr_dtor(&delivery);
}

ZEND_METHOD(Sluice_WebSocket_Handshake, isRefused) {
    ZEND_PARSE_PARAMETERS_NONE();
    HandshakeObject* self = embedded<HandshakeObject>(ZEND_THIS);
    RETURN_BOOL(self->route && !response_of(self)->open);
}
