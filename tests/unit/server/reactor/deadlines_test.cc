#include "server/reactor/deadlines.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class DeadlinesTest : public test::PartsTest {
  protected:
    /// Whether the connection is due now; its timer is armed again.
    bool due(Connection& connection, uint64_t at_ms) {
        Connection* found = parts_->deadlines.next_due(at_ms);
        if (found) parts_->deadlines.arm(*found);
        return found == &connection;
    }
};

TEST_F(DeadlinesTest, TheEarliestCounts) {
    start();
    Connection& connection = connect();
    parts_->deadlines.set(connection, now() + 500);
    parts_->deadlines.set_write(connection, now() + 200);
    EXPECT_FALSE(due(connection, now() + 100));
    EXPECT_TRUE(due(connection, now() + 300));
}

TEST_F(DeadlinesTest, WhatMovesAwayIsLookedAtAgain) {
    start();
    Connection& connection = connect();
    parts_->deadlines.set(connection, now() + 100);
    parts_->deadlines.set(connection, now() + 900);
    EXPECT_EQ(connection.due_ms, now() + 100) << "a later deadline leaves the timer alone";
    due(connection, now() + 200);
    EXPECT_GE(connection.due_ms, now() + 900);
    parts_->deadlines.cancel(connection);
    EXPECT_EQ(connection.deadline_ms, 0u);
    EXPECT_FALSE(due(connection, now() + 5000));
}

TEST_F(DeadlinesTest, SilenceCountsWhereASessionSaysSo) {
    start();
    Connection& connection = connect();
    EXPECT_EQ(parts_->deadlines.idle_due_ms(connection), 0u);
    script_.idle_ms = 1000;
    EXPECT_EQ(parts_->deadlines.idle_due_ms(connection), now() + 1000);
    connection.awaits_proxy = true;
    EXPECT_EQ(parts_->deadlines.idle_due_ms(connection), 0u);
    connection.awaits_proxy = false;
    parts_->deadlines.arm(connection);
    EXPECT_TRUE(due(connection, now() + 1100));
}

}  // namespace
}  // namespace sluice
