#include "server/reactor/topics.h"

#include <algorithm>

namespace sluice {

bool Topics::subscribe(Connection& connection, Subscriptions& own, std::string_view name, Match match) {
    Table& topics = table(match);
    auto found = topics.find(name);
    if (found == topics.end()) {
        auto topic = std::make_unique<Topic>();
        topic->name = name;
        topic->match = match;
        found = topics.emplace(topic->name, std::move(topic)).first;
        if (match == Match::kPrefix) {
            ++prefixes_of_length_[name.size()];
            longest_prefix_ = std::max(longest_prefix_, name.size());
        }
    }
    Topic& topic = *found->second;
    for (const Subscription& subscription : own.all) {
        if (subscription.topic == &topic) return false;
    }
    own.all.push_back({&topic, topic.subscribers.size()});
    topic.subscribers.push_back(&connection);
    topic.lists.push_back(&own);
    return true;
}

void Topics::remove(Subscriptions& own, size_t place) {
    Topic& topic = *own.all[place].topic;
    size_t index = own.all[place].index;
    own.all[place] = own.all.back();
    own.all.pop_back();
    // The last subscriber takes the free place.
    if (index + 1 != topic.subscribers.size()) {
        topic.subscribers[index] = topic.subscribers.back();
        topic.lists[index] = topic.lists.back();
        for (Subscription& moved : topic.lists[index]->all) {
            if (moved.topic == &topic) moved.index = index;
        }
    }
    topic.subscribers.pop_back();
    topic.lists.pop_back();
    if (!topic.subscribers.empty()) return;
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
