#pragma once

#include "php/worker/server_setup.h"
#include "php/worker/worker.h"

namespace sluice::php {

/// What a message has come by.
struct Endpoint {
    const EndpointSpec& spec;
    const Handler& handler;
};

/// Calls the handler for a message of one protocol, answers for it what it has thrown, and gives back what
/// the message holds. False when the script called exit().
using DispatchFunction = bool (*)(Worker& worker, const Endpoint& endpoint, Handling& handling);

/// For the module's start: who knows what to do with messages that come by endpoints of this kind.
void dispatch_by(EndpointKind kind, DispatchFunction function);

/// Where dispatch() has messages from.
class MessageSource {
  public:
    /// The next one; false when there is none for now. Asked within coroutines, too, between two handlers.
    virtual bool take(Inbound& message) = 0;

  protected:
    ~MessageSource() = default;
};

/// Calls the handler of each message, in a coroutine, and settles what it leaves behind: an exception is
/// logged and answered, the message is finished, its extent given back. When it waits, that happens later,
/// and what comes from the same connection meanwhile is handled after it, in order. False when a handler
/// called exit(): nothing may be dispatched any more, and its message stays unfinished, for the server to
/// answer.
bool dispatch(Worker& worker, const ServerSetup& setup, MessageSource& source);

}  // namespace sluice::php
