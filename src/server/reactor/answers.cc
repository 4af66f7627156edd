#include "server/reactor/answers.h"

#include <cstring>
#include <string>

#include "server/reactor/connection_table.h"
#include "server/reactor/publishing.h"
#include "server/reactor/questions.h"
#include "server/seam/messages.h"

namespace sluice {

namespace {
/// A longer answer goes in parts, so that each fits into every ring.
constexpr size_t kAnswerPartBytes = 32768;

uint32_t number_of(const Command& command) {
    return static_cast<uint32_t>(command.length);
}
}  // namespace

void Answers::answer(int worker, const Command& command) {
    switch (static_cast<Question>(command.code)) {
        case Question::kSubscribers: count_subscribers(worker, command); break;
        case Question::kTopics: tell_topics(worker, command); break;
        case Question::kRoom: await_room(worker, command); break;
    }
}

void Answers::count_subscribers(int worker, const Command& command) {
    const uint64_t count = publishing_.topics().count(command.head);
    char bytes[sizeof count];
    memcpy(bytes, &count, sizeof count);
    questions_.answer(worker, number_of(command), {bytes, sizeof bytes});
}

void Answers::tell_topics(int worker, const Command& command) {
    Connection* connection = table_.find(command.connection);
    const Topics::Subscriptions* own = connection ? connection->session->subscriptions() : nullptr;
    std::string names;
    if (own) {
        for (const Topics::Subscription& subscription : own->all) {
            const Topics::Topic& topic = *subscription.topic;
            names += static_cast<char>(topic.match);
            names += static_cast<char>(topic.name.size());
            names += topic.name;
            if (names.size() < kAnswerPartBytes) continue;
            questions_.answer(worker, number_of(command), names, true);
            names.clear();
        }
    }
    questions_.answer(worker, number_of(command), names);
}

void Answers::await_room(int worker, const Command& command) {
    Questions::Room room{worker, number_of(command), 0};
    if (command.head.size() != sizeof room.most_bytes) return;
    memcpy(&room.most_bytes, command.head.data(), sizeof room.most_bytes);
    Connection* connection = table_.find(command.connection);
    if (!connection || connection->phase != Phase::kOpen) {
        questions_.answer(worker, room.number, {});
        return;
    }
    questions_.await_room(connection->id, room);
    connection->awaited = true;
    questions_.answer_about_room(*connection);
}

}  // namespace sluice
