#include "server/reactor/serve_list.h"

#include <map>

#include "parts_driver.h"

namespace sluice {
namespace {

class ServeListTest : public test::PartsTest {
  protected:
    /// The waiting ones of a turn.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve) {
        parts_->serve_list.serve_waiting(most, serve);
    }
};

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

TEST_F(ServeListTest, WhoSendsMuchAtOnceStandsAside) {
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
    list.serve_aside(serve, [&] { return --left > 0; });
    EXPECT_EQ(served, (std::vector<Connection*>{quiet, one, other}));
    EXPECT_TRUE(list.has_scheduled());
    list.serve_aside(
        [&](Connection& it) {
            serve(it);
            list.schedule(it);
        },
        [] { return true; });
    EXPECT_EQ(served, (std::vector<Connection*>{quiet, one, other, third})) << "and who comes again, later";
    EXPECT_TRUE(list.has_scheduled());
}

TEST_F(ServeListTest, WhoGoesStandsAsideNoLonger) {
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
    Connection& aside = connect();
    aside.at_once = UINT8_MAX;
    parts_->serve_list.schedule(aside);
    Connection& waiting = connect();
    parts_->serve_list.wait_for_resources(waiting);
    parts_->table.for_each([&](Connection& it) { parts_->table.remove(it); });
    parts_->serve_list.serve_scheduled([](Connection&) { FAIL(); });
    parts_->serve_list.serve_aside([](Connection&) { FAIL(); }, [] { return true; });
    serve_waiting(10, [](Connection&) { FAIL(); });
}

TEST_F(ServeListTest, WhoHasWaitedLongestIsFirst) {
    start();
    Connection *first = &connect(), *second = &connect(), *third = &connect();
    for (Connection* it : {first, second, third, first})  // who waits already keeps his place
        parts_->serve_list.wait_for_resources(*it);
    std::vector<Connection*> served;
    serve_waiting(2, [&](Connection& it) {
        served.push_back(&it);
        EXPECT_FALSE(it.waiting);
        if (&it == first) parts_->serve_list.wait_for_resources(it);
    });
    EXPECT_EQ(served, (std::vector<Connection*>{first, second}));
    serve_waiting(2, [&](Connection& it) { served.push_back(&it); });
    EXPECT_EQ(served, (std::vector<Connection*>{first, second, third, first}));
    EXPECT_FALSE(parts_->serve_list.has_waiting());
}

TEST_F(ServeListTest, AddressesHaveTurns) {
    start();
    ServeList& list = parts_->serve_list;
    std::vector<Connection*> crowd;
    for (int i = 0; i < 4; ++i) {
        crowd.push_back(&connect());
        list.wait_for_resources(*crowd.back());
    }
    Connection &other = connect(), &unknown = connect(), &nobody = connect();
    other.address_key = 7;
    unknown.address_key = nobody.address_key = 0;
    EXPECT_FALSE(list.has_turn_to_await(other));
    for (Connection* it : {&other, &unknown, &nobody})
        list.wait_for_resources(*it);
    EXPECT_TRUE(list.has_turn_to_await(connect())) << "a connection of the crowd waits behind the crowd";
    std::vector<Connection*> served;
    const auto serve = [&](Connection& it) { served.push_back(&it); };
    serve_waiting(5, serve);
    EXPECT_EQ(served, (std::vector<Connection*>{crowd[0], &other, &unknown, &nobody, crowd[1]}));
    serve_waiting(10, serve);
    EXPECT_EQ(served.size(), 7u);
    EXPECT_FALSE(list.has_waiting());
    EXPECT_FALSE(list.has_turn_to_await(connect()));
}

TEST_F(ServeListTest, WhoIsKnownHasMostOfTheTurns) {
    script_.conversation = false;
    start();
    ServeList& list = parts_->serve_list;
    Connection* strangers[4];
    for (Connection*& it : strangers)
        it = &connect();
    Connection* known[8];
    for (Connection*& it : known) {
        it = &connect();
        it->known = true;
    }
    uint64_t address = 0;
    for (Connection* it : strangers)
        it->address_key = ++address;
    for (Connection* it : known)
        it->address_key = ++address;
    for (Connection* it : strangers)
        list.wait_for_resources(*it);
    for (Connection* it : known)
        list.wait_for_resources(*it);
    std::vector<Connection*> served;
    const auto serve = [&](Connection& it) { served.push_back(&it); };
    serve_waiting(4, serve);
    EXPECT_EQ(served, (std::vector<Connection*>{known[0], known[1], strangers[0], known[2]}));
    serve_waiting(100, serve);
    EXPECT_EQ(std::vector<Connection*>(served.end() - 2, served.end()),
              (std::vector<Connection*>{strangers[2], strangers[3]}));
    EXPECT_EQ(served.size(), 12u);
    EXPECT_FALSE(list.has_waiting());
}

TEST_F(ServeListTest, TurnsGoOnWhereThereIsRoomForOneAtATime) {
    script_.conversation = false;
    start();
    ServeList& list = parts_->serve_list;
    Connection &known = connect(), &other_known = connect(), &stranger = connect(), &ahead = connect();
    known.known = other_known.known = true;
    known.address_key = 1;
    other_known.address_key = 2;
    stranger.address_key = 3;
    ahead.address_key = 4;
    ahead.runs_ahead = true;
    for (Connection* it : {&known, &other_known, &stranger, &ahead})
        list.wait_for_resources(*it);
    std::map<Connection*, int> served;
    for (int turn = 0; turn < 40; ++turn) {
        Connection* one = nullptr;
        serve_waiting(100, [&](Connection& it) {
            if (one) return list.wait_for_resources(it);
            one = &it;
            ++served[one];
        });
        list.wait_for_resources(*one);  // with its next request
    }
    EXPECT_EQ(served[&known] + served[&other_known], 20);
    EXPECT_EQ(served[&stranger], 10);
    EXPECT_EQ(served[&ahead], 10);
}

TEST_F(ServeListTest, WhereThereIsRoomForOneAddressesKeepTheirTurns) {
    script_.conversation = false;
    start();
    ServeList& list = parts_->serve_list;
    // How many wait must not decide whose turn it is when there is room.
    for (size_t crowd = 1; crowd <= ServeList::kMostInVain + 4; ++crowd) {
        std::vector<Connection*> all;
        for (size_t i = 0; i < crowd + 2; ++i) {
            all.push_back(&connect());
            all.back()->known = true;
            all.back()->address_key = i < crowd ? 1 : 2;
            list.wait_for_resources(*all.back());
        }
        std::map<uint64_t, int> served;
        for (int turn = 0; turn < 10; ++turn) {
            transport_.accepting = true;
            Connection* one = nullptr;
            serve_waiting(512, [&](Connection& it) {
                if (!transport_.accepting) return list.wait_for_resources(it);
                transport_.accepting = false;
                one = &it;
                ++served[it.address_key];
            });
            list.wait_for_resources(*one);  // with its next request
        }
        EXPECT_EQ(served[1], 5) << "beside " << crowd;
        EXPECT_EQ(served[2], 5) << "beside " << crowd;
        transport_.accepting = true;
        serve_waiting(512, [](Connection&) {});
        for (Connection* it : all)
            parts_->table.remove(*it);
    }
}

TEST_F(ServeListTest, MessagesGoOnWhereNoWorkerTakesRequests) {
    start();
    ServeList& list = parts_->serve_list;
    Connection &one = connect(), &other = connect();
    one.address_key = 1;
    other.address_key = 2;
    list.wait_for_resources(one);
    list.wait_for_resources(other);
    transport_.accepting = false;
    std::vector<Connection*> served;
    serve_waiting(10, [&](Connection& it) {
        served.push_back(&it);
        if (&it == &one) list.wait_for_resources(it);  // for its own worker
    });
    EXPECT_EQ(served, (std::vector<Connection*>{&one, &other}));
}

TEST_F(ServeListTest, WhatBeginsNoRequestWaitsForNoTurnAndGoesOnWhereNoWorkerTakesRequests) {
    script_.conversation = false;
    start();
    ServeList& list = parts_->serve_list;
    Connection &request = connect(), &stranger = connect(), &body = connect();
    stranger.address_key = 9;
    for (Connection* it : {&request, &stranger})
        list.wait_for_resources(*it);
    EXPECT_TRUE(list.has_turn_to_await(body)) << "it would begin a request of the same address";
    script_.begins_request = false;
    EXPECT_FALSE(list.has_turn_to_await(body)) << "a handler may be waiting for it";
    body.runs_ahead = true;
    EXPECT_FALSE(list.has_turn_to_await(body));
    list.wait_for_resources(body);
    script_.begins_request = true;
    transport_.accepting = false;
    std::vector<Connection*> tried;
    serve_waiting(100, [&](Connection& it) {
        tried.push_back(&it);
        if (&it != &body) list.wait_for_resources(it);
    });
    EXPECT_EQ(tried, (std::vector<Connection*>{&body, &request}))
        << "one try tells that no worker takes requests";
}

TEST_F(ServeListTest, EachLineKeepsItsTurns) {
    script_.conversation = false;
    start();
    ServeList& list = parts_->serve_list;
    std::vector<Connection*> all;
    for (size_t i = 0; i < 9; ++i) {
        all.push_back(&connect());
        all.back()->address_key = 1 + i;
        all.back()->known = i % 3 == 0;
        all.back()->runs_ahead = i % 3 == 1;
        list.wait_for_resources(*all.back());
    }
    transport_.accepting = false;
    for (int turn = 0; turn < 10; ++turn)
        serve_waiting(100, [&](Connection& it) { list.wait_for_resources(it); });
    transport_.accepting = true;
    std::vector<std::vector<Connection*>> served(3);
    serve_waiting(100, [&](Connection& it) { served[(it.address_key - 1) % 3].push_back(&it); });
    for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(served[i], (std::vector<Connection*>{all[i], all[i + 3], all[i + 6]}));
}

TEST_F(ServeListTest, WhoChangesItsLineInVainIsNotPutBackIntoTheOldOne) {
    script_.conversation = false;
    start();
    ServeList& list = parts_->serve_list;
    Connection &one = connect(), &other = connect();
    other.address_key = 9;
    list.wait_for_resources(one);
    list.wait_for_resources(other);
    transport_.accepting = false;
    serve_waiting(100, [&](Connection& it) {
        it.known = true;
        list.wait_for_resources(it);
    });
    transport_.accepting = true;
    std::vector<Connection*> served;
    serve_waiting(100, [&](Connection& it) { served.push_back(&it); });
    EXPECT_EQ(served.size(), 2u);
    EXPECT_FALSE(list.has_waiting());
}

TEST_F(ServeListTest, WhoRunsAheadOvertakesNobodyOfAnotherAddress) {
    start();
    ServeList& list = parts_->serve_list;
    Connection &one = connect(), &neighbour = connect(), &other = connect();
    other.address_key = 7;
    EXPECT_TRUE(list.may_run_ahead(one));
    list.wait_for_resources(neighbour);
    EXPECT_TRUE(list.may_run_ahead(one));
    EXPECT_FALSE(list.may_run_ahead(other));
    list.wait_for_resources(other);
    EXPECT_FALSE(list.may_run_ahead(one));
    EXPECT_FALSE(list.may_run_ahead(other));
    serve_waiting(2, [](Connection&) {});
    EXPECT_TRUE(list.may_run_ahead(one) && list.may_run_ahead(other));
    script_.conversation = false;
    other.runs_ahead = true;
    list.wait_for_resources(other);
    EXPECT_FALSE(list.may_run_ahead(one)) << "other waits in the lines of those who run ahead";
    EXPECT_TRUE(list.may_run_ahead(other));
}

TEST_F(ServeListTest, WhoRunsAheadIsOfACrowdWhileSomebodyOfAnotherAddressWaits) {
    start();
    script_.conversation = false;
    ServeList& list = parts_->serve_list;
    Connection &one = connect(), &neighbour = connect(), &other = connect();
    other.address_key = 7;
    one.runs_ahead = neighbour.runs_ahead = true;
    list.wait_for_resources(neighbour);
    EXPECT_FALSE(list.is_of_crowd(one)) << "one address alone";
    list.wait_for_resources(other);
    EXPECT_TRUE(list.is_of_crowd(one));
    EXPECT_FALSE(list.is_of_crowd(other)) << "it waits for its answers";
    serve_waiting(2, [](Connection&) {});
    other.runs_ahead = true;
    EXPECT_FALSE(list.is_of_crowd(one)) << "nobody waits";
    list.wait_for_resources(other);
    EXPECT_TRUE(list.is_of_crowd(one));
}

TEST_F(ServeListTest, WhoRunsAheadHasOneTurnOfFour) {
    start();
    script_.conversation = false;
    ServeList& list = parts_->serve_list;
    std::vector<Connection*> crowd, others;
    for (uint64_t i = 0; i < 12; ++i) {
        Connection& connection = connect();
        connection.address_key = 10 + i;
        connection.runs_ahead = i < 6;
        EXPECT_EQ(list.has_turn_to_await(connection), 0 < i && i < 6)
            << "who runs ahead waits behind anybody, others behind those of their address";
        list.wait_for_resources(connection);
        (connection.runs_ahead ? crowd : others).push_back(&connection);
    }
    std::vector<Connection*> served;
    const auto serve = [&](Connection& it) { served.push_back(&it); };
    serve_waiting(8, serve);
    EXPECT_EQ(served, (std::vector<Connection*>{others[0], others[1], others[2], crowd[0], others[3],
                                                others[4], others[5], crowd[1]}));
    served.clear();
    serve_waiting(10, serve);
    EXPECT_EQ(served, (std::vector<Connection*>{crowd.begin() + 2, crowd.end()}));
    EXPECT_FALSE(list.has_waiting());
}

TEST_F(ServeListTest, WhoRunsAheadInVainLeavesTheOthersTheirTries) {
    start();
    script_.conversation = false;
    ServeList& list = parts_->serve_list;
    for (uint64_t i = 0; i < ServeList::kMostInVain + 8; ++i) {
        Connection& connection = connect();
        connection.address_key = 10 + i;
        connection.runs_ahead = true;
        list.wait_for_resources(connection);
    }
    Connection& other = connect();
    list.wait_for_resources(other);
    size_t tried = 0, served = 0;
    serve_waiting(1000, [&](Connection& it) {
        ++tried;
        if (&it == &other) {
            ++served;
        } else {
            list.wait_for_resources(it);
        }
    });
    EXPECT_EQ(served, 1u);
    EXPECT_EQ(tried, ServeList::kMostInVain + 1);
}

TEST_F(ServeListTest, WhoHasClosedHisSideWaitsAsAnyOther) {
    start();
    script_.conversation = false;
    std::vector<Connection*> all;
    for (uint64_t i = 0; i < 6; ++i) {
        all.push_back(&connect());
        all.back()->address_key = 10 + i % 3;
        all.back()->peer_shut = i % 2;
        parts_->serve_list.wait_for_resources(*all.back());
    }
    std::vector<Connection*> served;
    serve_waiting(100, [&](Connection& it) { served.push_back(&it); });
    EXPECT_EQ(served, all) << "one of each address in turn, whoever has left";
}

TEST_F(ServeListTest, OnlyOpenConnectionsOfRequestsAreAhead) {
    start();
    Connection& connection = connect();
    connection.runs_ahead = true;
    EXPECT_FALSE(ServeList::is_ahead(connection)) << "a conversation";
    script_.conversation = false;
    EXPECT_TRUE(ServeList::is_ahead(connection));
    connection.phase = Phase::kLingering;
    EXPECT_FALSE(ServeList::is_ahead(connection));
    connection.phase = Phase::kOpen;
}

TEST_F(ServeListTest, NotAllAreTriedWhenManyGoOnWaiting) {
    start();
    ServeList& list = parts_->serve_list;
    std::vector<Connection*> all;
    for (size_t i = 0; i < ServeList::kMostInVain + 2; ++i) {
        all.push_back(&connect());
        all.back()->address_key = 0;
        list.wait_for_resources(*all.back());
    }
    std::vector<Connection*> tried;
    const auto in_vain = [&](Connection& it) {
        tried.push_back(&it);
        list.wait_for_resources(it);
    };
    serve_waiting(1000, in_vain);
    EXPECT_EQ(tried.size(), ServeList::kMostInVain);
    tried.clear();
    serve_waiting(1, in_vain);
    EXPECT_EQ(tried, (std::vector<Connection*>{all[ServeList::kMostInVain]})) << "the others come first then";
}

TEST_F(ServeListTest, WhoIsServedGivesTheOthersNewTries) {
    start();
    for (size_t i = 0; i < ServeList::kMostInVain + 8; ++i) {
        Connection& connection = connect();
        connection.address_key = 0;
        parts_->serve_list.wait_for_resources(connection);
    }
    size_t tried = 0;
    serve_waiting(1000, [&](Connection& it) {
        if (++tried % 8) parts_->serve_list.wait_for_resources(it);
    });
    EXPECT_EQ(tried, ServeList::kMostInVain + 8);
}

TEST_F(ServeListTest, ACrowdIsOfAllLines) {
    SharedLayout::Shape shape = layout_.shape();
    shape.cells = 2 * ServeList::kCrowd;
    layout_ = SharedLayout::create(shape);
    start();
    script_.conversation = false;
    for (size_t i = 0; i < ServeList::kCrowd; ++i) {
        Connection& connection = connect();
        connection.runs_ahead = i % 3 == 1;
        connection.known = i % 3 == 2;
        parts_->serve_list.wait_for_resources(connection);
    }
    EXPECT_FALSE(parts_->serve_list.has_crowd());
    parts_->serve_list.wait_for_resources(connect());
    EXPECT_TRUE(parts_->serve_list.has_crowd());
}

}  // namespace
}  // namespace sluice
