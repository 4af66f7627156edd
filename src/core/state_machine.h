#pragma once

#include <cassert>

namespace sluice {

/// A state that changes in one place, by allowed moves only: `bool may_follow(State, State next)`, declared
/// beside the enumeration.
template <typename State>
class StateMachine {
  public:
    explicit StateMachine(State first) : state_(first) {}
    /// Copied when its owner moves on in another object.
    StateMachine(const StateMachine&) = default;
    StateMachine& operator=(const StateMachine&) = default;

    operator State() const { return state_; }
    void move_to(State next) {
        assert(may_follow(state_, next) && "no life goes this way");
        state_ = next;
    }

  private:
    State state_;
};

}  // namespace sluice
