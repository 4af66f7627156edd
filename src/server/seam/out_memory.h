#pragma once

#include <atomic>
#include <cstddef>

namespace sluice {

/// The heap memory of queues to clients, of all reactors of this process: blocks of OutQueues, and payloads,
/// each counted once however many queues refer to it. Extents of an out-arena are not counted: the arena
/// bounds them.
class OutMemory {
  public:
    /// Counts for the calling thread; other threads see it after publish().
    static void add_block(size_t bytes) { blocks_ += bytes; }
    static void drop_block(size_t bytes) { blocks_ -= bytes; }
    static void add_payload(size_t bytes) { total_.fetch_add(bytes, std::memory_order_relaxed); }
    static void drop_payload(size_t bytes) { total_.fetch_sub(bytes, std::memory_order_relaxed); }

    /// Once per turn: what this thread's queues hold becomes part of the total.
    static void publish() {
        if (blocks_ == published_) return;
        total_.fetch_add(blocks_ - published_, std::memory_order_relaxed);
        published_ = blocks_;
    }
    static size_t total() { return total_.load(std::memory_order_relaxed) + blocks_ - published_; }

  private:
    static inline std::atomic<size_t> total_ = 0;
    static inline thread_local size_t blocks_ = 0;
    static inline thread_local size_t published_ = 0;
};

}  // namespace sluice
