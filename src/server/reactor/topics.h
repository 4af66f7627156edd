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
#include "server/sharing/budget.h"

namespace sluice {

struct Connection;

/// The subscriptions of one reactor's connections, to a topic by its name, or to all topics whose names have
/// a prefix. A message to a topic costs one look-up for its name, and one for each *length* of a prefix that
/// somebody has subscribed to, however many subscriptions there are.
class Topics {
  public:
    using Match = TopicMatch;

    /// `most_bytes`: of memory, which clients share (Budget).
    explicit Topics(uint64_t most_bytes = UINT64_MAX)
        : budget_(most_bytes, kSubscriptionBytes + topic_bytes(kMaxTopicBytes)) {}
    Topics(const Topics&) = delete;
    Topics& operator=(const Topics&) = delete;

    struct Subscriptions;
    struct Subscriber {
        Connection* connection;
        Subscriptions* list;
        uint64_t payer;  ///< the client that is charged for it; see Budget
    };
    struct Topic {
        std::string name;
        Match match = Match::kExact;
        uint64_t payer = 0;  ///< the client of its first subscriber
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
        uint64_t reached : 63 = 0;         ///< the last message that reached it by more than one subscription
        uint64_t is_without_room : 1 = 0;  ///< a subscription was refused for want of room; see Publishing
    };

    /// Whether there is memory for this subscription of this client; subscribe() does not check.
    bool has_room(uint64_t client, std::string_view name, Match match);
    /// Whether there is memory for any subscription.
    bool has_room(uint64_t client) const;
    const Budget& budget() const { return budget_; }
    /// Topics with a subscriber; a prefix is one.
    size_t size() const { return exact_.size() + prefixes_.size(); }
    size_t subscriptions() const { return subscriptions_; }

    /// False when it was subscribed already. `name` has at most kMaxTopicBytes.
    bool subscribe(Connection& connection, Subscriptions& own, std::string_view name, Match match,
                   uint64_t client = 0);
    /// False when it was not subscribed.
    bool unsubscribe(Subscriptions& own, std::string_view name, Match match);
    void unsubscribe_all(Subscriptions& own);

    /// Calls `reach(Connection&)` once for each subscriber of the topic, however many of its subscriptions
    /// match. `reach` must not change subscriptions.
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
    /// How many connections reach() would be called for.
    size_t count(std::string_view name);

  private:
    using Matching = std::array<const Topic*, kMaxTopicBytes + 2>;
    using Table = std::unordered_map<std::string_view, std::unique_ptr<Topic>>;  ///< by Topic::name

    /// Memory of one subscription: entries in two vectors, whose capacity may be twice their size.
    static constexpr size_t kSubscriptionBytes = 2 * (sizeof(Subscription) + sizeof(Subscriber));
    /// Memory of one topic, with its entry in the table and the allocator's overhead.
    static constexpr size_t topic_bytes(size_t name_bytes) { return sizeof(Topic) + 128 + name_bytes; }

    size_t find_matching(std::string_view name, Matching& matching) const;
    Table& table(Match match) { return match == Match::kExact ? exact_ : prefixes_; }
    void remove(Subscriptions& own, size_t place);

    Budget budget_;
    Table exact_;
    Table prefixes_;
    std::array<uint32_t, kMaxTopicBytes + 1> prefixes_of_length_ = {};  ///< different ones
    size_t longest_prefix_ = 0;  ///< at least the length of the longest prefix
    uint64_t messages_ = 0;
    size_t subscriptions_ = 0;
};

}  // namespace sluice
