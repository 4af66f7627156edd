#include "server/reactor/topics.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "server/reactor/connection.h"

namespace sluice {
namespace {

using Match = Topics::Match;
using Ids = std::multiset<ConnectionId>;

struct Subscriber {
    explicit Subscriber(uint64_t serial) : connection(make_connection_id(0, serial), UniqueFd(), 0) {}
    Connection connection;
    Topics::Subscriptions own;
};

Ids who(Topics& topics, std::string_view name) {
    Ids ids;
    topics.for_each_subscriber(name, [&](Connection& connection) { ids.insert(connection.id); });
    EXPECT_EQ(topics.count(name), ids.size());
    return ids;
}

TEST(Topics, OnceEach) {
    Topics topics;
    Subscriber a(1), b(2);
    EXPECT_EQ(who(topics, "news"), Ids{});
    EXPECT_TRUE(topics.subscribe(a.connection, a.own, "news", Match::kExact));
    EXPECT_FALSE(topics.subscribe(a.connection, a.own, "news", Match::kExact));
    EXPECT_TRUE(topics.subscribe(b.connection, b.own, "news", Match::kExact));
    EXPECT_TRUE(topics.subscribe(b.connection, b.own, "", Match::kExact));
    EXPECT_EQ(who(topics, "news"), (Ids{1, 2}));
    EXPECT_EQ(who(topics, ""), (Ids{2}));
    EXPECT_EQ(topics.size(), 2u);
    EXPECT_EQ(topics.subscriptions(), 3u);
    EXPECT_TRUE(topics.unsubscribe(a.own, "news", Match::kExact));
    EXPECT_FALSE(topics.unsubscribe(a.own, "news", Match::kExact));
    EXPECT_FALSE(topics.unsubscribe(a.own, "other", Match::kExact));
    EXPECT_EQ(who(topics, "news"), (Ids{2}));
    topics.unsubscribe_all(b.own);
    EXPECT_EQ(who(topics, "news"), Ids{});
    EXPECT_TRUE(b.own.all.empty());
    EXPECT_EQ(topics.size(), 0u);
    EXPECT_EQ(topics.subscriptions(), 0u);
}

TEST(Topics, PrefixesMatchWhatBeginsSo) {
    Topics topics;
    Subscriber a(1), b(2), c(3);
    topics.subscribe(a.connection, a.own, "room/", Match::kPrefix);
    topics.subscribe(b.connection, b.own, "", Match::kPrefix);
    topics.subscribe(c.connection, c.own, "room/1", Match::kExact);
    EXPECT_EQ(who(topics, "room/1"), (Ids{1, 2, 3}));
    EXPECT_EQ(who(topics, "room/"), (Ids{1, 2})) << "a prefix is a beginning of itself";
    EXPECT_EQ(who(topics, "room"), (Ids{2}));
    EXPECT_EQ(who(topics, "room/12"), (Ids{1, 2})) << "an exact name is no prefix";
    EXPECT_TRUE(topics.subscribe(a.connection, a.own, "room/", Match::kExact))
        << "a prefix and an exact name are two subscriptions";
    EXPECT_TRUE(topics.unsubscribe(a.own, "room/", Match::kPrefix));
    EXPECT_EQ(who(topics, "room/"), (Ids{1, 2}));
    EXPECT_EQ(who(topics, "room/1"), (Ids{2, 3}));
    for (Subscriber* one : {&a, &b, &c})
        topics.unsubscribe_all(one->own);
    EXPECT_EQ(who(topics, "room/1"), Ids{});
}

TEST(Topics, ReachesWhoMatchesInSeveralWaysOnce) {
    Topics topics;
    Subscriber a(1), b(2);
    for (const char* prefix : {"", "a", "ab", "abc"})
        topics.subscribe(a.connection, a.own, prefix, Match::kPrefix);
    topics.subscribe(a.connection, a.own, "abc", Match::kExact);
    topics.subscribe(b.connection, b.own, "ab", Match::kPrefix);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(who(topics, "abc"), (Ids{1, 2}));
    topics.unsubscribe_all(a.own);
    topics.unsubscribe_all(b.own);
}

TEST(Topics, TheLongestNameAndPrefix) {
    Topics topics;
    Subscriber a(1);
    const std::string longest(kMaxTopicBytes, 'x');
    for (size_t size = 0; size <= longest.size(); ++size)
        EXPECT_TRUE(topics.subscribe(a.connection, a.own, longest.substr(0, size), Match::kPrefix));
    EXPECT_TRUE(topics.subscribe(a.connection, a.own, longest, Match::kExact));
    EXPECT_EQ(who(topics, longest), (Ids{1}));
    topics.unsubscribe_all(a.own);
    EXPECT_EQ(who(topics, longest), Ids{});
}

TEST(Topics, AgreesWithAModel) {
    std::mt19937 random(1);
    Topics topics;
    std::vector<std::unique_ptr<Subscriber>> everybody;
    for (uint64_t i = 0; i < 20; ++i)
        everybody.push_back(std::make_unique<Subscriber>(i + 1));
    std::map<std::pair<std::string, Match>, std::set<ConnectionId>> model;
    const auto some_name = [&] { return std::string("aabab").substr(random() % 3, random() % 4); };
    for (int step = 0; step < 20'000; ++step) {
        Subscriber& one = *everybody[random() % everybody.size()];
        const std::string name = some_name();
        const Match match = random() % 2 ? Match::kExact : Match::kPrefix;
        auto& ids = model[{name, match}];
        const bool is_in = ids.contains(one.connection.id);
        if (random() % 64 == 0) {
            topics.unsubscribe_all(one.own);
            for (auto& [topic, subscribers] : model)
                subscribers.erase(one.connection.id);
        } else if (random() % 2) {
            ASSERT_EQ(topics.subscribe(one.connection, one.own, name, match), !is_in);
            ids.insert(one.connection.id);
        } else {
            ASSERT_EQ(topics.unsubscribe(one.own, name, match), is_in);
            ids.erase(one.connection.id);
        }
        const std::string topic = some_name();
        Ids expected;
        for (uint64_t id = 1; id <= 20; ++id) {
            for (const auto& [subscription, subscribers] : model) {
                const bool matches = subscription.second == Match::kExact
                                         ? topic == subscription.first
                                         : topic.starts_with(subscription.first);
                if (!matches || !subscribers.contains(make_connection_id(0, id))) continue;
                expected.insert(make_connection_id(0, id));
                break;
            }
        }
        ASSERT_EQ(who(topics, topic), expected);
    }
    for (auto& one : everybody)
        topics.unsubscribe_all(one->own);
    for (const char* topic : {"", "a", "aab"})
        EXPECT_EQ(who(topics, topic), Ids{});
}

TEST(Topics, WhatTheyTakeIsOnTheAccountOfTheirAddress) {
    Topics topics(2000);
    Subscriber a(1), b(2);
    topics.subscribe(a.connection, a.own, "news", Match::kExact, 7);
    const uint64_t with_topic = topics.budget().used_by(7);
    topics.subscribe(b.connection, b.own, "news", Match::kExact, 8);
    EXPECT_LT(topics.budget().used_by(8), with_topic) << "a second subscriber does not pay for the topic";
    topics.unsubscribe_all(a.own);
    EXPECT_EQ(topics.budget().used_by(7), with_topic - topics.budget().used_by(8))
        << "the first subscriber pays for the topic while it stands";
    EXPECT_TRUE(topics.has_room(7, "other", Match::kPrefix));
    int count = 0;
    for (; topics.has_room(8); ++count)
        topics.subscribe(b.connection, b.own, "topic " + std::to_string(count), Match::kPrefix, 8);
    EXPECT_GT(count, 0);
    EXPECT_FALSE(topics.has_room(8, std::string(kMaxTopicBytes, 'x'), Match::kExact));
    topics.unsubscribe_all(b.own);
    EXPECT_EQ(topics.budget().used(), 0u);
}

}  // namespace
}  // namespace sluice
