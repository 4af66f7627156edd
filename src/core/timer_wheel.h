#pragma once

#include <cstdint>

namespace sluice {

/// A deadline, linked into a TimerWheel. Member of what it concerns; destroy it only when it is not armed.
struct TimerNode {
    TimerNode* next = nullptr;
    TimerNode* previous = nullptr;
    uint64_t due_ms = 0;

    bool armed() const { return next != nullptr; }
};

/// A hierarchical timer wheel in milliseconds: arming and cancelling are constant time, a node moves down at
/// most kLevels - 1 times. Never fires early. Not thread-safe.
class TimerWheel {
  public:
    explicit TimerWheel(uint64_t now_ms);

    /// Arms or re-arms. A time that has passed is due one millisecond after the last expire().
    void arm(TimerNode& node, uint64_t due_ms);
    static void cancel(TimerNode& node);

    /// Takes one node that is due at `now_ms`, and disarms it; nullptr when there are no more. Nodes may be
    /// armed and cancelled between calls; a node that is armed for `now_ms` or earlier fires once `now_ms` is
    /// later.
    TimerNode* expire(uint64_t now_ms);

    /// Milliseconds until something may be due, at most `limit_ms`; 0 when something is. May be too early,
    /// never too late.
    uint64_t wait_ms(uint64_t now_ms, uint64_t limit_ms) const;

  private:
    static constexpr unsigned kLevels = 5;
    static constexpr unsigned kBits = 6;
    static constexpr unsigned kBuckets = 1u << kBits;

    void insert(TimerNode& node);
    void cascade(unsigned level);

    TimerNode buckets_[kLevels][kBuckets];  ///< list heads
    uint64_t occupied_[kLevels] = {};       ///< bit per bucket; may be set for one that cancel() has emptied
    TimerNode due_;                         ///< list head: due, not yet handed out
    uint64_t now_ms_;                       ///< all nodes due by then have been moved to due_
};

}  // namespace sluice
