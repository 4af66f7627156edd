#include "server/topics.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "server/connection.h"

namespace sluice {
namespace {

struct Subscriber {
    explicit Subscriber(uint64_t serial) : connection(make_connection_id(0, serial), UniqueFd(), 0) {}
    Connection connection;
    Topics::Subscriptions own;
};

std::multiset<ConnectionId> who(const Topics& topics, std::string_view name) {
    std::multiset<ConnectionId> ids;
    if (const auto* subscribers = topics.subscribers(name)) {
        for (const Connection* connection : *subscribers)
            ids.insert(connection->id);
    }
    return ids;
}

TEST(Topics, OnceEach) {
    Topics topics;
    Subscriber a(1), b(2);
    EXPECT_EQ(topics.subscribers("news"), nullptr);
    EXPECT_TRUE(topics.subscribe(a.connection, a.own, "news"));
    EXPECT_FALSE(topics.subscribe(a.connection, a.own, "news"));
    EXPECT_TRUE(topics.subscribe(b.connection, b.own, "news"));
    EXPECT_TRUE(topics.subscribe(b.connection, b.own, ""));
    EXPECT_EQ(who(topics, "news"), (std::multiset<ConnectionId>{1, 2}));
    EXPECT_EQ(who(topics, ""), (std::multiset<ConnectionId>{2}));
    EXPECT_TRUE(topics.unsubscribe(a.own, "news"));
    EXPECT_FALSE(topics.unsubscribe(a.own, "news"));
    EXPECT_FALSE(topics.unsubscribe(a.own, "other"));
    EXPECT_EQ(who(topics, "news"), (std::multiset<ConnectionId>{2}));
    topics.unsubscribe_all(b.own);
    EXPECT_EQ(topics.subscribers("news"), nullptr) << "a topic without subscribers is kept";
    EXPECT_TRUE(b.own.empty());
}

TEST(Topics, AgreesWithAModel) {
    std::mt19937 random(1);
    Topics topics;
    std::vector<std::unique_ptr<Subscriber>> everybody;
    for (uint64_t i = 0; i < 20; ++i)
        everybody.push_back(std::make_unique<Subscriber>(i + 1));
    std::map<std::string, std::multiset<ConnectionId>> model;
    for (int step = 0; step < 20'000; ++step) {
        Subscriber& one = *everybody[random() % everybody.size()];
        const std::string name = "topic " + std::to_string(random() % 8);
        auto& ids = model[name];
        const bool is_in = ids.contains(one.connection.id);
        if (random() % 64 == 0) {
            topics.unsubscribe_all(one.own);
            for (auto& [topic, subscribers] : model)
                subscribers.erase(one.connection.id);
        } else if (random() % 2) {
            ASSERT_EQ(topics.subscribe(one.connection, one.own, name), !is_in);
            if (!is_in) ids.insert(one.connection.id);
        } else {
            ASSERT_EQ(topics.unsubscribe(one.own, name), is_in);
            ids.erase(one.connection.id);
        }
        ASSERT_EQ(who(topics, name), ids);
        ASSERT_EQ(topics.subscribers(name) == nullptr, ids.empty());
    }
    for (auto& one : everybody)
        topics.unsubscribe_all(one->own);
    for (auto& [topic, subscribers] : model)
        EXPECT_EQ(topics.subscribers(topic), nullptr);
}

}  // namespace
}  // namespace sluice
