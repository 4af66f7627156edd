#include "php/http/request_class.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <main/php_variables.h>

#include "core/clock.h"
#include "php/http/request_object.h"
#include "php/http/trace_class.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"
#include "server/config/config.h"

namespace sluice::php {

zend_class_entry* request_class = nullptr;

namespace {

zend_object_handlers handlers;

void free_request(zend_object* object) {
    RequestObject* self = embedded<RequestObject>(object);
    if (self->head) release_head(self->head);
    if (self->body) zend_string_release(self->body);
    if (self->source) release(self->source);
    if (self->peer) zend_string_release(self->peer);
    delete self->form;
    delete self->told;
    zend_object_std_dtor(object);
}

zend_object* create_request(zend_class_entry* class_entry) {
    return &new_embedded<RequestObject>(class_entry, handlers)->object;
}

const SharedHead& head_of(zval* this_value) {
    return *embedded<RequestObject>(this_value)->head;
}

zend_string* decode(std::string_view text, http::Plus plus = http::Plus::kSpace) {
    if (!http::needs_decoding(text, plus)) return new_string(text);
    zend_string* decoded = zend_string_alloc(text.size(), false);
    const size_t size = http::percent_decode(text, plus, ZSTR_VAL(decoded));
    decoded = zend_string_truncate(decoded, size, false);
    ZSTR_VAL(decoded)[size] = '\0';
    return decoded;
}

/// Whether the encoded `text` decodes to `name`.
bool decodes_to(std::string_view text, std::string_view name) {
    if (!http::needs_decoding(text, http::Plus::kSpace)) return text == name;
    if (text.size() < name.size()) return false;
    zend_string* decoded = decode(text);
    const bool same = view(decoded) == name;
    zend_string_release(decoded);
    return same;
}

/// The Forwarded data of a message from a trusted proxy; nullptr for others.
http::Forwarded* told_of(const Inbound& message) {
    const Worker* worker = current_worker();
    if (!message.trusted || !worker) return nullptr;
    const int index = worker->endpoint_index(message.endpoint);
    if (index < 0) return nullptr;
    const http::TrustedProxies& proxies = worker->config->endpoints[static_cast<size_t>(index)].proxies;
    if (proxies.fields == http::ProxyFields::kNone) return nullptr;
    return new http::Forwarded(http::read_forwarded(message.head()->fields, message.head()->text, proxies));
}

}  // namespace

std::string_view host_of(const RequestObject* self) {
    if (self->told && !self->told->host.empty()) return self->told->host;
    return self->head->in(self->head->head.host);
}

Sentence peer_of(const RequestObject* self, bool with_port) {
    Address address;
    if (self->told && self->told->client.family) {
        address = self->told->client;
    } else if (Worker* worker = current_worker()) {
        address = worker->port->peer(self->connection);
    }
    return Sentence(with_port ? address.to_peer_string() : address.ip_string());
}

const EndpointSpec* endpoint_of(const RequestObject* self) {
    const Worker* worker = current_worker();
    return worker && self->endpoint >= 0 ? &worker->config->endpoints[static_cast<size_t>(self->endpoint)]
                                         : nullptr;
}

bool is_secure(const RequestObject* self) {
    return self->told && !self->told->scheme.empty() ? self->told->scheme == "https" : self->secure;
}

void init_request_class(zend_class_entry* class_entry) {
    request_class = class_entry;
    class_entry->create_object = create_request;
    init_handlers<RequestObject>(handlers, free_request);
}

zend_object* new_request(const Inbound& message, zend_string* body) {
    RequestObject* self = new_embedded<RequestObject>(request_class, handlers);
    self->head = copy_head(*message.head());
    if (message.file()) {
        zend_string_release(body);
        self->source = new_body_source(message);
    } else {
        self->body = body;
    }
    self->connection = message.connection;
    if (const auto* request = message.as<inbound::Request>()) self->number = request->number;
    if (const auto* opening = message.as<inbound::Opening>()) self->number = opening->number;
    self->endpoint = current_worker() ? current_worker()->endpoint_index(message.endpoint) : -1;
    self->secure = message.secure;
    self->begun_us = wall_clock_us();
    self->told = told_of(message);
    return &self->object;
}

Sentence HandledRequest::name() const {
    constexpr size_t kMostPathBytes = 200, kMostMethodBytes = 20;
    const SharedHead& head = *head_of_request(request_);
    // PHP's snprintf() looks for the end of a text even where "%.*s" says how long it is.
    const Sentence method(head.in(head.head.method_text).substr(0, kMostMethodBytes));
    const Sentence path(head.in(head.head.path).substr(0, kMostPathBytes));
    const Sentence peer = peer_of(embedded<RequestObject>(request_), true);
    const EndpointSpec* endpoint = endpoint_of(embedded<RequestObject>(request_));
    const Sentence route(endpoint ? std::string_view(endpoint->path).substr(0, kMostPathBytes) : "");
    const bool tells_route = !route.empty() && route.view() != path.view();
    char text[600];
    const int size = snprintf(text, sizeof text, "%s, %s %s%s%s, request %u of %s", kind_, method.text(),
                              path.text(), tells_route ? " by " : "", tells_route ? route.text() : "",
                              message_.as<inbound::Request>()->number,
                              peer.empty() ? "a client that has gone" : peer.text());
    return Sentence({text, static_cast<size_t>(size)});
}

std::string_view HandledRequest::route() const {
    const EndpointSpec* endpoint = endpoint_of(embedded<RequestObject>(request_));
    return endpoint ? std::string_view(endpoint->path) : std::string_view();
}

zend_object* HandledRequest::trace() const {
    return new_trace(*embedded<RequestObject>(request_));
}

SharedHead* head_of_request(zend_object* request) {
    return embedded<RequestObject>(request)->head;
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_Request, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Http_Request, method) {
    ZEND_PARSE_PARAMETERS_NONE();
    const SharedHead& head = head_of(ZEND_THIS);
    RETURN_VIEW(head.in(head.head.method_text));
}

ZEND_METHOD(Sluice_Http_Request, target) {
    ZEND_PARSE_PARAMETERS_NONE();
    const SharedHead& head = head_of(ZEND_THIS);
    RETURN_VIEW(head.in(head.head.target));
}

ZEND_METHOD(Sluice_Http_Request, path) {
    ZEND_PARSE_PARAMETERS_NONE();
    const SharedHead& head = head_of(ZEND_THIS);
    RETURN_VIEW(head.in(head.head.path));
}

ZEND_METHOD(Sluice_Http_Request, protocol) {
    ZEND_PARSE_PARAMETERS_NONE();
    const http::RequestHead& head = head_of(ZEND_THIS).head;
    if (head.version_major == 2) RETURN_STRINGL("2", 1);
    const char version[] = {static_cast<char>('0' + head.version_major), '.',
                            static_cast<char>('0' + head.version_minor)};
    RETURN_STRINGL(version, sizeof version);
}

ZEND_METHOD(Sluice_Http_Request, trace) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_OBJ(new_trace(*embedded<RequestObject>(ZEND_THIS)));
}

