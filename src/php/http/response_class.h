#pragma once

#include "php/http/shared_head.h"
#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

struct Handler;

extern zend_class_entry* response_class;
/// Sluice\Http\SameSite
extern zend_class_entry* same_site_class;
void init_response_class(zend_class_entry* class_entry);

/// The Sluice\Http\Response that answers a request; it takes a reference to the head.
/// `handler`: whose options say what is made of its body; nullptr: nothing is.
zend_object* new_response(const Inbound& request, SharedHead* head, const Handler* handler = nullptr);

/// The reactor has answered already: what is sent from here on is `Closed`.
void abandon_response(zend_object* object);

/// Whether nothing of the response was sent yet.
bool is_unanswered(zend_object* object);
/// Answers 500, as nobody can answer any more; logs the handler, once. nullptr: handler unknown.
void refuse_unanswered(zend_object* object, const zend_function* handler);

/// The handler has failed: a page for `status` with `detail` when nothing was sent yet, else the connection
/// is closed, so that the client does not take half an answer for a whole one.
void fail_response(zend_object* object, uint16_t status, std::string_view detail);

}  // namespace sluice::php
