#include "server/reactor/answers.h"

#include <cstring>
#include <vector>

#include "parts_driver.h"

namespace sluice {
namespace {

class AnswersTest : public test::PartsTest {
  protected:
    void ask(Command::What question, ConnectionId id = kNoConnection, std::string_view payload = {}) {
        parts_->answers.answer(1, {.what = question, .connection = id, .payload = payload});
        parts_->questions.send_answers(transport_);
    }
    void subscribe(Connection& connection, std::string_view topic, bool is_prefix) {
        parts_->publishing.subscribe(connection, {topic, is_prefix});
    }
    static std::string_view bytes_of(const uint64_t& number) {
        return {reinterpret_cast<const char*>(&number), sizeof number};
    }
};

TEST_F(AnswersTest, HowManySubscribersATopicHas) {
    start();
    subscribe(connect(), "room", false);
    subscribe(connect(), "ro", true);
    ask(command::CountSubscribers{9, "room"});
    ASSERT_EQ(transport_.notified.size(), 1u);
    EXPECT_EQ(transport_.notified[0].worker, 1);
    EXPECT_EQ(transport_.notified[0].question, 9u);
    EXPECT_EQ(transport_.notified[0].payload, bytes_of(2));
}

TEST_F(AnswersTest, WhichSubscribersATopicHas) {
    start();
    std::vector<ConnectionId> ids;
    for (int i = 0; i < 5; ++i) {
        Connection& connection = connect();
        subscribe(connection, i == 2 ? "hall" : i % 2 ? "ro" : "room", i % 2);
        if (i != 2) ids.push_back(connection.id);
    }
    const auto list = [&](ConnectionId after, uint16_t most) {
        ask(command::ListSubscribers{9, "room", after, most});
        const std::string& answer = transport_.notified.back().payload;
        std::vector<ConnectionId> listed(answer.size() / sizeof(ConnectionId));
        if (!listed.empty()) memcpy(listed.data(), answer.data(), answer.size());
        return listed;
    };
    EXPECT_EQ(list(0, 10), ids);
    EXPECT_EQ(list(0, 2), std::vector<ConnectionId>(ids.begin(), ids.begin() + 2));
    EXPECT_EQ(list(ids[1], 2), std::vector<ConnectionId>(ids.begin() + 2, ids.end()));
    EXPECT_EQ(list(ids[3], 2), std::vector<ConnectionId>());
    EXPECT_EQ(list(0, 0), std::vector<ConnectionId>());
}

TEST_F(AnswersTest, WhatAConnectionHasSubscribedTo) {
    start();
    Connection& connection = connect();
    subscribe(connection, "a", false);
    subscribe(connection, "bc", true);
    ask(command::ListTopics{9}, connection.id);
    ask(command::ListTopics{9}, connection.id + 64);
    ASSERT_EQ(transport_.notified.size(), 2u);
    EXPECT_EQ(transport_.notified[0].payload, std::string("\0\1a\1\2bc", 7));
    EXPECT_EQ(transport_.notified[1].payload, "");
}

TEST_F(AnswersTest, ALongAnswerComesInParts) {
    listener_.limits.websocket.subscriptions = 1000;
    start();
    Connection& connection = connect();
    for (int i = 0; i < 300; ++i)
        subscribe(connection, std::string(200, 'x') + std::to_string(i), false);
    ask(command::ListTopics{9}, connection.id);
    ASSERT_EQ(transport_.notified.size(), 2u);
    EXPECT_TRUE(transport_.notified[0].more_follow);
    EXPECT_FALSE(transport_.notified[1].more_follow);
}

TEST_F(AnswersTest, WhenThereIsRoom) {
    start();
    Connection& connection = connect();
    connection.out.append("0123456789");
    ask(command::AwaitRoom{9, 10}, connection.id);
    EXPECT_EQ(transport_.notified.size(), 1u);
    ask(command::AwaitRoom{9, 9}, connection.id);
    EXPECT_EQ(transport_.notified.size(), 1u);
    EXPECT_TRUE(connection.awaited);
    ask(command::AwaitRoom{9, 9}, connection.id + 64);
    EXPECT_EQ(transport_.notified.size(), 2u) << "the answer for a connection that has gone comes at once";
    parts_->life.abort(connection);
    parts_->questions.send_answers(transport_);
    EXPECT_EQ(transport_.notified.size(), 3u);
}

TEST_F(AnswersTest, WhetherSomethingIsAttached) {
    start();
    Connection& connection = connect();
    const auto answer = [&] { return static_cast<AttachAnswer>(transport_.notified.back().payload.at(0)); };
    ask(command::Attach{9}, connection.id, "eve");
    ASSERT_EQ(transport_.notified.size(), 1u);
    EXPECT_EQ(answer(), AttachAnswer::kAttached);
    EXPECT_EQ(find_attached(layout_, connection.id).bytes(), 3u);
    ask(command::Attach{9}, connection.id, std::string(limits_.attached_bytes + 1, 'x'));
    EXPECT_EQ(answer(), AttachAnswer::kNoRoom);
    EXPECT_EQ(find_attached(layout_, connection.id).bytes(), 3u);
    ask(command::Attach{9}, connection.id + 64, "eve");
    EXPECT_EQ(answer(), AttachAnswer::kClosed);
    parts_->life.abort(connection);
    ask(command::Attach{9}, connection.id, "adam");
    EXPECT_EQ(answer(), AttachAnswer::kClosed);
}

}  // namespace
}  // namespace sluice
