#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/reactor/connection.h"
#include "server/reactor/connection_table.h"
#include "server/seam/reactor_figures.h"
#include "server/seam/shared_layout.h"
#include "server/seam/transport.h"
#include "server/sharing/fair_queue.h"

namespace sluice {

/// Decides what may begin now, and who of those that wait for something is next: there is a FairQueue for
/// each resource. What would overtake somebody in the queues of a worker waits in one of them, too.
class Admission {
  public:
    /// `now_ms` stays the caller's, who moves it on.
    /// `queue_ms`: Limits::queue_ms.
    Admission(const SharedLayout& layout, const ConnectionTable& table, Transport& transport,
              const uint64_t& now_ms, uint32_t queue_ms);

    // -- What asks for a worker. When the answer is no, the connection is to wait().

    bool takes_request(Connection& connection, int worker, size_t inline_bytes);
    /// Of a connection that is bound to a worker.
    bool takes_message(Connection& connection, size_t inline_bytes);
    /// Whether a connection may have further requests begun before the first one is answered: nobody else
    /// waits for this worker.
    bool may_pipeline(const Connection& connection, int worker) const;
    /// Whether what comes next on the connection is a request that has to wait, so need not be read.
    bool has_to_wait(const Connection& connection) const;
    /// A message of the connection goes to a worker: it has its turn, and costs its client so much beside
    /// what the worker does.
    void begins(Connection& connection, size_t bytes);
    /// Bytes have gone to the client, which costs, too.
    void sent(const Connection& connection, size_t bytes) const;

    // -- Who waits

    /// The connection waits for what it `awaits`, or for the end of its own messages when it is held up.
    void wait(Connection& connection);
    /// It waits no longer, or goes away.
    void leave(Connection& connection);
    bool has_waiting() const { return waiting_ > 0; }
    /// When who has waited longest for this began to wait; 0: nobody waits for it.
    uint64_t oldest_us(Resource resource) const {
        return queues_[static_cast<size_t>(resource)].items.oldest_us();
    }
    /// Since when the connection waits for this; 0: it does not.
    uint64_t waits_since_us(const Connection& connection, Resource resource) const;
    struct Line {
        size_t count = 0;
        uint64_t since_us = 0;  ///< of who has waited longest; 0: nobody waits
    };
    /// By Resource.
    using Waiting = std::array<Line, kAwaitedResources.size()>;
    Waiting waiting() const;
    /// So many wait that what was read of each, and is kept until its turn, adds up.
    bool has_many_waiting() const { return waiting_ > kManyWaiting; }
    /// Calls `serve(Connection&)` for connections that wait, in the order in which they are due; up to `most`
    /// of them.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve);

    /// Calls `refuse(Connection&)` for as many as have come since the last call, while all wait too long for
    /// a worker: for the newest of who has most waiting. Who can be refused leaves.
    template <typename Refuse>
    void refuse_waiting(Refuse refuse);

    /// When so many in succession have to go on waiting for a resource, the others are not tried.
    static constexpr size_t kMostInVain = 32;
    static constexpr size_t kManyWaiting = 256;

  private:
    struct Queue {
        FairQueue items;
        int worker;              ///< whose it is; kNoWorker: of no single one
        size_t in_vain = 0;      ///< in this pass, in succession
        bool is_closed = false;  ///< for the rest of this pass
    };
    /// Numbers of queues: one for each resource but kItsWorker, and one for each worker. Workers beyond what
    /// the number of a connection's queue can say share some.
    static constexpr size_t kOfWorkers = static_cast<size_t>(Resource::kCount);
    size_t queue_of_worker(int worker) const;
    size_t queue_of(const Connection& connection) const;
    static bool is_tried(const Connection& connection);
    bool others_wait(const Connection& connection, int worker) const;
    bool has_room(const Queue& queue) const;
    void charge(const Connection& connection, uint32_t cost_us) const;
    void count_refused();
    Queue* next_queue(uint64_t now_us);
    uint64_t stamp_us();

    const FlowCosts costs_;
    const ConnectionTable& table_;
    Transport& transport_;
    const uint64_t& now_ms_;
    const bool has_one_worker_;  ///< base mode: requests and messages wait for the same one
    std::vector<Queue> queues_;
    size_t waiting_ = 0;
    size_t came_ = 0;  ///< requests that have begun to wait for a worker in this turn
    uint64_t refused_ = 0;
    const uint32_t queue_ms_;
    uint64_t last_us_ = 0;
};

template <typename Refuse>
void Admission::refuse_waiting(Refuse refuse) {
    FairQueue& requests = queues_[static_cast<size_t>(Resource::kWorker)].items;
    const uint64_t now_us = now_ms_ * 1000;
    if (!requests.is_overloaded(now_us)) came_ = 0;
    for (; came_ > 0 && requests.has_next(); --came_) {
        count_refused();
        refuse(*table_.find(requests.newest_of_fattest(now_us)));
    }
}

template <typename Serve>
void Admission::serve_waiting(size_t most, Serve serve) {
    const uint64_t now_us = now_ms_ * 1000;
    for (size_t tries = 0; tries < most; ++tries) {
        Queue* const queue = next_queue(now_us);
        if (!queue) break;
        const ConnectionId id = queue->items.next(now_us);
        Connection* const connection = table_.find(id);
        connection->waiting = false;
        serve(*connection);
        const bool is_there = table_.find(id) == connection;
        if (is_there && connection->waiting && connection->queue != 0 && !queue->items.has(id)) {
            // It waits for something else now: who is tried twice in a pass keeps it from all others.
            queues_[connection->queue - 1u].items.pass_over(id);
            queue->is_closed = ++queue->in_vain >= kMostInVain;
            continue;
        }
        if (is_there && connection->waiting && queue->items.has(id)) {
            // Where there is room it may have its share of it, or want too much: others are tried before it
            // is again. Where there is none, all keep their places.
            const bool is_for_others = has_room(*queue);
            if (is_for_others) {
                queue->items.put_behind(id, stamp_us());
            } else {
                queue->items.pass_over(id);
            }
            queue->is_closed = ++queue->in_vain >= kMostInVain || !is_for_others;
            continue;
        }
        queue->in_vain = 0;
        // It has found that it needs nothing.
        if (is_there && !connection->waiting) leave(*connection);
    }
    for (Queue& queue : queues_) {
        queue.items.end_pass();
        queue.in_vain = 0;
        queue.is_closed = false;
    }
}

}  // namespace sluice
