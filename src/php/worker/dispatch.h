#pragma once

#include "php/worker/server_setup.h"
#include "php/worker/worker.h"

namespace sluice::php {

/// The endpoint of a message.
struct Endpoint {
    const EndpointSpec& spec;
    const Handler& handler;
};

/// Calls the handler for a message of one protocol, handles its exception, and frees what the message holds.
/// False when the script called exit().
using DispatchFunction = bool (*)(Worker& worker, const Endpoint& endpoint, Handling& handling);

/// For module startup: sets the function for messages of endpoints of this kind.
void dispatch_by(EndpointKind kind, DispatchFunction function);

/// Where dispatch() takes messages from.
class MessageSource {
  public:
    /// Takes the next message; false: none now. Also called in coroutines, between two handlers.
    virtual bool take(Inbound& message) = 0;
    /// Whether a message that was taken before may be handled now.
    virtual bool may_handle() = 0;

  protected:
    ~MessageSource() = default;
};

/// Calls the handler of each message, in a coroutine, and settles what it leaves behind: an exception is
/// logged and answered, the message is finished, its extent given back. If the handler waits, that
/// happens later, and later messages of its connection are handled after it, in order. False when a
/// handler called exit(): nothing may be dispatched any more, and its message stays unfinished, for the
/// server to answer.
bool dispatch(Worker& worker, const ServerSetup& setup, MessageSource& source);

}  // namespace sluice::php
