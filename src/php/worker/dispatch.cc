#include "php/worker/dispatch.h"

#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/isolation.h"
#include "php/worker/handler_calls.h"
#include "php/worker/leak_watch.h"

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
    MessageSource& source;
    Inbound message = {};
    Handling* handling = nullptr;  ///< of the message, until it has ended
};

/// Matches a request anew whose endpoint this boot does not have: it was matched before a reload, and its
/// worker died before it began. Returns the index of its handler; -1: it was answered.
int match_anew(Worker& worker, Inbound& message) {
    const auto* request = message.as<inbound::Request>();
    const int endpoint = request ? worker.port->match_anew(message.endpoint, request->head).endpoint : -1;
    if (endpoint >= 0) {
        message.endpoint = static_cast<uint16_t>(endpoint);
        return worker.endpoint_index(message.endpoint);
    }
    refuse(worker, message);
    return -1;
}

/// False when the handler called exit().
bool handle_one(Worker& worker, const ServerSetup& setup, Handling& handling) {
    Inbound& message = handling.message;
    int index = worker.endpoint_index(message.endpoint);
    if (index < 0) index = match_anew(worker, message);
    ++worker.handled;
    bool goes_on = true;
    if (index >= 0) {
        const EndpointSpec& spec = setup.config.endpoints[static_cast<size_t>(index)];
        const Handler& handler = setup.handlers[static_cast<size_t>(index)];
        if (UNEXPECTED(worker.leak_watch)) worker.leak_watch->begins(message, spec.address);
        Isolation* const outer = begin_isolation();
        begin_apart();
        goes_on = functions[static_cast<size_t>(spec.kind)](worker, {spec, handler}, handling);
        end_output_of_handler();
        end_isolation(outer);
        // An exception of a destructor, or of an output buffer's callback.
        if (goes_on) goes_on = check_exception(worker, "what a handler has left behind");
        // Before the next message of its connection.
        end_apart(worker, callback_for(handler, message));
    }
    if (goes_on) worker.port->finished(message);
    return goes_on;
}

/// The next message that came from the connection while its handler waited; false when there is none, and
/// the connection waits no more.
bool take_waiting(Worker& worker, Handling& handling) {
    Inbound& message = handling.message;
    if (!worker.waiting.take(message.connection, message)) return false;
    handling.periods = 0;
    worker.port->begins(message);
    scheduler()->begin_another(*current_coroutine());
    return true;
}

Dispatching& dispatching_of(const void* argument) {
    return *static_cast<Dispatching*>(const_cast<void*>(argument));
}

/// Resumes handlers that wait for this notice.
void take_notice(Worker& worker, const Inbound& message) {
    if (const auto* cancellation = message.as<inbound::Cancellation>()) {
        worker.handlings.cancel(message.connection, *cancellation);
    } else if (const auto* answer = message.as<inbound::Answer>()) {
        worker.questions.answer(*answer, message.payload);
    }
    worker.port->finished(message);
}

/// Requests of a pipeline are handled one after the other, each when the response before it is complete.
bool is_pipelined(const Inbound& message) {
    const auto* request = message.as<inbound::Request>();
    return request && request->pipelined;
}

/// Whether the message is a request that nobody awaits any more, and whose work is not wanted for itself.
bool is_left_alone(const Dispatching& dispatching) {
    const Inbound& message = dispatching.message;
    if (!message.is<inbound::Request>() || dispatching.worker.port->is_open(message.connection)) return false;
    const int index = dispatching.worker.endpoint_index(message.endpoint);
    return index >= 0 && dispatching.setup.config.endpoints[static_cast<size_t>(index)].cancel_on_disconnect;
}

bool finish_if_left_alone(const Dispatching& dispatching) {
    if (EXPECTED(!is_left_alone(dispatching))) return false;
    drop_payload(dispatching.worker, dispatching.message);
    dispatching.worker.port->finished(dispatching.message);
    return true;
}

/// Takes messages until one can be handled now; false when there are no more.
bool take_another(const void* argument) {
    Dispatching& dispatching = dispatching_of(argument);
    Worker& worker = dispatching.worker;
    const Inbound& message = dispatching.message;
    while (UNEXPECTED(worker.pipelines.has_ready()) && dispatching.source.may_handle()) {
        dispatching.message = worker.pipelines.take();
        worker.port->begins(message);
        if (!finish_if_left_alone(dispatching)) return true;
        worker.pipelines.end(message.connection);
    }
    while (dispatching.source.take(dispatching.message)) {
        if (message.is_notice()) {
            take_notice(worker, message);
            continue;
        }
        if (UNEXPECTED(finish_if_left_alone(dispatching))) continue;
        Inbound* const waiting = comes_in_order(message) ? worker.waiting.add(message)
                                 : is_pipelined(message) ? worker.pipelines.add(message)
                                                         : nullptr;
        if (!waiting) return true;
        worker.port->park(*waiting);
    }
    return false;
}

void handle(const void* argument) {
    Dispatching& dispatching = dispatching_of(argument);
    Worker& worker = dispatching.worker;
    const ServerSetup& setup = dispatching.setup;
    Handling handling{dispatching.message};
    handling.coroutine = current_coroutine();
    dispatching.handling = &handling;
    const bool is_ordered = comes_in_order(handling.message);
    bool goes_on;
    do
        goes_on = handle_one(worker, setup, handling);
    while (goes_on && handling.waited && is_ordered && !worker.forked && take_waiting(worker, handling));
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

bool dispatch(Worker& worker, const ServerSetup& setup, MessageSource& source) {
    Dispatching dispatching{worker, setup, source};
    const Inbound& message = dispatching.message;
    while (take_another(&dispatching)) {
        run_handler(handle, &dispatching, take_another);
        if (dispatching.handling) {
            dispatching.handling->waited = true;
            worker.port->waits(message);
            worker.handlings.add(*dispatching.handling);
            if (!EG(exception) && comes_in_order(message)) worker.waiting.begin(message.connection);
            dispatching.handling = nullptr;
        }
        if (EG(exception)) return false;
    }
    return true;
}

}  // namespace sluice::php
