#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sluice {

/// What one reactor counts of the requests that one of two generations gets while a canary is under way.
struct CanaryCounts {
    /// Buckets of times to the first byte, four for each doubling. What takes less than 5 ms is in the first
    /// one: differences there are those of a moment.
    static constexpr size_t kBuckets = 56;

    std::atomic<uint64_t> given;
    std::atomic<uint64_t> failed;  ///< answered with a status from 500, by the worker or in its place
    std::atomic<uint64_t> left;    ///< the client, before the answer
    std::atomic<uint64_t> taken[kBuckets];  ///< the answered

    static size_t bucket_of(uint64_t us) {
        const double place = us > kFirstUs ? 4 * std::log2(static_cast<double>(us) / kFirstUs) : 0;
        return place < kBuckets - 1 ? static_cast<size_t>(place) : kBuckets - 1;
    }
    /// What falls into the bucket takes less.
    static double bound_us(size_t bucket) {
        return kFirstUs * std::exp2(static_cast<double>(bucket + 1) / 4);
    }

  private:
    static constexpr uint64_t kFirstUs = 5000;
};

/// Of both. The master reads what is counted for the generation that it tries out.
struct CanaryCells {
    enum Side : uint8_t { kServing, kCanary };

    std::atomic<uint32_t> generation;  ///< the canary; 0: none is under way
    CanaryCounts of[2];

    void begin(uint32_t number) {
        for (CanaryCounts& counts : of) {
            counts.given.store(0, std::memory_order_relaxed);
            counts.failed.store(0, std::memory_order_relaxed);
            counts.left.store(0, std::memory_order_relaxed);
            for (auto& bucket : counts.taken)
                bucket.store(0, std::memory_order_relaxed);
        }
        generation.store(number, std::memory_order_release);
    }
    void end() { generation.store(0, std::memory_order_relaxed); }
    bool is_under_way() const { return generation.load(std::memory_order_relaxed) != 0; }
};

}  // namespace sluice
