#pragma once

#include <cstdint>

namespace sluice {

/// A deadline inside whatever it concerns. Links into a TimerWheel; destroy it only when it is not armed.
struct TimerNode {
    TimerNode* next = nullptr;
    TimerNode* previous = nullptr;
    uint64_t due_ms = 0;

    bool armed() const { return next != nullptr; }
};

/// Deadlines in milliseconds, hierarchical: arming and cancelling are constant time, a node moves down at
/// most kLevels - 1 times. Never fires early. One thread.
class TimerWheel {
  public:
    explicit TimerWheel(uint64_t now_ms);

    /// Arms or re-arms; a time that has passed fires at the next advance().
    void arm(TimerNode& node, uint64_t due_ms);
    static void cancel(TimerNode& node);

    /// Takes one node that is due at `now_ms`, disarmed; nullptr when there is no further one. Nodes may be
    /// armed and cancelled between calls; one armed for `now_ms` or before fires at the next advance that
    /// begins later.
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
    TimerNode due_;                         ///< list head: found due, not yet handed out
    uint64_t now_ms_;                       ///< everything before and at it has been moved to due_
};

}  // namespace sluice
