#pragma once

#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

struct Worker;

// Sending to clients that may be behind. What suspends here may come back with an exception set; the command
// was not submitted then.

/// Sends one message, as the policy for slow clients of its connection says.
Delivery send_message(Worker& worker, const Command& command);

/// Before `bytes` more of a response are submitted: waits, in a coroutine, until the client
/// has taken enough of what is queued. False when an exception is set.
bool wait_to_write(Worker& worker, ConnectionId id, size_t bytes);

/// Waits, in a coroutine, until submit() would not block the worker. False when an exception is set.
bool wait_for_way(Worker& worker, const Command& command);

}  // namespace sluice::php
