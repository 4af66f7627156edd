#include "server/reactor/workers.h"

#include "server/reactor/connection.h"

namespace sluice {

void Workers::bind(Connection& connection, int worker) {
    unbind(connection);
    connection.worker = static_cast<int16_t>(worker);
    transport_.bind(worker);
}

void Workers::unbind(Connection& connection) {
    if (connection.worker != kNoWorker) transport_.unbind(connection.worker);
    connection.worker = kNoWorker;
}

int Workers::rebind(Connection& connection) {
    if (!transport_.is_ready(connection.worker)) {
        const int worker = transport_.fewest_bound();
        if (worker == kNoWorker) return kNoWorker;
        bind(connection, worker);
    }
    return connection.worker;
}

bool Workers::can_deliver(Connection& connection, size_t inline_bytes) {
    if (!transport_.is_ready(connection.worker)) {
        // The old worker drains or has died. While it has messages of this connection, another worker would
        // overtake them.
        if (connection.worker != kNoWorker && connection.in_flight > 0) return false;
        if (rebind(connection) == kNoWorker) return false;
    }
    return transport_.accepts(connection.worker, inline_bytes);
}

void Workers::stamp(const Connection& connection, Inbound& message) {
    message.connection = connection.id;
    if (message.endpoint == kEndpointOfConnection) message.endpoint = connection.endpoint;
    message.secure = connection.is_secure();
    message.trusted = connection.trusted;
    if (auto* request = std::get_if<inbound::Request>(&message.what)) request->ahead = connection.runs_ahead;
}

void Workers::deliver(Connection& connection, int worker, Inbound& message, Room room) {
    stamp(connection, message);
    ++connection.in_flight;
    ++messages_delivered_;
    transport_.deliver(worker, message, room);
}

bool Workers::deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file) {
    stamp(connection, message);
    if (!transport_.deliver_file(worker, message, std::move(file))) return false;
    ++connection.in_flight;
    ++messages_delivered_;
    return true;
}

void Workers::cancel_request(const Connection& connection, int worker, uint32_t request,
                             CancelReason reason) {
    if (worker == kNoWorker) return;
    cancellations_.push_back({worker, connection.id, connection.endpoint, request, reason});
}

void Workers::send_cancellations() {
    std::erase_if(cancellations_, [this](const Cancellation& cancellation) {
        Inbound message;
        message.what = inbound::Cancellation{cancellation.request, cancellation.reason};
        message.connection = cancellation.connection;
        message.endpoint = cancellation.endpoint;
        return transport_.notify(cancellation.worker, message);
    });
}

}  // namespace sluice
