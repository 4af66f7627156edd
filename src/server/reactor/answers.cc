#include "server/reactor/answers.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "server/reactor/commons.h"
#include "server/reactor/connection_table.h"
#include "server/reactor/publishing.h"
#include "server/reactor/questions.h"
#include "server/seam/messages.h"

namespace sluice {

namespace {
/// A longer answer is sent in parts, each of which fits into every ring.
constexpr size_t kAnswerPartBytes = 32768;
}  // namespace

void Answers::answer(int worker, const Command& question) {
    if (const auto* subscribers = question.as<command::CountSubscribers>()) {
        count_subscribers(worker, *subscribers);
    } else if (const auto* listed = question.as<command::ListSubscribers>()) {
        list_subscribers(worker, *listed);
    } else if (const auto* topics = question.as<command::ListTopics>()) {
        list_topics(worker, question.connection, *topics);
    } else if (const auto* room = question.as<command::AwaitRoom>()) {
        await_room(worker, question.connection, *room);
    } else if (const auto* attached = question.as<command::Attach>()) {
        attach(worker, question, *attached);
    }
}

void Answers::count_subscribers(int worker, const command::CountSubscribers& asked) {
    const uint64_t count = publishing_.topics().count(asked.topic);
    char bytes[sizeof count];
    memcpy(bytes, &count, sizeof count);
    questions_.answer(worker, asked.question, {bytes, sizeof bytes});
}

void Answers::list_subscribers(int worker, const command::ListSubscribers& asked) {
    std::vector<ConnectionId> ids;
    publishing_.topics().for_each_subscriber(asked.topic, [&](const Connection& subscriber) {
        // Workers can do nothing with a stream of events that they have handed over.
        if (subscriber.id > asked.after && subscriber.session->is_conversation())
            ids.push_back(subscriber.id);
    });
    const size_t count = std::min<size_t>(ids.size(), asked.most);
    std::partial_sort(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count), ids.end());
    std::string_view rest{reinterpret_cast<const char*>(ids.data()), count * sizeof(ConnectionId)};
    for (; rest.size() > kAnswerPartBytes; rest.remove_prefix(kAnswerPartBytes))
        questions_.answer(worker, asked.question, rest.substr(0, kAnswerPartBytes), true);
    questions_.answer(worker, asked.question, rest);
}

void Answers::list_topics(int worker, ConnectionId id, const command::ListTopics& asked) {
    Connection* connection = table_.find(id);
    const Topics::Subscriptions* own = connection ? connection->session->subscriptions() : nullptr;
    std::string names;
    if (own) {
        for (const Topics::Subscription& subscription : own->all) {
            const Topics::Topic& topic = *subscription.topic;
            names += static_cast<char>(topic.match);
            names += static_cast<char>(topic.name.size());
            names += topic.name;
            if (names.size() < kAnswerPartBytes) continue;
            questions_.answer(worker, asked.question, names, true);
            names.clear();
        }
    }
    questions_.answer(worker, asked.question, names);
}

void Answers::await_room(int worker, ConnectionId id, const command::AwaitRoom& asked) {
    Connection* connection = table_.find(id);
    if (!connection || connection->phase != Phase::kOpen) {
        questions_.answer(worker, asked.question, {});
        return;
    }
    questions_.await_room(connection->id, {worker, asked.question, asked.most_bytes});
    connection->awaited = true;
    questions_.answer_about_room(*connection);
}

void Answers::attach(int worker, const Command& question, const command::Attach& asked) {
    const Connection* connection = table_.find(question.connection);
    AttachAnswer answer = AttachAnswer::kClosed;
    if (connection && connection->phase == Phase::kOpen) {
        const bool done =
            commons_.attachments.attach(connection->id, connection->client_key(), question.payload);
        answer = done ? AttachAnswer::kAttached : AttachAnswer::kNoRoom;
    }
    const char byte = static_cast<char>(answer);
    questions_.answer(worker, asked.question, {&byte, 1});
}

}  // namespace sluice
