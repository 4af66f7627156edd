#pragma once

#include <cstdint>
#include <string_view>

#include "php/zend/errors.h"

namespace sluice::php {

/// What a handler was called for. Stands on the caller's stack.
class Occasion {
  public:
    /// Its name in the log, such as "an HTTP handler, GET /users, request 7 of 127.0.0.1:4711".
    virtual Sentence name() const = 0;
    /// The key of the client that it works for (client_key.h); 0: none.
    virtual uint64_t client() const = 0;
    /// The client's connection; 0: none.
    virtual uint64_t connection() const { return 0; }
    /// The pattern of the route that it came by; empty: none.
    virtual std::string_view route() const { return {}; }
    /// The Sluice\Http\Trace that it belongs to, with a reference for the caller; nullptr: none.
    virtual zend_object* trace() const { return nullptr; }

  protected:
    ~Occasion() = default;
};

}  // namespace sluice::php
