#pragma once

#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

struct Worker;

// Ports never wait: whoever has no room on the way, or a client that is behind, waits here, as a suspended
// coroutine. What suspends may come back with an exception set; the command was not submitted then, or not to
// all whom it concerns.

/// How long a command waits for room on the way, before it is dropped.
inline constexpr uint64_t kSubmitWaitMs = 1000;

/// Submits a command as soon as there is room for it.
Delivery submit(Worker& worker, const Command& command, uint64_t most_wait_ms = kSubmitWaitMs);

/// For what must not be lost, where nobody waits: see WorkerPort::submit_surely().
Delivery submit_surely(Worker& worker, const Command& command);

/// Sends one message, as the policy for slow clients of its connection says.
Delivery send_message(Worker& worker, const Command& command);

/// Before `bytes` more of a response are submitted: when that would be more than `most_queued_bytes` for the
/// client, waits until it has taken enough. It has no end of its own: a client that takes nothing for
/// Limits::write_ms is closed by its reactor. False when an exception is set.
bool wait_for_client(Worker& worker, ConnectionId id, size_t bytes, uint64_t most_queued_bytes);

}  // namespace sluice::php
