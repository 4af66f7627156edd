#include "server/reactor/publishing.h"

#include <bit>

#include "core/log.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/config/limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/session_host.h"
#include "server/reactor/shared_message.h"

namespace sluice {

namespace {
Ref<SharedMessage> framed(bool binary, std::string_view message) {
    return SharedMessage::create(binary ? websocket::Opcode::kBinary : websocket::Opcode::kText, message);
}

TopicMatch match_of(bool is_prefix) {
    return is_prefix ? TopicMatch::kPrefix : TopicMatch::kExact;
}
}  // namespace

Ref<SharedMessage> Publishing::frame_and_publish(const command::Publish& publication,
                                                 std::string_view message) {
    Ref<SharedMessage> shared = framed(publication.binary, message);
    publish(publication.topic, *shared, publication.except);
    return shared;
}

void Publishing::publish(std::string_view topic, SharedMessage& message, ConnectionId except) {
    topics_.for_each_subscriber(topic, [&](Connection& connection) {
        if (connection.id != except) connection.session->send_shared(host_, connection, message);
    });
    close_too_slow();
}

void Publishing::send_many(const command::SendMany& many, std::string_view message) {
    const Ref<SharedMessage> shared = framed(many.binary, message);
    for (const ConnectionId id : many.connections) {
        Connection* connection = table_.find(id);
        if (!connection || connection->phase != Phase::kOpen) continue;
        connection->session->send_shared(host_, *connection, *shared);
        commons_.cells.note_handled(id, message.size(), connection->queued_bytes(),
                                    commons_.out_budget.is_over_share(*connection, message.size()));
    }
    close_too_slow();
}

uint32_t Publishing::most_of(const Connection& connection) const {
    return (*commons_.endpoints)[connection.endpoint].spec.limits.websocket.subscriptions;
}

void Publishing::subscribe(Connection& connection, const command::Subscribe& wish) {
    Topics::Subscriptions* own = connection.session->subscriptions();
    if (!own || wish.topic.size() > kMaxTopicBytes) return;
    const TopicMatch match = match_of(wish.is_prefix);
    if (own->all.size() < most_of(connection) &&
        topics_.has_room(connection.client_key(), wish.topic, match)) {
        topics_.subscribe(connection, *own, wish.topic, match, connection.client_key());
    } else {
        refuse(connection, own->all.size());
    }
    if (topics_.has_room(connection.client_key())) {
        commons_.cells.note_subscriptions(connection.id, own->all.size());
    } else if (!own->is_without_room) {
        own->is_without_room = true;
        commons_.cells.note_subscriptions(connection.id, SIZE_MAX);
        without_room_.push_back(connection.id);
    }
}

void Publishing::refuse(const Connection& connection, size_t own) {
    if (!std::has_single_bit(++refused_subscriptions_)) return;
    SLUICE_WARNING(
        "a subscription was refused: its connection has %zu (subscriptions: %u), its client takes %llu bytes "
        "and all take %llu (of subscriptionBytes %llu for this reactor); %llu so far",
        own, most_of(connection),
        static_cast<unsigned long long>(topics_.budget().used_by(connection.client_key())),
        static_cast<unsigned long long>(topics_.budget().used()),
        static_cast<unsigned long long>(topics_.budget().rule().most),
        static_cast<unsigned long long>(refused_subscriptions_));
}

/// Memory of subscriptions has been freed: refused connections count as having room again. One that still
/// finds too little is refused anew.
void Publishing::tell_of_room() {
    for (const ConnectionId id : without_room_) {
        Connection* connection = table_.find(id);
        Topics::Subscriptions* own = connection ? connection->session->subscriptions() : nullptr;
        if (!own) continue;
        own->is_without_room = false;
        commons_.cells.note_subscriptions(id, own->all.size());
    }
    without_room_.clear();
}

void Publishing::unsubscribe_all(Topics::Subscriptions& subscriptions) {
    if (subscriptions.all.empty() && !subscriptions.is_without_room) return;
    topics_.unsubscribe_all(subscriptions);
    tell_of_room();
}

void Publishing::unsubscribe(Connection& connection, const command::Unsubscribe& wish) {
    Topics::Subscriptions* own = connection.session->subscriptions();
    if (!own || wish.topic.size() > kMaxTopicBytes) return;
    if (topics_.unsubscribe(*own, wish.topic, match_of(wish.is_prefix))) tell_of_room();
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
