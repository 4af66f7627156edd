#include "server/reactor/topics.h"

#include <algorithm>

namespace sluice {

bool Topics::has_room(uint64_t client, std::string_view name, Match match) {
    const size_t topic = table(match).contains(name) ? 0 : topic_bytes(name.size());
    return budget_.may_have(client, kSubscriptionBytes + topic);
}

bool Topics::has_room(uint64_t client) const {
    return budget_.may_have(client, kSubscriptionBytes + topic_bytes(kMaxTopicBytes));
}

bool Topics::subscribe(Connection& connection, Subscriptions& own, std::string_view name, Match match,
                       uint64_t client) {
    Table& topics = table(match);
    auto found = topics.find(name);
    if (found == topics.end()) {
        auto topic = std::make_unique<Topic>();
        topic->name = name;
        topic->match = match;
        topic->payer = client;
        budget_.charge(topic->payer, topic_bytes(name.size()));
        const std::string_view own_name = topic->name;
        found = topics.emplace(own_name, std::move(topic)).first;
        if (match == Match::kPrefix) {
            ++prefixes_of_length_[name.size()];
            longest_prefix_ = std::max(longest_prefix_, name.size());
        }
    }
    Topic& topic = *found->second;
    for (const Subscription& subscription : own.all) {
        if (subscription.topic == &topic) return false;
    }
    budget_.charge(client, kSubscriptionBytes);
    own.all.push_back({&topic, topic.subscribers.size()});
    topic.subscribers.push_back({&connection, &own, client});
    ++subscriptions_;
    return true;
}

void Topics::remove(Subscriptions& own, size_t place) {
    Topic& topic = *own.all[place].topic;
    size_t index = own.all[place].index;
    own.all[place] = own.all.back();
    own.all.pop_back();
    --subscriptions_;
    budget_.give_back(topic.subscribers[index].payer, kSubscriptionBytes);
    // The last subscriber takes the free place.
    if (index + 1 != topic.subscribers.size()) {
        topic.subscribers[index] = topic.subscribers.back();
        for (Subscription& moved : topic.subscribers[index].list->all) {
            if (moved.topic == &topic) moved.index = index;
        }
    }
    topic.subscribers.pop_back();
    if (!topic.subscribers.empty()) return;
    budget_.give_back(topic.payer, topic_bytes(topic.name.size()));
    if (topic.match == Match::kPrefix) {
        --prefixes_of_length_[topic.name.size()];
        while (longest_prefix_ > 0 && prefixes_of_length_[longest_prefix_] == 0)
            --longest_prefix_;
    }
    Table& topics = table(topic.match);
    topics.erase(topics.find(topic.name));
}

bool Topics::unsubscribe(Subscriptions& own, std::string_view name, Match match) {
    Table& topics = table(match);
    const auto found = topics.find(name);
    if (found == topics.end()) return false;
    for (size_t place = 0; place < own.all.size(); ++place) {
        if (own.all[place].topic != found->second.get()) continue;
        remove(own, place);
        return true;
    }
    return false;
}

void Topics::unsubscribe_all(Subscriptions& own) {
    while (!own.all.empty())
        remove(own, own.all.size() - 1);
}

size_t Topics::find_matching(std::string_view name, Matching& matching) const {
    size_t count = 0;
    if (const auto found = exact_.find(name); found != exact_.end()) matching[count++] = found->second.get();
    if (prefixes_.empty()) return count;
    for (size_t length = 0; length <= std::min(longest_prefix_, name.size()); ++length) {
        if (prefixes_of_length_[length] == 0) continue;
        const auto found = prefixes_.find(name.substr(0, length));
        if (found != prefixes_.end()) matching[count++] = found->second.get();
    }
    return count;
}

size_t Topics::count(std::string_view name) {
    size_t count = 0;
    for_each_subscriber(name, [&](Connection&) { ++count; });
    return count;
}

}  // namespace sluice
