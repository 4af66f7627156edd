#pragma once

#include <gtest/gtest.h>
#include <initializer_list>

#include "core/state_machine.h"

namespace sluice::test {

/// Goes through the states of a life in turn.
template <typename State>
StateMachine<State> live(std::initializer_list<State> life) {
    StateMachine<State> state(*life.begin());
    for (const State* next = life.begin() + 1; next != life.end(); ++next)
        state.move_to(*next);
    return state;
}

}  // namespace sluice::test
