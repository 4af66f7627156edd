#pragma once

#include <atomic>
#include <cstdint>
#include <sys/eventfd.h>

#include "core/unique_fd.h"

namespace sluice {

/// Wakes the consumer of rings in shared memory, at the cost of a system call only when it really sleeps.
///
/// The consumer announces its sleep, and looks at the rings once more before it waits. The producer
/// publishes, then looks whether the consumer sleeps. Both use sequentially consistent order, so at least one
/// of them notices the other.
class Doorbell {
  public:
    static int create_fd() { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

    /// Consumer: from here on producers ring. Look at the rings again, then wait or call `awake`.
    static void about_to_sleep(std::atomic<uint32_t>& sleeping) {
        sleeping.store(1, std::memory_order_seq_cst);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    static void awake(std::atomic<uint32_t>& sleeping) { sleeping.store(0, std::memory_order_relaxed); }

    /// Producer: call after publishing.
    static void ring_if_asleep(std::atomic<uint32_t>& sleeping, int fd) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (sleeping.load(std::memory_order_relaxed) == 0) return;
        if (sleeping.exchange(0, std::memory_order_acq_rel) != 0) ring(fd);
    }
    static void ring(int fd) {
        uint64_t one = 1;
        [[maybe_unused]] ssize_t written = ::write(fd, &one, sizeof one);
    }
    /// Consumer: after waking up.
    static void drain(int fd) {
        uint64_t count;
        [[maybe_unused]] ssize_t got = ::read(fd, &count, sizeof count);
    }
};

}  // namespace sluice
