#pragma once

#include "php/coroutine/occasion.h"
#include "php/worker/handlers.h"
#include "php/worker/handlings.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

struct Worker;

// How a message becomes a call of a handler, whatever its protocol.

/// Something that happens to a connection, handled by `kind` ("a TCP handler").
class ConnectionEvent final : public Occasion {
  public:
    ConnectionEvent(const char* kind, ConnectionId connection) : kind_(kind), connection_(connection) {}
    Sentence name() const override;

  private:
    const char* kind_;
    ConnectionId connection_;
};

/// Calls, and counts the handler, which a fatal error leaves counted.
void call_handler(Worker& worker, const Occasion& occasion, const Callback& callback, uint32_t count,
                  zval* arguments);
/// call_handler() in the scope that is current.
void call_handler_in_scope(Worker& worker, const Occasion& occasion, const Callback& callback, uint32_t count,
                           zval* arguments);
/// That of the handler that is running; nullptr when none is.
const Occasion* current_occasion();

/// After a call of `where` ("an HTTP handler"): logs its exception. False when the script called exit().
bool check_exception(Worker& worker, const char* where);

/// check_exception() when a client has to be told of the failure, which `answer` does: first, for who is told
/// of the exception may wait.
template <typename Answer>
bool check_failure(Worker& worker, const char* where, Answer answer) {
    if (is_exit(EG(exception))) return check_exception(worker, where);
    zend_object* exception = take_exception();
    answer();
    put_back_exception(exception);
    return check_exception(worker, where);
}

/// The arguments that a callback gets for a message: writes them, and returns how many. `payload` becomes
/// what was taken out of the message's extent, if anything was.
using ArgumentsOf = uint32_t (*)(Worker& worker, const Inbound& message, zval* arguments,
                                 zend_string*& payload);

/// For a connection that is open for long: calls what its handler has for messages of this kind, and closes
/// the connection when that throws. False when the script called exit().
bool call_with_event(Worker& worker, const Handler& handler, const Inbound& message, ArgumentsOf arguments_of,
                     const char* kind);

/// Gives back the file of a message that nobody wants.
void drop_file(const Inbound& message);
/// A message that nobody wants: gives back what it holds.
void drop_payload(Worker& worker, const Inbound& message);

/// For a connection that came by an endpoint which this boot of the script does not have any more, for a
/// request that nobody there has a handler for, or a body for whose file this process has no descriptor left.
void refuse(Worker& worker, const Inbound& message);

}  // namespace sluice::php
