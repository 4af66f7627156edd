#include "server/reactor/workers.h"

#include <algorithm>

#include "server/reactor/admission.h"
#include "server/reactor/connection.h"
#include "server/reactor/serve_list.h"

namespace sluice {

namespace {
/// Messages of one connection that may be in flight: an eighth of a worker's places, within these bounds.
/// Fewer would make a flood of small messages slower, which come some hundreds at a time.
constexpr size_t kLeastOfConnection = 16, kMostOfConnection = 1024, kPartOfConnection = 8;
}  // namespace

Workers::Workers(Transport& transport, ServeList& serve_list, Admission& admission, size_t slots,
                 size_t places)
    : transport_(transport),
      serve_list_(serve_list),
      admission_(admission),
      most_of_connection_(static_cast<uint32_t>(
          std::clamp(places / kPartOfConnection, kLeastOfConnection, kMostOfConnection))),
      throttled_(slots),
      awaited_(slots),
      names_(slots, "a worker") {}

void Workers::bind(Connection& connection, int worker) {
    unbind(connection);
    connection.worker = static_cast<int16_t>(worker);
    transport_.bind(worker);
}

void Workers::unbind(Connection& connection) {
    let_go(connection);
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
    connection.awaits = Resource::kItsWorker;
    if (!transport_.is_ready(connection.worker)) {
        // The old worker drains or has died. While it has messages of this connection, another worker would
        // overtake them.
        if (connection.worker != kNoWorker && connection.in_flight > 0) return false;
        if (rebind(connection) == kNoWorker) return false;
    }
    if (connection.in_flight >= most_of_connection_) {
        if (!connection.throttled) {
            connection.throttled = true;
            ++throttled_[static_cast<size_t>(connection.worker)];
            ++all_throttled_;
        }
        return false;
    }
    return admission_.takes_message(connection, inline_bytes);
}

void Workers::ended_one(Connection& connection) {
    if (connection.in_flight > 0) --connection.in_flight;
    if (connection.in_flight < most_of_connection_) let_go(connection);
}

void Workers::let_go(Connection& connection) {
    if (!connection.throttled) return;
    --throttled_[static_cast<size_t>(connection.worker)];
    --all_throttled_;
    connection.throttled = false;
    connection.waiting = false;
    serve_list_.schedule(connection);
}

void Workers::await_progress() {
    if (all_throttled_ == 0) return;
    for (size_t worker = 0; worker < throttled_.size(); ++worker)
        if (throttled_[worker]) transport_.await_progress(static_cast<int>(worker));
}

void Workers::stamp(const Connection& connection, Inbound& message) {
    message.connection = connection.id;
    if (message.endpoint == kEndpointOfConnection) message.endpoint = connection.endpoint;
    message.secure = connection.is_secure();
    message.trusted = connection.trusted;
    message.client = connection.client_key();
}

void Workers::deliver(Connection& connection, int worker, Inbound& message, Room room) {
    stamp(connection, message);
    admission_.begins(connection, message.payload.size());
    ++connection.in_flight;
    ++messages_delivered_;
    transport_.deliver(worker, message, room);
}

bool Workers::deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file) {
    stamp(connection, message);
    if (!transport_.deliver_file(worker, message, std::move(file))) return false;
    admission_.begins(connection, message.payload.size());
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
