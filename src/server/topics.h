#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice {

struct Connection;

/// Who wants to hear what, among the connections of one reactor.
class Topics {
  public:
    Topics() = default;
    Topics(const Topics&) = delete;
    Topics& operator=(const Topics&) = delete;

    struct Topic;

    /// One connection's place in one topic.
    struct Subscription {
        Topic* topic;
        size_t index;  ///< in Topic::subscribers
    };
    using Subscriptions = std::vector<Subscription>;  ///< kept by each connection

    /// False when it was subscribed already.
    bool subscribe(Connection& connection, Subscriptions& own, std::string_view topic);
    /// False when it was not subscribed.
    bool unsubscribe(Subscriptions& own, std::string_view topic);
    void unsubscribe_all(Subscriptions& own);

    /// nullptr when nobody has subscribed.
    const std::vector<Connection*>* subscribers(std::string_view topic) const;

  private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    void remove(Subscriptions& own, size_t place);

    std::unordered_map<std::string, std::unique_ptr<Topic>, Hash, std::equal_to<>> topics_;
};

struct Topics::Topic {
    std::string name;
    std::vector<Connection*> subscribers;
    std::vector<Subscriptions*> lists;  ///< of the subscribers, in the same order: where to correct an index
};

}  // namespace sluice
