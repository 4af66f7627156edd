#include "core/state_machine.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

enum class Door { kOpen, kShut, kLocked };
bool may_follow(Door now, Door next) {
    return now == Door::kShut ? next != now : next == Door::kShut;
}

TEST(StateMachine, GoesThroughALifeThatItsKindAllows) {
    StateMachine<Door> door(Door::kOpen);
    for (const Door next : {Door::kShut, Door::kLocked, Door::kShut, Door::kOpen}) {
        door.move_to(next);
        EXPECT_EQ(door, next);
    }
    static_assert(sizeof door == sizeof(Door));
}

TEST(StateMachineDeathTest, RefusesAnyOtherMove) {
    StateMachine<Door> door(Door::kOpen);
    EXPECT_DEATH(door.move_to(Door::kLocked), "no life goes this way");
}

}  // namespace
}  // namespace sluice
