#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "server/seam/shared_layout.h"

namespace sluice {

/// What one of the application's checks has found last, in whichever worker.
struct alignas(64) ReadinessCell {
    static constexpr size_t kMostName = 63, kMostReason = 255;
    enum class Found : uint32_t { kNothing, kReady, kNotReady };

    std::atomic<uint32_t> generation;  ///< whose check it is; 0: nobody's
    std::atomic<Found> found;
    std::atomic<uint64_t> due_ms;  ///< by monotonic_ms(): without another finding by then, the check hangs
    char name[kMostName + 1];
    char reason[kMostReason + 1];
};

/// The checks of two generations: that which serves, and that which is to take over.
class ReadinessCells {
  public:
    static constexpr size_t kMost = 16;
    static constexpr size_t kBytes = 2 * kMost * sizeof(ReadinessCell);

    explicit ReadinessCells(const SharedLayout& layout)
        : cells_(reinterpret_cast<ReadinessCell*>(layout.metrics().data()), 2 * kMost),
          serving_(layout.server().generation) {}

    /// Where this generation's checks are. Others may be there, too: each cell says whose it is.
    std::span<ReadinessCell> of(uint32_t generation) const;

    /// A worker declares its generation's check, or tells what it has found. Several workers may do so at a
    /// time: the last one counts, and texts of two are never longer than one.
    void note(uint32_t generation, size_t index, std::string_view name, ReadinessCell::Found found,
              std::string_view reason, uint64_t due_ms) const;
    /// For how long what is known of a check holds: 0, when nothing is known, or it is due.
    uint64_t holds_ms(uint32_t generation, size_t index, uint64_t now_ms) const;

  private:
    std::span<ReadinessCell> cells_;
    const std::atomic<uint32_t>& serving_;
};

}  // namespace sluice
