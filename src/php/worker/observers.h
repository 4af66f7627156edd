#pragma once

#include <vector>

#include "php/coroutine/callback.h"

namespace sluice::php {

class Occasion;
struct Worker;

/// Callbacks of the application that are told of events, and decide nothing.
struct Observers {
    std::vector<Callback> on_error;
    std::vector<Callback> on_request;
    std::vector<Callback> on_response;
};

/// Calls each in turn, in a scope of its own with the running code's context. An exception is logged as
/// `where`'s ("an onRequest callback"), and the others are called. But a cancellation or exit() is left in
/// EG(exception) for the caller.
void tell(Worker& worker, const std::vector<Callback>& callbacks, uint32_t count, zval* arguments,
          const char* where);

/// Calls `on_request` in the current scope: the handler sees what the callbacks set there.
void tell_of_request(Worker& worker, const Occasion& occasion, zval* request);

/// From here on logged exceptions are reported to the worker's `on_error`.
void tell_of_logged_exceptions();

/// Sets the request of the exception that is logged next.
void set_request_of_exception(const zval* request);

}  // namespace sluice::php
