#include "php/worker/dispatch.h"

#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/handler_calls.h"

namespace sluice::php {

namespace {

DispatchFunction functions[4];  ///< by EndpointKind

/// Messages of a connection are handled one after the other; requests and datagrams as they come.
bool comes_in_order(const Inbound& message) {
    return !message.is<inbound::Request>() && !message.is<inbound::Datagram>();
}

struct Dispatching {
    Worker& worker;
    const ServerSetup& setup;
    const Inbound& message;
    Handling* handling;  ///< nullptr once it has ended
};

/// False when the handler called exit().
bool handle_one(Worker& worker, const ServerSetup& setup, Handling& handling) {
    const Inbound& message = handling.message;
    const int index = worker.endpoint_index(message.endpoint);
    bool goes_on = true;
    if (index >= 0) {
        const EndpointSpec& spec = setup.config.endpoints[static_cast<size_t>(index)];
        const Handler& handler = setup.handlers[static_cast<size_t>(index)];
        goes_on = functions[static_cast<size_t>(spec.kind)](worker, {spec, handler}, handling);
    } else {
        refuse(worker, message);
    }
    if (goes_on) worker.port->finished(message);
    return goes_on;
}

/// The next message that came from the connection while its handler waited; false when there is none, and
/// the connection waits no more.
bool take_waiting(Worker& worker, Inbound& message) {
    if (!worker.waiting.take(message.connection, message)) return false;
    worker.port->begins(message);
    return true;
}

void handle(const void* argument) {
    Dispatching& dispatching = *static_cast<Dispatching*>(const_cast<void*>(argument));
    Worker& worker = dispatching.worker;
    const ServerSetup& setup = dispatching.setup;
    Handling handling{dispatching.message};
    handling.coroutine = current_coroutine();
    dispatching.handling = &handling;
    const bool is_ordered = comes_in_order(handling.message);
    bool goes_on;
    do
        goes_on = handle_one(worker, setup, handling);
    while (goes_on && handling.waited && is_ordered && take_waiting(worker, handling.message));
    if (handling.waited) {
        worker.handlings.remove(handling);
    } else {
        dispatching.handling = nullptr;
    }
}

}  // namespace

void dispatch_by(EndpointKind kind, DispatchFunction function) {
    functions[static_cast<size_t>(kind)] = function;
}

bool dispatch(Worker& worker, const ServerSetup& setup, const Inbound& message) {
    if (message.is_notice()) {
        if (const auto* cancellation = message.as<inbound::Cancellation>()) {
            worker.handlings.cancel(message.connection, *cancellation);
        } else if (const auto* answer = message.as<inbound::Answer>()) {
            worker.questions.answer(*answer, message.payload);
        }
        worker.port->finished(message);
        return true;
    }
    const bool is_ordered = comes_in_order(message);
    if (Inbound* const waiting = is_ordered ? worker.waiting.add(message) : nullptr) {
        worker.port->set_aside(*waiting);
        return true;
    }
    Dispatching dispatching{worker, setup, message, nullptr};
    run_handler(handle, &dispatching);
    if (dispatching.handling) {
        dispatching.handling->waited = true;
        worker.port->waits(message);
        worker.handlings.add(*dispatching.handling);
        if (is_ordered && !EG(exception)) worker.waiting.begin(message.connection);
    }
    return !EG(exception);
}

}  // namespace sluice::php
