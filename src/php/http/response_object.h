#pragma once

#include "php/zend/php_api.h"
#include "php/http/shared_head.h"
#include "php/worker/worker.h"

namespace sluice::php {

struct ResponseEncoding;

/// A Sluice\Http\Response, and what its methods are made of.
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
    bool to_head_request;     ///< no body is sent, so a content-length may announce one
    bool abandoned;           ///< the reactor has answered for it: nothing is sent any more
    bool lost_bytes;          ///< a part of the body was dropped: no end can make it whole
    SharedHead* head;         ///< of the request; one reference
    smart_str trailers;       ///< as `fields`
    zend_string* etag;        ///< as in the field
    int64_t last_modified_s;  ///< when has_last_modified
    bool has_last_modified;
    bool is_encoded;             ///< its fields speak of an encoded body, of a length that is not known
    zend_object* compression;    ///< how it may be compressed; one reference, nullptr: not at all
    ResponseEncoding* encoding;  ///< what encodes its body, from the head on; nullptr: nothing
    zend_object object;
};

/// nullptr when it has thrown: no worker, or ended.
ResponseObject* unfinished(zend_object* object);
/// Likewise, and when the head has been sent.
ResponseObject* before_head(zend_object* object);

void append_field(ResponseObject* self, std::string_view name, std::string_view value);
/// Adds Accept-Encoding to a Vary that may be there.
void add_vary(ResponseObject* self);
/// Takes out all lines of that name.
void remove_field(ResponseObject* self, std::string_view name);
bool has_field(const ResponseObject* self, std::string_view name);
/// Of the first line of that name; valid until the fields change.
std::string_view field_value(const ResponseObject* self, std::string_view name);

/// Whether arguments 1 and 2 may be a field; throws when not.
bool check_field(std::string_view name, std::string_view value);

/// Sends the head, when it was not sent, and a part of the body, which is compressed here if it is to be.
/// `length`: of the whole body, when it comes in parts and is known.
Delivery submit_part(ResponseObject* self, Worker& worker, std::string_view body, bool last,
                     uint64_t length = http::kNoLength);
/// The same as the method write(), after its checks; may suspend, and come back with an exception.
Delivery write_part(ResponseObject* self, std::string_view chunk);
/// Whether a body that has come to `bytes` may end there.
bool length_is_kept(const ResponseObject* self, uint64_t bytes);
/// Whether `bytes` more of a body are allowed; throws when not.
bool check_body(const ResponseObject* self, size_t bytes, bool last);
/// Sends what is left; for a GET or HEAD whose conditions say so, 304 or 412 instead. `return_value` becomes
/// the delivery.
void finish(zval* return_value, ResponseObject* self, std::string_view body, const char* content_type);
/// What the request's conditions make of the response, as `http::evaluate_conditions()`. `may_be_encoded`:
/// the client may have got it compressed; a 304 then tells of which one.
uint16_t status_by_condition(ResponseObject* self, bool may_be_encoded);
/// Finishes with that status and without a body.
Delivery finish_without_body(ResponseObject* self, uint16_t status);

void close_connection(ResponseObject* self, Worker& worker);
/// It needs no end any more.
void mark_ended(ResponseObject* self, Worker& worker);

}  // namespace sluice::php
