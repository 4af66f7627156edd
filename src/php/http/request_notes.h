#pragma once

#include <cstdint>

#include "php/zend/php_api.h"

namespace sluice::php {

struct Handling;
struct Worker;

/// Call it before each request: the first begins, in a worker of a server that somebody looks at, to note
/// requests on the worker's RequestBoard.
void begin_request_notes(const Worker& worker);
bool notes_requests();

/// How one request went.
struct RequestTimes {
    uint64_t runs_us;  ///< when its handler began, by monotonic_us()
    uint64_t ended_us;
    uint32_t waited_us;  ///< before
};
/// The handler of a request has ended: notes it if it was slow, has failed or is traced.
void note_request(const Worker& worker, const Handling& handling, zend_object* request,
                  const RequestTimes& times);

}  // namespace sluice::php
