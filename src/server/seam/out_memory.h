#pragma once

#include <atomic>
#include <cstddef>

namespace sluice {

/// The memory of queues to clients, of all reactors of this process: blocks of OutQueues and payloads, each
/// counted once however many queues refer to it. Extents of an out-arena are counted apart: the arena bounds
/// them, but when their clients are slow they become payloads of the heap.
class OutMemory {
  public:
    /// Counts for the calling thread; other threads see it after publish().
    static void add_block(size_t bytes) { own_.blocks += bytes; }
    static void drop_block(size_t bytes) { own_.blocks -= bytes; }
    static void add_extent(size_t bytes) { own_.extents += bytes; }
    static void drop_extent(size_t bytes) { own_.extents -= bytes; }
    static void add_payload(size_t bytes) { heap_.fetch_add(bytes, std::memory_order_relaxed); }
    static void drop_payload(size_t bytes) { heap_.fetch_sub(bytes, std::memory_order_relaxed); }

    /// Once per turn: what this thread's queues hold becomes part of the total.
    static void publish() {
        publish(own_.blocks, own_.published_blocks, heap_);
        publish(own_.extents, own_.published_extents, in_arenas_);
    }
    /// Of the heap.
    static size_t total() {
        return heap_.load(std::memory_order_relaxed) + own_.blocks - own_.published_blocks;
    }
    /// With what stands in out-arenas.
    static size_t total_with_extents() {
        return total() + in_arenas_.load(std::memory_order_relaxed) + own_.extents - own_.published_extents;
    }

  private:
    /// Of one thread; together, for finding a thread's variable is a call.
    struct Own {
        size_t blocks;
        size_t published_blocks;
        size_t extents;
        size_t published_extents;
    };
    static void publish(size_t own, size_t& published, std::atomic<size_t>& all) {
        if (own == published) return;
        all.fetch_add(own - published, std::memory_order_relaxed);
        published = own;
    }

    static inline std::atomic<size_t> heap_ = 0;
    static inline std::atomic<size_t> in_arenas_ = 0;
    static inline thread_local Own own_ = {};
};

}  // namespace sluice
