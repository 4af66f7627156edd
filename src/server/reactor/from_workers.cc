#include "server/reactor/from_workers.h"

#include <bit>

#include "core/log.h"
#include "server/config/limits.h"
#include "server/reactor/answers.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/open_files.h"
#include "server/reactor/publishing.h"
#include "server/reactor/questions.h"
#include "server/reactor/serve_list.h"
#include "server/reactor/session_host.h"
#include "server/reactor/shared_message.h"
#include "server/reactor/udp_listeners.h"
#include "server/reactor/workers.h"

namespace sluice {

void FromWorkers::on_command(int worker, const Command& command, Ref<Payload> payload) {
    if (const auto* publication = command.as<command::Publish>()) {
        Ref<SharedMessage> message = to_.publishing.frame_and_publish(*publication, command.payload);
        if (publish_to_others)
            publish_to_others(std::string(publication->topic), std::move(message), publication->except);
    } else if (const auto* many = command.as<command::SendMany>()) {
        to_.publishing.send_many(*many, command.payload);
    } else if (command.is_question()) {
        to_.answers.answer(worker, command);
    } else if (command.is<command::SendDatagram>()) {
        to_.udp.send(command, std::move(payload), to_.commons.out_budget.is_full());
    } else if (Connection* connection = to_.table.find(command.connection);
               connection && connection->phase == Phase::kOpen) {
        command_connection(*connection, worker, command, std::move(payload));
    }
}

void FromWorkers::command_connection(Connection& connection, int worker, const Command& command,
                                     Ref<Payload> payload) {
    if (const auto* joining = command.as<command::Subscribe>()) {
        if (joining->request &&
            !connection.session->take_over_events(to_.host, connection, worker, joining->request))
            return;
        to_.publishing.subscribe(connection, *joining);
    } else if (const auto* leaving = command.as<command::Unsubscribe>()) {
        to_.publishing.unsubscribe(connection, *leaving);
    } else {
        if (command.file()) payload = file_payload(connection, *command.file());
        connection.session->command(to_.host, connection, worker, command, std::move(payload));
    }
    if (!command.payload.empty())
        to_.commons.cells.note_handled(
            connection.id, command.payload.size(), connection.queued_bytes(),
            to_.commons.out_budget.is_over_share(connection, command.payload.size()));
    to_.publishing.close_too_slow();
}

/// Empty when the file cannot be sent: the session tells the client.
Ref<Payload> FromWorkers::file_payload(const Connection& connection, const command::FilePart& part) {
    OpenFiles::Refusal refusal = OpenFiles::Refusal::kNoDescriptor;
    Ref<OpenFile> file;
    if (part.fd >= 0) file = to_.files.open(part.fd, connection.client_key(), refusal);
    if (refusal == OpenFiles::Refusal::kTooMany) to_.commons.figures.count_refusal("openFiles");
    if (refusal == OpenFiles::Refusal::kNoFile) {
        SLUICE_WARNING("a worker named a file that is not a regular one open for reading; it is not sent");
    } else if (refusal == OpenFiles::Refusal::kNoDescriptor && std::has_single_bit(++files_starved_)) {
        SLUICE_WARNING(
            "a file was not sent: no descriptor is left for it (raise the limit of open files); %llu so far",
            static_cast<unsigned long long>(files_starved_));
    } else if (refusal == OpenFiles::Refusal::kTooMany && std::has_single_bit(++files_refused_)) {
        SLUICE_WARNING(
            "a file was not sent: %zu are being sent already, %zu of them to its client (openFiles: "
            "%u); %llu so far",
            to_.files.count(), to_.files.count_of(connection.client_key()), to_.commons.limits.open_files,
            static_cast<unsigned long long>(files_refused_));
    }
    if (!file) return {};
    return FilePayload::create(std::move(file), part.offset, part.bytes);
}

void FromWorkers::on_finished(ConnectionId id) {
    if (to_.udp.is_mine(id)) {
        to_.udp.finished(id);
        return;
    }
    Connection* connection = to_.table.find(id);
    if (!connection || connection->in_flight == 0) return;
    to_.workers.ended_one(*connection);
    handled(*connection);
}

/// A message of this connection is no longer in flight.
void FromWorkers::handled(Connection& connection) {
    if (connection.in_flight > 0) return;
    to_.commons.census.look(connection);
    if (connection.phase == Phase::kGone) {
        to_.serve_list.schedule(connection);
    } else if (connection.stopping) {
        to_.life.stop(connection);
    } else {
        connection.session->handled(to_.host, connection);
    }
}

void FromWorkers::on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) {
    if (kind == InboundKind::kCancel || kind == InboundKind::kAnswer) return;
    if (kind == InboundKind::kDatagram) {
        SLUICE_WARNING("%s died while it handled a datagram; the datagram is lost",
                       to_.workers.name_of(worker));
        to_.udp.finished(id);
        return;
    }
    Connection* connection = to_.table.find(id);
    if (connection) to_.workers.ended_one(*connection);
    if (kind == InboundKind::kRequest) {
        if (connection && connection->session->awaited_response().request == request)
            connection->session->worker_lost(to_.host, *connection);
        return;
    }
    SLUICE_WARNING("%s died while it handled a %s of connection %llu, which is lost",
                   to_.workers.name_of(worker), name_of(kind), static_cast<unsigned long long>(id));
    if (!connection) return;
    to_.serve_list.schedule(*connection);
    handled(*connection);
}

int FromWorkers::worker_for_moved(InboundKind kind, ConnectionId id, uint32_t request) {
    if (kind == InboundKind::kDatagram) return to_.commons.transport.least_busy();
    Connection* connection = to_.table.find(id);
    if (!connection) return kNoConnectionLeft;
    return kind == InboundKind::kRequest ? move_request(*connection, request)
                                         : to_.workers.rebind(*connection);
}

int FromWorkers::move_request(Connection& connection, uint32_t request) {
    Session& session = *connection.session;
    const int from = session.worker_of(request);
    // Those in flight behind another request follow it, so that they are answered in order.
    const AwaitedResponse first = session.awaited_response();
    // A worker that has responded had begun the request, whatever it says: nobody handles it once more.
    const bool was_begun = first.request == request && session.is_responding();
    if (from == kNoWorker || was_begun) {
        to_.workers.ended_one(connection);
        if (was_begun) {
            session.worker_lost(to_.host, connection);
        } else {
            handled(connection);
        }
        return kNoConnectionLeft;
    }
    const int worker = first.request != request ? first.worker : to_.commons.transport.least_busy();
    if (worker == kNoWorker) return kNoWorker;
    to_.workers.await_response(from, -1);
    session.moved_to(to_.host, connection, request, worker);
    to_.workers.await_response(worker, +1);
    return worker;
}

void FromWorkers::on_corrupt(int worker) {
    SLUICE_ERROR("%s has written invalid records; it is cut off and will be replaced",
                 to_.workers.name_of(worker));
    if (report_corrupt) report_corrupt(worker);
}

void FromWorkers::worker_gone(int worker) {
    to_.questions.worker_gone(worker);
    // Requests whose handler has returned without a response: that would have come later.
    to_.table.for_each([&](Connection& connection) {
        for (uint32_t lost = 0; connection.phase == Phase::kOpen;) {
            const AwaitedResponse awaited = connection.session->awaited_response();
            if (awaited.worker != worker || awaited.request == lost) break;
            if (to_.commons.transport.has_orphan(connection.id, lost = awaited.request)) break;
            connection.session->worker_lost(to_.host, connection);
        }
    });
}

}  // namespace sluice
