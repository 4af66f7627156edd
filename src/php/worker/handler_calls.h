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
    ConnectionEvent(const char* kind, const Inbound& message)
        : kind_(kind), connection_(message.connection), client_(message.client) {}
    Sentence name() const override;
    uint64_t client() const override { return client_; }
    uint64_t connection() const override { return connection_; }

  private:
    const char* kind_;
    ConnectionId connection_;
    uint64_t client_;
};

/// Charges what handlers run to those whom they run for (SharedLayout::flow_costs()): as they end, and here
/// as their coroutines suspend.
void charge_for_what_runs();
/// Calls `note` in coroutines that work for a request, when they were suspended from `since_us` to `now_us`.
void note_waits_by(void (*note)(Coroutine& self, uint64_t since_us, uint64_t now_us));

/// Calls the handler and counts it while it runs; a fatal error leaves it counted.
void call_handler(Worker& worker, const Occasion& occasion, const Callback& callback, uint32_t count,
                  zval* arguments);
/// call_handler() in the scope that is current.
void call_handler_in_scope(Worker& worker, const Occasion& occasion, const Callback& callback, uint32_t count,
                           zval* arguments);
/// The running handler's occasion; nullptr when none runs.
const Occasion* current_occasion();
/// The client that the running code works for; 0: none. See Occasion::client().
uint64_t current_client();

/// After a call of `where` ("an HTTP handler"): logs its exception. False when the script called exit().
bool check_exception(Worker& worker, const char* where);

/// As check_exception(), when a client must be answered: `answer` does that first, as observers of the
/// exception may wait.
template <typename Answer>
bool check_failure(Worker& worker, const char* where, Answer answer) {
    if (is_exit(EG(exception))) return check_exception(worker, where);
    zend_object* exception = take_exception();
    answer();
    put_back_exception(exception);
    return check_exception(worker, where);
}

/// Ends the output buffers that a handler, a timer or another call of the worker's has left open: they would
/// be the next one's. An exception of a callback may be set afterwards.
void end_output_of_handler();
/// Around a handler or a timer: what it leaves in its process and would be the next one's is dropped - open
/// transactions, $_SESSION, what was read of the last file. `callback`: what was called.
void begin_apart();
void end_apart(const Worker& worker, const Callback& callback);
/// What a message calls.
const Callback& callback_for(const Handler& handler, const Inbound& message);

/// The arguments that a callback gets for a message: writes them, and returns how many. `payload` becomes
/// what was taken out of the message's extent, if anything was.
using ArgumentsOf = uint32_t (*)(Worker& worker, const Inbound& message, zval* arguments,
                                 zend_string*& payload);

/// For WebSockets and TCP: calls the handler's callback for this kind of message, and closes the connection
/// when it throws. False when the script called exit().
bool call_with_event(Worker& worker, const Handler& handler, const Inbound& message, ArgumentsOf arguments_of,
                     const char* kind);

/// Gives back the file of a message that is not handled.
void drop_file(const Inbound& message);
/// Gives back what a message holds that is not handled.
void drop_payload(Worker& worker, const Inbound& message);

/// Refuses a message: this boot does not have its endpoint any more, or no handler for the request, or the
/// process has no descriptor left for its body's file.
void refuse(Worker& worker, const Inbound& message);

}  // namespace sluice::php
