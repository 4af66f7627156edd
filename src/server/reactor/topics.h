#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/reactor/subscription_budget.h"
#include "server/seam/topic.h"

namespace sluice {

struct Connection;

/// Who wants to hear what, among the connections of one reactor. One subscribes to a topic by its name, or to
/// all topics whose names begin alike. A message to a topic costs one look-up for its name and one for each
/// *length* of prefix that somebody has subscribed to, however many subscriptions there are.
class Topics {
  public:
    using Match = TopicMatch;

    explicit Topics(uint64_t most_bytes = UINT64_MAX) : budget_(most_bytes) {}
    Topics(const Topics&) = delete;
    Topics& operator=(const Topics&) = delete;

    struct Subscriptions;
    struct Subscriber {
        Connection* connection;
        Subscriptions* list;
        uint64_t payer;  ///< the address on whose account it is; see SubscriptionBudget
    };
    struct Topic {
        std::string name;
        Match match = Match::kExact;
        uint64_t payer = 0;  ///< that of its first subscriber
        std::vector<Subscriber> subscribers;
    };

    /// One connection's place in one topic.
    struct Subscription {
        Topic* topic;
        size_t index;  ///< in Topic::subscribers
    };
    /// Kept by each connection.
    struct Subscriptions {
        std::vector<Subscription> all;
        uint64_t reached : 63 = 0;         ///< the last message that came to it by more than one way
        uint64_t is_without_room : 1 = 0;  ///< and its connection has been told so; see Publishing
    };

    /// Whether there is memory for it on the account of this address; subscribe() does not ask.
    bool has_room(uint64_t address, std::string_view name, Match match);
    /// Whether there is memory for whatever somebody may subscribe to.
    bool has_room(uint64_t address) const;
    const SubscriptionBudget& budget() const { return budget_; }

    /// False when it was subscribed already. `name` has at most kMaxTopicBytes.
    bool subscribe(Connection& connection, Subscriptions& own, std::string_view name, Match match,
                   uint64_t address = 0);
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
            for (const Subscriber& subscriber : topic.subscribers) {
                if (message && subscriber.list->reached == message) continue;
                if (message) subscriber.list->reached = message;
                reach(*subscriber.connection);
            }
        }
    }
    /// How many connections that would be.
    size_t count(std::string_view name);

  private:
    using Matching = std::array<const Topic*, kMaxTopicBytes + 2>;
    using Table = std::unordered_map<std::string_view, std::unique_ptr<Topic>>;  ///< by Topic::name

    /// In two vectors, of which a part is not used yet.
    static constexpr size_t kSubscriptionBytes = 2 * (sizeof(Subscription) + sizeof(Subscriber));
    /// With its place in the table and what the allocator takes for each of its parts.
    static constexpr size_t topic_bytes(size_t name_bytes) { return sizeof(Topic) + 128 + name_bytes; }

    size_t find_matching(std::string_view name, Matching& matching) const;
    Table& table(Match match) { return match == Match::kExact ? exact_ : prefixes_; }
    void remove(Subscriptions& own, size_t place);

    SubscriptionBudget budget_;
    Table exact_;
    Table prefixes_;
    std::array<uint32_t, kMaxTopicBytes + 1> prefixes_of_length_ = {};  ///< different ones
    size_t longest_prefix_ = 0;  ///< at least as long as the longest one
    uint64_t messages_ = 0;
};

}  // namespace sluice
