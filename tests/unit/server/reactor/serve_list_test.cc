#include "server/reactor/serve_list.h"

#include "parts_driver.h"

namespace sluice {
namespace {

using ServeListTest = test::PartsTest;

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

TEST_F(ServeListTest, WhoSendsMuchAtOnceIsDeferred) {
    start();
    ServeList& list = parts_->serve_list;
    std::vector<Connection*> served;
    const auto serve = [&](Connection& it) { served.push_back(&it); };
    Connection *one = &connect(), *other = &connect(), *third = &connect(), *quiet = &connect();
    for (Connection* it : {one, other, third})
        it->at_once = ServeList::kMuchAtOnce + 1;
    quiet->at_once = ServeList::kMuchAtOnce;
    for (Connection* it : {one, other, third, quiet})
        list.schedule(*it);
    list.serve_scheduled(serve);
    EXPECT_EQ(served, (std::vector<Connection*>{quiet}));
    EXPECT_TRUE(list.has_scheduled());
    int left = 2;
    list.serve_deferred(serve, [&] { return --left > 0; });
    EXPECT_EQ(served, (std::vector<Connection*>{quiet, one, other}));
    EXPECT_TRUE(list.has_scheduled());
    list.serve_deferred(
        [&](Connection& it) {
            serve(it);
            list.schedule(it);
        },
        [] { return true; });
    EXPECT_EQ(served, (std::vector<Connection*>{quiet, one, other, third})) << "and who comes again, later";
    EXPECT_TRUE(list.has_scheduled());
}

TEST_F(ServeListTest, WhoGoesIsDeferredNoLonger) {
    start();
    ServeList& list = parts_->serve_list;
    std::vector<Connection*> served;
    const auto serve = [&](Connection& it) { served.push_back(&it); };
    Connection& connection = connect();
    connection.at_once = UINT8_MAX;
    list.schedule(connection);
    list.serve_scheduled(serve);
    EXPECT_TRUE(served.empty());
    EXPECT_EQ(list.due(), 0u);
    parts_->life.abort(connection);
    EXPECT_EQ(list.due(), 1u);
    list.serve_scheduled(serve);
    EXPECT_EQ(served, (std::vector<Connection*>{&connection})) << "its place in the table comes free";
}

TEST_F(ServeListTest, WhoHasGoneIsNotServed) {
    start();
    parts_->serve_list.schedule(connect());
    Connection& deferred = connect();
    deferred.at_once = UINT8_MAX;
    parts_->serve_list.schedule(deferred);
    parts_->table.for_each([&](Connection& it) { parts_->table.remove(it); });
    parts_->serve_list.serve_scheduled([](Connection&) { FAIL(); });
    parts_->serve_list.serve_deferred([](Connection&) { FAIL(); }, [] { return true; });
}

}  // namespace
}  // namespace sluice
