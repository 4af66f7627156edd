#pragma once

#include "php/worker/dispatch.h"

namespace sluice {
class RequestLink;
}

namespace sluice::php {

// Requests each of which is handled by a process of its own, forked before the request came.

/// Takes from the message what goes to the process; to be called before anything waits.
RequestLink* link_for(const Inbound& message);
void release_link(RequestLink* link);

/// Gives the request to a process, and passes on the handler's commands until the process ends. When the
/// response is not complete then, the client gets an error. May suspend, and return with an exception set,
/// when the process was killed.
void handle_in_process(Worker& worker, const Endpoint& endpoint, zend_object* response, RequestLink& link);

}  // namespace sluice::php
