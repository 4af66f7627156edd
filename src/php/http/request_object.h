#pragma once

#include "php/http/body_source.h"
#include "php/http/shared_head.h"
#include "php/zend/errors.h"
#include "protocol/http/form.h"
#include "protocol/http/forwarded.h"
#include "protocol/http/http_syntax.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

struct ScriptRequest;

/// A Sluice\Http\Request.
struct RequestObject {
    ScriptRequest* script;  ///< while its handler may give it to a process for scripts; otherwise nullptr
    SharedHead* head;
    zend_string* body;      ///< nullptr: `source` is set
    BodySource* source;     ///< of a body in a file or still arriving
    zend_string* peer;      ///< once it was asked for
    http::Form* form;       ///< once it was asked for
    http::Forwarded* told;  ///< from a trusted proxy; nullptr: none
    uint64_t begun_us;      ///< since 1970, when the worker took it
    ConnectionId connection;
    uint32_t number;  ///< on its connection
    int endpoint;     ///< in the configuration; -1: this boot of the script does not have it
    bool secure;
    zend_object object;
};

/// Calls `f` with the value of each field of that name.
template <typename F>
void for_each_field(const SharedHead& head, std::string_view name, F&& f) {
    for (const http::Field& field : head.fields()) {
        if (http::equals_caseless(head.in(field.name), name)) f(head.in(field.value));
    }
}

/// The requested host; the one that a trusted proxy has named, if any.
std::string_view host_of(const RequestObject* self);
/// The client's address, or empty. Holds C++ objects, so nothing in it calls into PHP.
Sentence peer_of(const RequestObject* self, bool with_port);
bool is_secure(const RequestObject* self);
/// The request's endpoint; nullptr outside of a worker.
const EndpointSpec* endpoint_of(const RequestObject* self);

/// Waits for an arriving body, and stores it as Bodies::Whole would. False when it has thrown.
bool receive_whole(RequestObject* self);

/// Adds CGI's meta-variables, as in `$_SERVER`.
void add_server_params(zval* array, const RequestObject* self);

/// Parses the arguments of look-up methods: a name, and a default value. False when it has
/// thrown.
bool parse_name_and_default(zend_execute_data* execute_data, zend_string*& name, zend_string*& fallback);

}  // namespace sluice::php