ZEND_METHOD(Sluice_Http_Request, host) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_VIEW(host_of(embedded<RequestObject>(ZEND_THIS)));
}

ZEND_METHOD(Sluice_Http_Request, peer) {
    ZEND_PARSE_PARAMETERS_NONE();
    RequestObject* self = embedded<RequestObject>(ZEND_THIS);
    if (!self->peer) {
        const Sentence peer = peer_of(self, true);
        self->peer = new_string(peer.view());
    }
    RETURN_STR_COPY(self->peer);
}

ZEND_METHOD(Sluice_Http_Request, clientAddress) {
    ZEND_PARSE_PARAMETERS_NONE();
    const Sentence address = peer_of(embedded<RequestObject>(ZEND_THIS), false);
    RETURN_VIEW(address.view());
}

ZEND_METHOD(Sluice_Http_Request, connectionPeer) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = current_worker();
    if (!worker) RETURN_EMPTY_STRING();
    const Sentence peer{
        worker->port->connection_peer(embedded<RequestObject>(ZEND_THIS)->connection).to_peer_string()};
    RETURN_VIEW(peer.view());
}

ZEND_METHOD(Sluice_Http_Request, isConnectionSecure) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<RequestObject>(ZEND_THIS)->secure);
}

ZEND_METHOD(Sluice_Http_Request, isSecure) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(is_secure(embedded<RequestObject>(ZEND_THIS)));
}

ZEND_METHOD(Sluice_Http_Request, scheme) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_STRING(is_secure(embedded<RequestObject>(ZEND_THIS)) ? "https" : "http");
}

