// Request::serverParams(): what CGI calls meta-variables (RFC 3875 4.1), as applications know them from
// `$_SERVER`.

#include <algorithm>

#include "php/http/request_object.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

constexpr size_t kLongestName = 256;

void set(zval* array, std::string_view name, std::string_view value) {
    zval text;
    ZVAL_STR(&text, new_string(value));
    zend_symtable_str_update(Z_ARRVAL_P(array), name.data(), name.size(), &text);
}

/// Appends to an existing value: fields of one name form one list.
void add(zval* array, std::string_view name, std::string_view value, std::string_view glue) {
    zval* old = zend_symtable_str_find(Z_ARRVAL_P(array), name.data(), name.size());
    if (!old) return set(array, name, value);
    zend_string* joined = zend_string_concat3(Z_STRVAL_P(old), Z_STRLEN_P(old), glue.data(), glue.size(),
                                              value.data(), value.size());
    zval text;
    ZVAL_STR(&text, joined);
    zend_symtable_str_update(Z_ARRVAL_P(array), name.data(), name.size(), &text);
}

/// Leaves out names that would collide with another field's, and `Proxy`: libraries would read HTTP_PROXY as
/// the server's own setting (httpoxy).
bool is_left_out(std::string_view name) {
    return name.size() > kLongestName || name == "proxy" || name.find('_') != name.npos;
}

void add_fields(zval* array, const SharedHead& head) {
    char variable[5 + kLongestName] = "HTTP_";
    for (const http::Field& field : head.fields()) {
        const std::string_view name = head.in(field.name);
        if (is_left_out(name)) continue;
        for (size_t i = 0; i < name.size(); ++i)
            variable[5 + i] =
                name[i] == '-' ? '_' : static_cast<char>(toupper(static_cast<unsigned char>(name[i])));
        std::string_view full(variable, 5 + name.size());
        // These two have no prefix.
        if (name == "content-type" || name == "content-length") full.remove_prefix(5);
        add(array, full, head.in(field.value), name == "cookie" ? "; " : ", ");
    }
}

/// Cuts `:port` off; what is left of an IPv6 address keeps its brackets.
std::string_view cut_port(std::string_view& host) {
    const size_t colon = host.rfind(':');
    if (colon == host.npos || host.find(']', colon) != host.npos) return {};
    const std::string_view port = host.substr(colon + 1);
    host = host.substr(0, colon);
    return port;
}

void add_addresses(zval* array, const RequestObject* self) {
    std::string_view host = host_of(self);
    const std::string_view port = cut_port(host);
    set(array, "SERVER_NAME", host);
    set(array, "SERVER_PORT", !port.empty() ? port : is_secure(self) ? "443" : "80");
    const Sentence address = peer_of(self, false);
    const Sentence peer = peer_of(self, true);
    set(array, "REMOTE_ADDR", address.view());
    std::string_view rest = peer.view();
    if (!address.empty()) set(array, "REMOTE_PORT", cut_port(rest));
}

}  // namespace

void add_server_params(zval* array, const RequestObject* self) {
    const SharedHead& head = *self->head;
    add_fields(array, head);
    set(array, "REQUEST_METHOD", head.in(head.head.method_text));
    set(array, "REQUEST_URI", head.in(head.head.target));
    set(array, "QUERY_STRING", head.in(head.head.query));
    char protocol[] = "HTTP/1.1";
    protocol[5] = static_cast<char>('0' + head.head.version_major);
    protocol[7] = static_cast<char>('0' + head.head.version_minor);
    set(array, "SERVER_PROTOCOL", head.head.version_major == 2 ? "HTTP/2.0" : protocol);
    set(array, "REQUEST_SCHEME", is_secure(self) ? "https" : "http");
    if (is_secure(self)) set(array, "HTTPS", "on");
    set(array, "SERVER_SOFTWARE", "Sluice/" SLUICE_VERSION);
    add_addresses(array, self);
    const double at = static_cast<double>(self->begun_us) / 1e6;
    add_assoc_long(array, "REQUEST_TIME", static_cast<zend_long>(at));
    add_assoc_double(array, "REQUEST_TIME_FLOAT", at);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Request, serverParams) {
    ZEND_PARSE_PARAMETERS_NONE();
    const RequestObject* self = embedded<RequestObject>(ZEND_THIS);
    array_init_size(return_value, 16 + self->head->head.field_count);
    add_server_params(return_value, self);
}
