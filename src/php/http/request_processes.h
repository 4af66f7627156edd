#pragma once

#include "php/worker/dispatch.h"

namespace sluice {
class RequestLink;
}

namespace sluice::php {

// Requests that are handled by a process of their own each, which was forked ahead of them.

/// What goes to the process; before anything waits.
RequestLink* link_for(const Inbound& message);
void release_link(RequestLink* link);

/// Gives the request to a process, and passes on what its handler orders, until the response is complete or
/// the process has ended: then the client gets an error. May suspend, and come back with an exception: then
/// the process was killed.
void handle_in_process(Worker& worker, const Endpoint& endpoint, zend_object* response, RequestLink& link);

}  // namespace sluice::php
