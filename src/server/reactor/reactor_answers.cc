// What workers ask a reactor: who has subscribed to what, and when there is room for more.

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/log.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
/// A longer answer goes in parts, so that each fits into every ring.
constexpr size_t kAnswerPartBytes = 32768;
}  // namespace

void Reactor::change_subscription(Connection& connection, const Command& command) {
    const TopicMatch match = command.binary ? TopicMatch::kPrefix : TopicMatch::kExact;
    Topics::Subscriptions* own = connection.session->subscriptions();
    if (!own || command.head.size() > kMaxTopicBytes) return;
    if (command.kind == CommandKind::kUnsubscribe) {
        topics_.unsubscribe(*own, command.head, match);
    } else if (own->all.size() < limits_.subscriptions) {
        topics_.subscribe(connection, *own, command.head, match);
    } else if (std::has_single_bit(++refused_subscriptions_)) {
        SLUICE_WARNING("a subscription was refused: its connection has %zu (subscriptions: %u); %llu so far",
                       own->all.size(), limits_.subscriptions,
                       static_cast<unsigned long long>(refused_subscriptions_));
    }
    cells().note_subscriptions(connection.id, own->all.size());
}

void Reactor::tell_topics(int worker, uint32_t number, Connection* connection) {
    const Topics::Subscriptions* own = connection ? connection->session->subscriptions() : nullptr;
    std::string names;
    if (own) {
        for (const Topics::Subscription& subscription : own->all) {
            const Topics::Topic& topic = *subscription.topic;
            names += static_cast<char>(topic.match);
            names += static_cast<char>(topic.name.size());
            names += topic.name;
            if (names.size() < kAnswerPartBytes) continue;
            questions_.answer(worker, number, names, true);
            names.clear();
        }
    }
    questions_.answer(worker, number, names);
}

void Reactor::answer_question(int worker, const Command& command) {
    const uint32_t number = static_cast<uint32_t>(command.length);
    switch (static_cast<Question>(command.code)) {
        case Question::kSubscribers: {
            const uint64_t count = topics_.count(command.head);
            char bytes[sizeof count];
            memcpy(bytes, &count, sizeof count);
            questions_.answer(worker, number, {bytes, sizeof bytes});
            break;
        }
        case Question::kTopics: tell_topics(worker, number, find(command.connection)); break;
        case Question::kRoom: {
            Questions::Room room{worker, number, 0};
            if (command.head.size() != sizeof room.most_bytes) return;
            memcpy(&room.most_bytes, command.head.data(), sizeof room.most_bytes);
            Connection* connection = find(command.connection);
            if (!connection || connection->phase != Phase::kOpen) {
                questions_.answer(worker, number, {});
                return;
            }
            questions_.await_room(connection->id, room);
            connection->awaited = true;
            answer_about_room(*connection);
            break;
        }
    }
}

void Reactor::answer_about_room(Connection& connection) {
    if (!connection.awaited) return;
    const size_t queued = connection.phase == Phase::kOpen ? connection.queued_bytes() : 0;
    connection.awaited = questions_.answer_about_room(connection.id, queued);
}

}  // namespace sluice
