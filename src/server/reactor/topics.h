#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/seam/topic.h"

namespace sluice {

struct Connection;

/// Who wants to hear what, among the connections of one reactor. One subscribes to a topic by its name, or to
/// all topics whose names begin alike. A message to a topic costs one look-up for its name and one for each
/// *length* of prefix that somebody has subscribed to, however many subscriptions there are.
class Topics {
  public:
    using Match = TopicMatch;

    Topics() = default;
    Topics(const Topics&) = delete;
    Topics& operator=(const Topics&) = delete;

    struct Subscriptions;
    struct Topic {
        std::string name;
        Match match = Match::kExact;
        std::vector<Connection*> subscribers;
        std::vector<Subscriptions*> lists;  ///< of the subscribers, in the same order
    };

    /// One connection's place in one topic.
    struct Subscription {
        Topic* topic;
        size_t index;  ///< in Topic::subscribers
    };
    /// Kept by each connection.
    struct Subscriptions {
        std::vector<Subscription> all;
        uint64_t reached = 0;  ///< the last message that came to it by more than one way
    };

    /// False when it was subscribed already. `name` has at most kMaxTopicBytes.
    bool subscribe(Connection& connection, Subscriptions& own, std::string_view name, Match match);
    /// False when it was not subscribed.
    bool unsubscribe(Subscriptions& own, std::string_view name, Match match);
    void unsubscribe_all(Subscriptions& own);

    /// Calls `reach(Connection&)` once for each connection that a message to the topic concerns, however many
    /// of its subscriptions match. `reach` must not change subscriptions.
    template <typename Reach>
    void for_each_subscriber(std::string_view name, Reach reach) {
        Matching matching;
        const size_t count = find_matching(name, matching);
        if (count == 0) return;
        const uint64_t message = count > 1 ? ++messages_ : 0;
        for (size_t i = 0; i < count; ++i) {
            const Topic& topic = *matching[i];
            for (size_t index = 0; index < topic.subscribers.size(); ++index) {
                if (message && topic.lists[index]->reached == message) continue;
                if (message) topic.lists[index]->reached = message;
                reach(*topic.subscribers[index]);
            }
        }
    }
    /// How many connections that would be.
    size_t count(std::string_view name);

  private:
    using Matching = std::array<const Topic*, kMaxTopicBytes + 2>;
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    using Table = std::unordered_map<std::string, std::unique_ptr<Topic>, Hash, std::equal_to<>>;

    size_t find_matching(std::string_view name, Matching& matching) const;
    Table& table(Match match) { return match == Match::kExact ? exact_ : prefixes_; }
    void remove(Subscriptions& own, size_t place);

    Table exact_;
    Table prefixes_;
    std::array<uint32_t, kMaxTopicBytes + 1> prefixes_of_length_ = {};  ///< different ones
    size_t longest_prefix_ = 0;  ///< at least as long as the longest one
    uint64_t messages_ = 0;
};

}  // namespace sluice
