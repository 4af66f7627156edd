#pragma once

#include <cassert>
#include <cstddef>

namespace sluice {

/// A limit of how many of something there may be at a time.
class Quota {
  public:
    explicit Quota(size_t most) : most_(most) {}
    /// False: the limit is reached.
    bool take() {
        if (taken_ >= most_) return false;
        ++taken_;
        return true;
    }
    void give_back() {
        assert(taken_ > 0);
        --taken_;
    }
    size_t taken() const { return taken_; }

  private:
    size_t most_;
    size_t taken_ = 0;
};

}  // namespace sluice
