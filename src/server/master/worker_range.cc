#include "server/master/worker_range.h"

namespace sluice {

bool WorkerRange::look(unsigned ready, unsigned busy, bool any_waits, uint64_t now_ms) {
    due_ms_ = now_ms + kLookEveryMs;
    const bool is_full = any_waits && busy >= ready;
    full_looks_ = is_full ? full_looks_ + 1 : 0;
    const bool is_idle = ready >= busy + 2;
    if (!is_idle) idle_since_ms_ = 0;
    if (is_idle && idle_since_ms_ == 0) idle_since_ms_ = now_ms;
    // One that was added or taken away shows its effect first.
    if (ready != wanted_) {
        full_looks_ = 0;
        idle_since_ms_ = 0;
        return false;
    }
    if (full_looks_ >= kLooksToGrow && wanted_ < most_) {
        ++wanted_;
        full_looks_ = 0;
        return true;
    }
    if (idle_since_ms_ != 0 && now_ms - idle_since_ms_ >= kIdleMs && wanted_ > least_) {
        --wanted_;
        idle_since_ms_ = now_ms;
        return true;
    }
    return false;
}

}  // namespace sluice
