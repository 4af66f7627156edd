#pragma once

#include <cstdint>

namespace sluice {

/// How many workers there are to be, between two bounds: more when messages wait, fewer when workers have had
/// nothing to do for long. Adding one is quick and taking one away slow, so that the number does not swing
/// with each burst.
class WorkerRange {
  public:
    static constexpr uint64_t kLookEveryMs = 100;
    /// Of looks in a row that find messages waiting and nobody free.
    static constexpr unsigned kLooksToGrow = 3;
    /// For so long there have to be two without work: one of them may go, and the other one takes a burst.
    static constexpr uint64_t kIdleMs = 10'000;

    WorkerRange(unsigned least, unsigned most) : most_(most), least_(least), wanted_(least) {}

    bool is_fixed() const { return least_ == most_; }
    unsigned wanted() const { return wanted_; }
    /// When to look again; 0: never.
    uint64_t due_ms() const { return due_ms_; }
    void begin(uint64_t now_ms) { due_ms_ = is_fixed() ? 0 : now_ms + kLookEveryMs; }

    /// What there is now: `ready` workers, of which `busy` have something to do, and whether messages wait
    /// for any of them. True when wanted() has changed, by one.
    bool look(unsigned ready, unsigned busy, bool any_waits, uint64_t now_ms);

  private:
    unsigned most_;
    unsigned least_;
    unsigned wanted_;
    unsigned full_looks_ = 0;
    uint64_t idle_since_ms_ = 0;  ///< 0: they are not
    uint64_t due_ms_ = 0;
};

}  // namespace sluice
