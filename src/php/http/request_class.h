#pragma once

#include "php/http/shared_head.h"
#include "php/zend/errors.h"
#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

extern zend_class_entry* request_class;
void init_request_class(zend_class_entry* class_entry);

/// The request of a message that has a head: a Sluice\Http\Request with a copy of it. Takes over the caller's
/// reference to `body`.
zend_object* new_request(const Inbound& message, zend_string* body);

/// What the log calls what has handled it, such as "an HTTP handler": with method, path, the number of the
/// request on its connection, and the client.
Sentence name_of_handler(const char* kind, zend_object* request, uint32_t number);

/// Without a reference of its own.
SharedHead* head_of_request(zend_object* request);

}  // namespace sluice::php
