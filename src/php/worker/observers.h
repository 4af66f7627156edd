#pragma once

#include <vector>

#include "php/coroutine/callback.h"

namespace sluice::php {

class Occasion;
struct Worker;

/// Callbacks of the application that are told what happens, and decide nothing.
struct Observers {
    std::vector<Callback> on_error;
    std::vector<Callback> on_request;
    std::vector<Callback> on_response;
};

/// Calls each in turn, in a scope of its own that has what the running code sees. What one throws is logged
/// as `where`'s ("an onRequest callback") and stops nobody, but for a cancellation: that is left in
/// EG(exception) for the caller, and so is exit().
void tell(Worker& worker, const std::vector<Callback>& callbacks, uint32_t count, zval* arguments,
          const char* where);

/// Those of `on_request`, in the scope that is current: what they set there, the handler sees.
void tell_of_request(Worker& worker, const Occasion& occasion, zval* request);

/// From here on what is logged is told to the worker's `on_error`.
void tell_of_logged_exceptions();

/// The request that the exception which is logged next belongs to.
void set_request_of_exception(const zval* request);

}  // namespace sluice::php
