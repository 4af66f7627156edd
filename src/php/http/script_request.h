#pragma once

#include "php/coroutine/occasion.h"
#include "php/http/script_place.h"
#include "php/zend/php_api.h"
#include "server/config/endpoint_spec.h"
#include "server/seam/request_link.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

struct Worker;

/// A request while its handler may give it to a process for scripts.
struct ScriptRequest {
    RequestLink* link;  ///< the request, as it goes to the process
    const EndpointSpec* endpoint;
    const Occasion* occasion;
    WorkerPort* port;  ///< that parks the message while it waits for a process; nullptr: it cannot be
    Inbound* message;
};

/// Which script is to run; once, before run_in_process().
void choose_script(ScriptRequest& request, const ScriptPlace& place);

/// Gives the request to a process for scripts, and makes the response of what comes from it, until the
/// process is done. May suspend, and return with an exception set.
void run_in_process(Worker& worker, ScriptRequest& request, zend_object* response);

}  // namespace sluice::php
