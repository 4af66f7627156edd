#include "server/topics.h"

namespace sluice {

bool Topics::subscribe(Connection& connection, Subscriptions& own, std::string_view name) {
    for (const Subscription& subscription : own) {
        if (subscription.topic->name == name) return false;
    }
    auto found = topics_.find(name);
    if (found == topics_.end()) {
        auto topic = std::make_unique<Topic>();
        topic->name = name;
        found = topics_.emplace(topic->name, std::move(topic)).first;
    }
    Topic& topic = *found->second;
    own.push_back({&topic, topic.subscribers.size()});
    topic.subscribers.push_back(&connection);
    topic.lists.push_back(&own);
    return true;
}

void Topics::remove(Subscriptions& own, size_t place) {
    Topic& topic = *own[place].topic;
    size_t index = own[place].index;
    own[place] = own.back();
    own.pop_back();
    // The last subscriber takes the free place.
    if (index + 1 != topic.subscribers.size()) {
        topic.subscribers[index] = topic.subscribers.back();
        topic.lists[index] = topic.lists.back();
        for (Subscription& moved : *topic.lists[index]) {
            if (moved.topic == &topic) moved.index = index;
        }
    }
    topic.subscribers.pop_back();
    topic.lists.pop_back();
    if (topic.subscribers.empty()) topics_.erase(topics_.find(topic.name));
}

bool Topics::unsubscribe(Subscriptions& own, std::string_view name) {
    for (size_t place = 0; place < own.size(); ++place) {
        if (own[place].topic->name != name) continue;
        remove(own, place);
        return true;
    }
    return false;
}

void Topics::unsubscribe_all(Subscriptions& own) {
    while (!own.empty())
        remove(own, own.size() - 1);
}

const std::vector<Connection*>* Topics::subscribers(std::string_view name) const {
    auto found = topics_.find(name);
    return found == topics_.end() ? nullptr : &found->second->subscribers;
}

}  // namespace sluice
