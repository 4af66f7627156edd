// What goes from a reactor to its workers, and what they say to it.

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/log.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/reactor/reactor.h"
#include "server/reactor/reactor_tokens.h"

namespace sluice {

// -- To the workers

bool Reactor::can_deliver(Connection& connection, size_t inline_bytes) {
    if (!transport_->is_ready(connection.worker)) {
        // The old worker drains or has died. While it has messages of this connection, going on would
        // overtake them.
        if (connection.worker != kNoWorker && connection.in_flight > 0) return false;
        int worker = transport_->fewest_bound();
        if (worker == kNoWorker) return false;
        if (connection.worker != kNoWorker) transport_->unbind(connection.worker);
        connection.worker = static_cast<int16_t>(worker);
        transport_->bind(worker);
    }
    return transport_->accepts(connection.worker, inline_bytes);
}

void Reactor::deliver(Connection& connection, int worker, Inbound& message, Room room) {
    message.connection = connection.id;
    message.endpoint = connection.endpoint;
    message.secure = connection.is_secure();
    message.trusted = connection.trusted;
    ++connection.in_flight;
    ++messages_received_;
    transport_->deliver(worker, message, room);
}

bool Reactor::deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file) {
    message.connection = connection.id;
    message.endpoint = connection.endpoint;
    message.secure = connection.is_secure();
    message.trusted = connection.trusted;
    if (!transport_->deliver_file(worker, message, std::move(file))) return false;
    ++connection.in_flight;
    ++messages_received_;
    return true;
}

void Reactor::cancel_request(const Connection& connection, int worker, uint32_t request,
                             CancelReason reason) {
    if (destroying_ || worker == kNoWorker) return;
    cancellations_.push_back({worker, connection.id, connection.endpoint, request, reason});
}

void Reactor::send_cancellations() {
    std::erase_if(cancellations_, [this](const Cancellation& cancellation) {
        Inbound message;
        message.kind = InboundKind::kCancel;
        message.connection = cancellation.connection;
        message.endpoint = cancellation.endpoint;
        message.request = cancellation.request;
        message.close_code = static_cast<uint16_t>(cancellation.reason);
        return transport_->notify(cancellation.worker, message);
    });
}

// -- From the workers

void Reactor::on_finished(ConnectionId id) {
    if (udp_.is_mine(id)) {
        udp_.finished();
        return;
    }
    Connection* connection = find(id);
    if (!connection || connection->in_flight == 0) return;
    --connection->in_flight;
    handled(*connection);
}

/// A message of it is in flight no more.
void Reactor::handled(Connection& connection) {
    if (connection.in_flight > 0) return;
    if (connection.phase == Phase::kGone) {
        schedule(connection);
    } else if (connection.stopping) {
        stop_connection(connection);
    } else {
        connection.session->handled(*this, connection);
    }
}

void Reactor::on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) {
    if (kind == InboundKind::kCancel || kind == InboundKind::kAnswer) return;
    if (kind == InboundKind::kDatagram) {
        SLUICE_WARNING("%s died while it handled a datagram; it is lost",
                       names_[static_cast<size_t>(worker)].c_str());
        udp_.finished();
        return;
    }
    Connection* connection = find(id);
    if (connection && connection->in_flight > 0) --connection->in_flight;
    if (kind != InboundKind::kRequest) {
        SLUICE_WARNING("%s died while it handled a %s of connection %llu; it is lost",
                       names_[static_cast<size_t>(worker)].c_str(),
                       kind == InboundKind::kMessage ? "message"
                       : kind == InboundKind::kOpen  ? "opening"
                       : kind == InboundKind::kPong  ? "pong"
                                                     : "close",
                       static_cast<unsigned long long>(id));
        if (!connection) return;
        schedule(*connection);
        handled(*connection);
        return;
    }
    if (!connection) return;
    if (connection->session->owed_response().request == request)
        connection->session->worker_lost(*this, *connection);
}

int Reactor::worker_for_moved(InboundKind kind, ConnectionId id) {
    if (kind == InboundKind::kDatagram) return transport_->least_busy();
    Connection* connection = find(id);
    if (!connection) return kNoConnectionLeft;
    if (kind == InboundKind::kRequest) {
        int worker = transport_->least_busy();
        const OwedResponse owed = connection->session->owed_response();
        if (owed.worker == kNoWorker) return kNoConnectionLeft;
        if (worker != kNoWorker) {
            owe_response(owed.worker, -1);
            connection->session->moved_to(worker);
            owe_response(worker, +1);
        }
        return worker;
    }
    if (!transport_->is_ready(connection->worker)) {
        int worker = transport_->fewest_bound();
        if (worker == kNoWorker) return kNoWorker;
        transport_->unbind(connection->worker);
        connection->worker = static_cast<int16_t>(worker);
        transport_->bind(worker);
    }
    return connection->worker;
}

