#pragma once

#include "php/server/server_class.h"
#include "php/worker/worker.h"

namespace sluice::php {

/// Calls the handler of one message, in a coroutine, and settles what it leaves behind: an exception is
/// logged and answered, the message is finished, its slot given back. When it waits, that happens later, and
/// what comes from the same connection meanwhile is handled after it, in order. False when the handler called
/// exit(): nothing may be dispatched any more, and the message stays unfinished, for the server to answer.
bool dispatch(Worker& worker, const ServerSetup& setup, const Inbound& message);

}  // namespace sluice::php
