#include "server/reactor/serve_list.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class ServeListTest : public test::PartsTest {};

TEST_F(ServeListTest, WhoIsScheduledMeanwhileComesInTheNextTurn) {
    start();
    Connection& connection = connect();
    ServeList& list = parts_->serve_list;
    list.schedule(connection);
    list.schedule(connection);
    int served = 0;
    list.serve_scheduled([&](Connection& it) {
        ++served;
        list.schedule(it);
    });
    EXPECT_EQ(served, 1);
    EXPECT_TRUE(list.has_scheduled());
    list.serve_scheduled([&](Connection&) { ++served; });
    EXPECT_EQ(served, 2);
    EXPECT_FALSE(list.has_scheduled());
}

TEST_F(ServeListTest, WhoHasGoneIsNotServed) {
    start();
    parts_->serve_list.schedule(connect());
    Connection& waiting = connect();
    parts_->serve_list.wait_for_resources(waiting);
    parts_->table.for_each([&](Connection& it) { parts_->table.remove(it); });
    parts_->serve_list.serve_scheduled([](Connection&) { FAIL(); });
    parts_->serve_list.serve_waiting(10, [](Connection&) { FAIL(); });
}

TEST_F(ServeListTest, WhoHasWaitedLongestIsFirst) {
    start();
    Connection *first = &connect(), *second = &connect(), *third = &connect();
    for (Connection* it : {first, second, third})
        parts_->serve_list.wait_for_resources(*it);
    std::vector<Connection*> served;
    parts_->serve_list.serve_waiting(2, [&](Connection& it) {
        served.push_back(&it);
        EXPECT_FALSE(it.waiting);
        if (&it == first) parts_->serve_list.wait_for_resources(it);
    });
    EXPECT_EQ(served, (std::vector<Connection*>{first, second}));
    parts_->serve_list.serve_waiting(2, [&](Connection& it) { served.push_back(&it); });
    EXPECT_EQ(served, (std::vector<Connection*>{first, second, third, first}));
    EXPECT_FALSE(parts_->serve_list.has_waiting());
}

}  // namespace
}  // namespace sluice
