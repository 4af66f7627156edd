#pragma once

#include "php/http/shared_head.h"
#include "php/zend/php_api.h"
#include "protocol/http/error_page.h"
#include "server/seam/connection_id.h"

namespace sluice::php {

struct ResponseEncoding;
struct Worker;

/// A Sluice\Http\Response.
struct ResponseObject {
    smart_str fields;  ///< "Name: value\r\n" lines
    ConnectionId connection;
    uint64_t declared_bytes;  ///< the content-length that was set, when has_length
    uint64_t sent_bytes;      ///< of the body
    uint64_t head_sent_us;    ///< by monotonic_us(), where requests are noted; 0: not
    uint32_t request;
    uint16_t status;
    uint16_t endpoint;  ///< its request's endpoint, as in messages
    bool open;          ///< its request waits for the end of the response
    bool has_status;    ///< it was set
    bool head_sent;
    bool has_length;
    bool has_content_type;
    bool to_head_request;     ///< no body is sent, so a content-length may announce one
    bool pipelined;           ///< requests may wait for its end; see Pipelines
    bool abandoned;           ///< the reactor has answered in its place: nothing more is sent
    bool lost_bytes;          ///< a part of the body was dropped: it cannot become complete
    SharedHead* head;         ///< of the request; one reference
    smart_str trailers;       ///< as `fields`
    zend_string* etag;        ///< as in the field
    int64_t last_modified_s;  ///< when has_last_modified
    bool has_last_modified;
    bool is_encoded;             ///< its fields speak of an encoded body, of a length that is not known
    zend_object* compression;    ///< how it may be compressed; one reference, nullptr: not at all
    zend_string* page_end;       ///< put before </body> of a page; one reference, nullptr: nothing
    ResponseEncoding* encoding;  ///< what encodes its body, from the head on; nullptr: nothing
    zend_object object;
};

/// nullptr when it has thrown: no worker, or ended.
ResponseObject* unfinished(zend_object* object);
/// nullptr when it has thrown: no worker, ended, or the head was sent.
ResponseObject* before_head(zend_object* object);

void close_connection(ResponseObject* self, Worker& worker);

/// The error page of its site, in the format that its client wants.
http::ErrorPage error_page_of(const ResponseObject* self, uint16_t status, std::string_view detail);

}  // namespace sluice::php
