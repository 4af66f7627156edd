#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/sharing/flow_costs.h"

namespace sluice {

/// Who is next, of all who wait for one contended resource: a worker, room in the arena, memory for output.
///
/// As in RFC 8290, sparse flows go before the others; a flow is all that one client key stands for. A flow is
/// due
/// - when the first of its items comes, if its client has cost less than a quantum lately;
/// - else half a second later for each doubling of what the client has cost beyond that;
/// - four seconds later when the item is backlogged: the client had sent it before it had the answer to the
///   last one on this connection, which is never without something that waits.
///
/// The earliest due is next; of a flow's items, by the same rule, the one whose connection has cost little:
/// the quiet ones of a busy address go before the busy ones. So who has cost the same takes turns in the
/// order of their coming; nobody waits for ever, for what comes later than an item is due goes behind it; and
/// a client that has kept all workers busy is due within seconds.
///
/// Costs (FlowCosts) are microseconds that were used for a client, whatever became of the answers. They are
/// looked at again when a flow's turn has come: of a thousand items that come at once, the first ones tell
/// what the others cost. Nothing is known of how clients behave.
///
/// Knows no sockets, protocols or workers. Not thread-safe; the costs are shared by all queues of a server.
class FairQueue {
  public:
    using Key = uint64_t;   ///< of a client, or of a connection
    using Item = uint64_t;  ///< as the caller numbers them; in the queue once at a time

    /// What a sparse flow costs at most: a seventh of a worker's time, by how costs decay.
    static constexpr uint32_t kQuantumUs = 100'000;
    /// The same for a connection among others of its flow.
    static constexpr uint32_t kConnectionQuantumUs = 1000;
    /// How much later an item is due for each doubling of a cost: as long as the cost takes to halve, so that
    /// an item that waits stays where it is among others that wait.
    static constexpr uint64_t kDoublingUs = FlowCosts::kHalfLifeMs * 1000;
    static constexpr uint64_t kBackloggedUs = 4'000'000;
    /// A flow that costs more by now is put behind those that are due, if by so much.
    static constexpr uint64_t kLaterUs = 100'000;
    /// How long the least wait is looked for, as CoDel's interval (RFC 8289).
    static constexpr uint64_t kIntervalUs = 100'000;

    /// `target_ms`: when the least wait of an interval was longer, the queue is overloaded; 0: it never is.
    explicit FairQueue(const FlowCosts& costs, uint64_t target_ms = 0)
        : costs_(costs), target_us_(target_ms * 1000) {}

    struct Flow {
        Key client;
        Key connection;
        bool is_backlogged = false;
    };
    /// The item waits, since `since_us`.
    void add(const Flow& flow, Item item, uint64_t since_us, uint64_t now_us);
    void add(const Flow& flow, Item item, uint64_t now_us) { add(flow, item, now_us, now_us); }
    /// It waits no longer: it begins, or its client is gone, or it waits for something else. False: it did
    /// not wait. `since_us` is told when it had come.
    bool remove(Item item, uint64_t* since_us = nullptr);
    /// remove() of an item that begins: counts for is_overloaded().
    void begin(Item item, uint64_t now_us);
    bool has(Item item) const { return entries_.contains(item); }
    /// When it had come. It must wait.
    uint64_t came_us(Item item) const { return entries_.find(item)->second.came_us; }
    bool has_none_but(Key client) const {
        return flows_.empty() || (flows_.size() == 1 && flows_.contains(client));
    }
    bool empty() const { return entries_.empty(); }
    /// How many clients wait.
    size_t flows() const { return flows_.size(); }
    size_t size() const { return entries_.size(); }
    /// When the item had come that has waited longest; 0: none waits.
    uint64_t oldest_us() const { return came_.empty() ? 0 : came_.begin()->first; }

    /// Whether next() has one: not all have been passed over.
    bool has_next() const { return !order_.empty(); }
    /// The item whose turn it is. It stays where it is until it is removed. Only when has_next().
    Item next(uint64_t now_us);
    /// By when that is due.
    uint64_t next_due_us() const { return order_.begin()->first; }
    /// This item cannot begin, and others perhaps can. It keeps its place for the next pass. Of a client
    /// that has its share of something, all are passed over once some have been in vain.
    void pass_over(Item item);
    /// The same, and for the next passes it stands behind those who wait by now: it may want more than there
    /// is, and others less.
    void put_behind(Item item, uint64_t now_us);
    /// Ends a pass: those that were passed over are next again.
    void end_pass();
    static constexpr size_t kMostInVain = 4;

    /// Whether all that began in the last interval had waited too long, or nothing began and what is next
    /// has. Then somebody had best be told so for each item that comes: the newest_of_fattest().
    bool is_overloaded(uint64_t now_us);
    /// The item that is due last of the fattest flow, which is the one that would take longest by the number
    /// of its items and what it has cost. Only when has_next().
    Item newest_of_fattest(uint64_t now_us);
    /// So many flows are remembered as fat at a time, and as much of each as half of what waits.
    static constexpr size_t kMostFat = 64;

  private:
    struct Entry {
        Flow flow;
        uint64_t came_us;
        uint64_t since_us;  ///< the same, unless it was put behind others
        uint64_t due_us;    ///< among those of its client
        /// From when its client's time counts for it.
        uint64_t from_us() const { return since_us + (flow.is_backlogged ? kBackloggedUs : 0); }
    };
    using Due = std::set<std::pair<uint64_t, uint64_t>>;  ///< items or clients, by when they are due
    /// What waits of one client; never empty.
    struct Waiting {
        Due due;                        ///< those that were not passed over
        Due from;                       ///< the same, by Entry::from_us()
        std::vector<Item> passed_over;  ///< in this pass
        size_t size() const { return due.size() + passed_over.size(); }
        uint64_t delay_us = 0;          ///< by what the client had cost when it was looked at
        uint64_t placed_us = kNowhere;  ///< by what it stands in order_
    };
    static constexpr uint64_t kNowhere = UINT64_MAX;

    uint64_t delay_of_client(Key client, uint64_t now_us) const;
    uint64_t delay_of_connection(Key connection, uint64_t now_us) const;
    static void put_in(Waiting& waiting, const Entry& entry, Item item);
    static bool take_out(Waiting& waiting, const Entry& entry, Item item);
    void place(Key client, Waiting& waiting);
    void find_fattest(uint64_t now_us);

    const FlowCosts costs_;
    const uint64_t target_us_;
    std::unordered_map<Item, Entry> entries_;
    std::unordered_map<Key, Waiting> flows_;
    Due came_;   ///< all items, by Entry::came_us
    Due order_;  ///< clients, by their first items; without those that are passed over
    std::vector<Key> passed_over_;
    uint64_t least_wait_us_ = UINT64_MAX;  ///< in this interval, of what began
    uint64_t interval_ends_us_ = 0;
    bool is_overloaded_ = false;
    struct Fat {
        Key client;
        size_t left;  ///< down to so many items it may be taken from
    };
    std::vector<Fat> fattest_;  ///< the next one last
};

}  // namespace sluice