void Reactor::on_corrupt(int worker) {
    SLUICE_ERROR("%s has written invalid records; it is cut off and will be replaced",
                 names_[static_cast<size_t>(worker)].c_str());
    if (report_corrupt) report_corrupt(worker);
}

void Reactor::worker_gone(int worker) {
    questions_.worker_gone(worker);
    // Requests whose handler had returned but whose response was to come later.
    for (auto& connection : table_) {
        if (!connection || connection->phase != Phase::kOpen || connection->in_flight > 0) continue;
        if (connection->session->owed_response().worker == worker)
            connection->session->worker_lost(*this, *connection);
    }
}

namespace {
Ref<SharedMessage> shared_message(const Command& command) {
    return SharedMessage::create(command.binary ? websocket::Opcode::kBinary : websocket::Opcode::kText,
                                 command.body);
}
}  // namespace

void Reactor::send_many(const Command& command) {
    Ref<SharedMessage> message = shared_message(command);
    for (size_t at = 0; at + sizeof(ConnectionId) <= command.head.size(); at += sizeof(ConnectionId)) {
        ConnectionId id;
        memcpy(&id, command.head.data() + at, sizeof id);
        Connection* connection = find(id);
        if (!connection || connection->phase != Phase::kOpen) continue;
        connection->session->send_shared(*this, *connection, *message);
        cells().note_handled(id, command.body.size(), connection->queued_bytes());
    }
    close_too_slow();
}

void Reactor::publish(std::string_view topic, SharedMessage& message, ConnectionId except) {
    topics_.for_each_subscriber(topic, [&](Connection& connection) {
        if (connection.id == except) return;
        connection.session->send_shared(*this, connection, message);
    });
    close_too_slow();
}

void Reactor::close_too_slow() {
    if (too_slow_.empty()) return;
    std::vector<ConnectionId> closing;
    closing.swap(too_slow_);
    for (ConnectionId id : closing) {
        static constexpr std::string_view kReason = "the client does not read";
        Connection* connection = find(id);
        if (!connection || connection->phase != Phase::kOpen) continue;
        connection->set_close(websocket::close_code::kTryAgainLater, kReason);
        connection->session->close(*this, *connection, websocket::close_code::kTryAgainLater, kReason);
    }
}

void Reactor::on_command(int worker, const Command& command, Ref<Payload> payload) {
    if (command.kind == CommandKind::kPublish) {
        Ref<SharedMessage> message = shared_message(command);
        publish(command.head, *message, command.connection);
        if (publish_to_others) publish_to_others(std::string(command.head), message, command.connection);
        return;
    }
    if (command.kind == CommandKind::kSendMany) {
        send_many(command);
        return;
    }
    if (command.kind == CommandKind::kAsk) {
        answer_question(worker, command);
        return;
    }
    if (command.kind == CommandKind::kDatagram) {
        udp_.send(command, std::move(payload), commons_.out_budget.is_full());
        return;
    }
    Connection* connection = find(command.connection);
    if (!connection || connection->phase != Phase::kOpen) return;
    if (command.kind == CommandKind::kSubscribe || command.kind == CommandKind::kUnsubscribe) {
        change_subscription(*connection, command);
    } else {
        if (command.file_bytes) payload = file_payload(command);
        connection->session->command(*this, *connection, worker, command, std::move(payload));
    }
    if (!command.body.empty())
        cells().note_handled(connection->id, command.body.size(), connection->queued_bytes());
    close_too_slow();
}

/// Nothing when the file cannot be sent: the session says so to the client.
Ref<Payload> Reactor::file_payload(const Command& command) {
    OpenFiles::Refusal refusal = OpenFiles::Refusal::kTooMany;
    Ref<OpenFile> file;
    if (command.file >= 0) file = files_.open(command.file, refusal);
    if (refusal == OpenFiles::Refusal::kNoFile) {
        SLUICE_WARNING("a worker wanted to send what is no regular file open for reading; it is not sent");
    } else if (refusal == OpenFiles::Refusal::kTooMany && std::has_single_bit(++files_refused_)) {
        SLUICE_WARNING("a file was not sent: %zu are being sent already (openFiles: %u); %llu so far",
                       files_.count(), limits_.open_files, static_cast<unsigned long long>(files_refused_));
    }
    if (!file) return {};
    return FilePayload::create(std::move(file), command.file_offset, command.file_bytes);
}

}  // namespace sluice
