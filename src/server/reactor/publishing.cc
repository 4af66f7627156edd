#include "server/reactor/publishing.h"

#include <bit>
#include <cstring>

#include "base/log.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/config/limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/session_host.h"
#include "server/reactor/shared_message.h"

namespace sluice {

namespace {
Ref<SharedMessage> message_of(const Command& command) {
    return SharedMessage::create(command.binary ? websocket::Opcode::kBinary : websocket::Opcode::kText,
                                 command.body);
}
}  // namespace

Ref<SharedMessage> Publishing::frame_and_publish(const Command& command) {
    Ref<SharedMessage> message = message_of(command);
    publish(command.head, *message, command.connection);
    return message;
}

void Publishing::publish(std::string_view topic, SharedMessage& message, ConnectionId except) {
    topics_.for_each_subscriber(topic, [&](Connection& connection) {
        if (connection.id != except) connection.session->send_shared(host_, connection, message);
    });
    close_too_slow();
}

void Publishing::send_many(const Command& command) {
    const Ref<SharedMessage> message = message_of(command);
    for (size_t at = 0; at + sizeof(ConnectionId) <= command.head.size(); at += sizeof(ConnectionId)) {
        ConnectionId id;
        memcpy(&id, command.head.data() + at, sizeof id);
        Connection* connection = table_.find(id);
        if (!connection || connection->phase != Phase::kOpen) continue;
        connection->session->send_shared(host_, *connection, *message);
        commons_.cells.note_handled(id, command.body.size(), connection->queued_bytes());
    }
    close_too_slow();
}

void Publishing::change_subscription(Connection& connection, const Command& command) {
    const TopicMatch match = command.binary ? TopicMatch::kPrefix : TopicMatch::kExact;
    Topics::Subscriptions* own = connection.session->subscriptions();
    if (!own || command.head.size() > kMaxTopicBytes) return;
    if (command.kind == CommandKind::kUnsubscribe) {
        topics_.unsubscribe(*own, command.head, match);
    } else if (own->all.size() < commons_.limits.subscriptions) {
        topics_.subscribe(connection, *own, command.head, match);
    } else if (std::has_single_bit(++refused_subscriptions_)) {
        SLUICE_WARNING("a subscription was refused: its connection has %zu (subscriptions: %u); %llu so far",
                       own->all.size(), commons_.limits.subscriptions,
                       static_cast<unsigned long long>(refused_subscriptions_));
    }
    commons_.cells.note_subscriptions(connection.id, own->all.size());
}

void Publishing::close_soon(const Connection& connection) {
    too_slow_.push_back(connection.id);
}

void Publishing::close_too_slow() {
    if (too_slow_.empty()) return;
    std::vector<ConnectionId> closing;
    closing.swap(too_slow_);
    for (ConnectionId id : closing) {
        static constexpr std::string_view kReason = "the client does not read";
        Connection* connection = table_.find(id);
        if (!connection || connection->phase != Phase::kOpen) continue;
        connection->set_close(websocket::close_code::kTryAgainLater, kReason);
        connection->session->close(host_, *connection, websocket::close_code::kTryAgainLater, kReason);
    }
}

}  // namespace sluice
