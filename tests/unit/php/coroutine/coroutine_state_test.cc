#include "php/coroutine/coroutine_state.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

using State = CoroutineState;

constexpr State kAll[] = {State::kNew,   State::kPooled, State::kRunning, State::kWaiting,
                          State::kReady, State::kHeld,   State::kEnded};

/// Brings a coroutine into the state `wanted`.
State in(CoroutineCensus& census, State wanted) {
    State state = State::kNew;
    if (wanted == State::kNew) return state;
    census.move_to(state, State::kRunning);
    if (wanted == State::kReady) census.move_to(state, State::kWaiting);
    if (wanted != State::kRunning) census.move_to(state, wanted);
    return state;
}

TEST(CoroutineState, WaitsAndIsWokenAnyNumberOfTimes) {
    CoroutineCensus census;
    State state = in(census, State::kRunning);
    for (int turn = 0; turn < 3; ++turn) {
        for (const State next : {State::kWaiting, State::kReady, State::kRunning}) {
            census.move_to(state, next);
            EXPECT_EQ(state, next);
            EXPECT_EQ(census.live(), 1u);
        }
    }
    EXPECT_EQ(census.peak(), 1u);
}

TEST(CoroutineState, DoesOneJobAfterTheOtherOutOfThePool) {
    CoroutineCensus census;
    State state = in(census, State::kRunning);
    for (int job = 0; job < 3; ++job) {
        census.move_to(state, State::kPooled);
        EXPECT_EQ(census.live(), 0u);
        EXPECT_EQ(census.pooled(), 1u);
        census.move_to(state, State::kRunning);
        EXPECT_EQ(census.live(), 1u);
        EXPECT_EQ(census.pooled(), 0u);
    }
    EXPECT_EQ(census.peak(), 1u);
}

TEST(CoroutineState, IsResumedByAnExceptionWhereverItWaits) {
    CoroutineCensus census;
    for (const State from : {State::kPooled, State::kWaiting, State::kReady, State::kHeld}) {
        State state = in(census, from);
        census.move_to(state, State::kRunning);
        census.move_to(state, State::kEnded);
    }
    EXPECT_EQ(census.live(), 0u);
    EXPECT_EQ(census.pooled(), 0u);
}

TEST(CoroutineState, NothingIsCountedOfWhatHasEnded) {
    for (const State from :
         {State::kNew, State::kPooled, State::kRunning, State::kWaiting, State::kReady, State::kHeld}) {
        CoroutineCensus census;
        State state = in(census, from);
        census.move_to(state, State::kEnded);
        EXPECT_EQ(census.live(), 0u);
        EXPECT_EQ(census.busy(), 0u);
        EXPECT_EQ(census.pooled(), 0u);
    }
}

TEST(CoroutineState, AJobCountsBeforeItBegins) {
    CoroutineCensus census;
    census.job_comes();
    census.job_comes();
    EXPECT_EQ(census.live(), 2u);
    EXPECT_EQ(census.busy(), 0u);
    census.job_begins();
    State state = in(census, State::kRunning);
    EXPECT_EQ(census.live(), 2u);
    EXPECT_EQ(census.peak(), 2u);
    census.move_to(state, State::kEnded);
    EXPECT_EQ(census.live(), 1u);
    EXPECT_EQ(census.peak(), 2u);
}

TEST(CoroutineState, NeverBeginsAnewAndNeverRunsTwice) {
    for (const State from : kAll) {
        EXPECT_FALSE(is_legal_move(from, State::kNew));
        EXPECT_FALSE(is_legal_move(State::kEnded, from));
        EXPECT_FALSE(is_legal_move(from, from));
    }
    // A coroutine that does not run cannot begin to wait; one that does not wait cannot be woken.
    for (const State from : {State::kNew, State::kPooled, State::kReady, State::kHeld})
        EXPECT_FALSE(is_legal_move(from, State::kWaiting));
    for (const State from : {State::kNew, State::kPooled, State::kRunning})
        EXPECT_FALSE(is_legal_move(from, State::kReady));
    for (const State from : {State::kNew, State::kWaiting, State::kReady, State::kHeld})
        EXPECT_FALSE(is_legal_move(from, State::kPooled));
    // Only a coroutine that runs can suspend itself.
    for (const State from : {State::kNew, State::kPooled, State::kWaiting, State::kReady})
        EXPECT_FALSE(is_legal_move(from, State::kHeld));
}

TEST(CoroutineState, LivesWhileSomebodyElseHoldsIt) {
    CoroutineCensus census;
    State state = in(census, State::kHeld);
    EXPECT_EQ(census.live(), 1u);
    census.move_to(state, State::kReady);
    census.move_to(state, State::kRunning);
    census.move_to(state, State::kHeld);
    census.move_to(state, State::kRunning);
    EXPECT_EQ(census.live(), 1u);
    EXPECT_EQ(census.peak(), 1u);
}

TEST(CoroutineStateDeathTest, AnIllegalMoveEndsTheProcess) {
    CoroutineCensus census;
    State state = in(census, State::kPooled);
    EXPECT_DEATH(census.move_to(state, State::kReady), "a coroutine goes on from where it stands");
}

}  // namespace
}  // namespace sluice::php