ZEND_METHOD(Sluice_Http_Request, query) {
    zend_string *name, *fallback;
    if (!parse_name_and_default(execute_data, name, fallback)) RETURN_THROWS();
    const SharedHead& head = head_of(ZEND_THIS);
    std::string_view last;
    bool found = false;
    http::for_each_query_pair(head.in(head.head.query), [&](std::string_view key, std::string_view value) {
        if (!decodes_to(key, view(name))) return;
        last = value;
        found = true;
    });
    if (found) RETURN_STR(decode(last));
    if (fallback) RETURN_STR_COPY(fallback);
    RETURN_NULL();
}

ZEND_METHOD(Sluice_Http_Request, queryString) {
    ZEND_PARSE_PARAMETERS_NONE();
    const SharedHead& head = head_of(ZEND_THIS);
    RETURN_VIEW(head.in(head.head.query));
}

ZEND_METHOD(Sluice_Http_Request, queryAll) {
    ZEND_PARSE_PARAMETERS_NONE();
    const SharedHead& head = head_of(ZEND_THIS);
    const std::string_view query = head.in(head.head.query);
    array_init(return_value);
    // As parse_str() does; it frees the copy.
    if (!query.empty())
        sapi_module.treat_data(PARSE_STRING, estrndup(query.data(), query.size()), return_value);
}

ZEND_METHOD(Sluice_Http_Request, header) {
    zend_string *name, *fallback;
    if (!parse_name_and_default(execute_data, name, fallback)) RETURN_THROWS();
    const SharedHead& head = head_of(ZEND_THIS);
    // RFC 6265 5.4 joins cookies by a semicolon, RFC 9110 5.3 other fields by a comma.
    const std::string_view glue = http::equals_caseless(view(name), "cookie") ? "; " : ", ";
    size_t size = 0, count = 0;
    std::string_view first;
    for_each_field(head, view(name), [&](std::string_view value) {
        if (count++ == 0) first = value;
        size += value.size();
    });
    if (count == 1) RETURN_VIEW(first);
    if (count == 0) {
        if (fallback) RETURN_STR_COPY(fallback);
        RETURN_NULL();
    }
    zend_string* joined = zend_string_alloc(size + (count - 1) * glue.size(), false);
    char* end = ZSTR_VAL(joined);
    size_t written = 0;
    for_each_field(head, view(name), [&](std::string_view value) {
        if (written++ > 0) {
            memcpy(end, glue.data(), glue.size());
            end += glue.size();
        }
        memcpy(end, value.data(), value.size());
        end += value.size();
    });
    *end = '\0';
    RETURN_STR(joined);
}

ZEND_METHOD(Sluice_Http_Request, headers) {
    ZEND_PARSE_PARAMETERS_NONE();
    const SharedHead& head = head_of(ZEND_THIS);
    array_init_size(return_value, head.head.field_count);
    for (const http::Field& field : head.fields()) {
        const std::string_view name = head.in(field.name);
        const std::string_view value = head.in(field.value);
        zval* list = zend_symtable_str_find(Z_ARRVAL_P(return_value), name.data(), name.size());
        if (!list) {
            zval fresh;
            array_init_size(&fresh, 1);
            list = zend_symtable_str_update(Z_ARRVAL_P(return_value), name.data(), name.size(), &fresh);
        }
        add_next_index_str(list, new_string(value));
    }
}

ZEND_METHOD(Sluice_Http_Request, cookie) {
    zend_string *name, *fallback;
    if (!parse_name_and_default(execute_data, name, fallback)) RETURN_THROWS();
    const SharedHead& head = head_of(ZEND_THIS);
    std::string_view first;
    bool found = false;
    for_each_field(head, "cookie", [&](std::string_view cookies) {
        if (found) return;
        http::for_each_cookie(cookies, [&](std::string_view key, std::string_view value) {
            found = key == view(name);
            if (found) first = value;
            return !found;
        });
    });
    if (found) RETURN_STR(decode(first, http::Plus::kLiteral));
    if (fallback) RETURN_STR_COPY(fallback);
    RETURN_NULL();
}

ZEND_METHOD(Sluice_Http_Request, cookies) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    for_each_field(head_of(ZEND_THIS), "cookie", [&](std::string_view cookies) {
        http::for_each_cookie(cookies, [&](std::string_view key, std::string_view value) {
            if (zend_symtable_str_exists(Z_ARRVAL_P(return_value), key.data(), key.size())) return;
            zval text;
            ZVAL_STR(&text, decode(value, http::Plus::kLiteral));
            zend_symtable_str_update(Z_ARRVAL_P(return_value), key.data(), key.size(), &text);
        });
    });
}
