#pragma once

#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

struct Worker;

// Ports never wait: when there is no room on the way, or the client is slow, a coroutine is suspended here.
// These functions may return with an exception set; then the command was not submitted, or not to all
// reactors that it concerns.

/// How long a command waits for room on the way, before it is dropped.
inline constexpr uint64_t kSubmitWaitMs = 1000;

/// Submits a command as soon as there is room for it.
Delivery submit(Worker& worker, const Command& command, uint64_t most_wait_ms = kSubmitWaitMs);

/// For commands that must not be lost, without waiting: see WorkerPort::submit_surely().
Delivery submit_surely(Worker& worker, const Command& command);

/// Sends one message, by its connection's policy for slow clients.
Delivery send_message(Worker& worker, const Command& command);

/// Before `bytes` more of a response are submitted: when that would be more than `most_queued_bytes` for the
/// client, waits until it has taken enough. It has no timeout: the reactor closes a client that takes nothing
/// for Limits::write_ms. False when an exception is set.
bool wait_for_client(Worker& worker, ConnectionId id, size_t bytes, uint64_t most_queued_bytes);

}  // namespace sluice::php
