#pragma once

#include "php/coroutine/occasion.h"
#include "php/http/shared_head.h"
#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

extern zend_class_entry* request_class;
void init_request_class(zend_class_entry* class_entry);

/// The request of a message that has a head: a Sluice\Http\Request with a copy of it. Takes over the caller's
/// reference to `body`.
zend_object* new_request(const Inbound& message, zend_string* body);

/// The request of a message, handled by `kind` ("an HTTP handler"). Named with method, path and the client.
/// Borrows the request and the message.
class HandledRequest final : public Occasion {
  public:
    HandledRequest(const char* kind, zend_object* request, const Inbound& message)
        : kind_(kind), request_(request), message_(message) {}
    Sentence name() const override;
    uint64_t client() const override { return message_.client; }
    uint64_t connection() const override { return message_.connection; }
    std::string_view route() const override;
    zend_object* trace() const override;

  private:
    const char* kind_;
    zend_object* request_;
    const Inbound& message_;
};

/// The head of a request, borrowed.
SharedHead* head_of_request(zend_object* request);

}  // namespace sluice::php
