#include "server/reactor/admission.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class AdmissionTest : public test::PartsTest {
  protected:
    AdmissionTest() {
        layout_ = layout_for(256);
        transport_.add_worker();
        script_.conversation = false;
    }

    Connection& client(uint64_t address) {
        Connection& connection = connect();
        connection.address_key = address;
        return connection;
    }
    void wait(Connection& connection, Resource resource = Resource::kWorker) {
        connection.awaits = resource;
        parts_->admission.wait(connection);
    }
    void cost(uint64_t client, uint32_t us) { layout_.flow_costs().charge(client, us, now()); }
    /// Whom a pass tries; those of `in_vain` go on waiting.
    std::vector<Connection*> tried(const std::vector<Connection*>& in_vain = {}, size_t most = 100) {
        std::vector<Connection*> order;
        parts_->admission.serve_waiting(most, [&](Connection& it) {
            order.push_back(&it);
            EXPECT_FALSE(it.waiting);
            if (std::find(in_vain.begin(), in_vain.end(), &it) != in_vain.end()) parts_->admission.wait(it);
        });
        return order;
    }
    Admission& admission() { return parts_->admission; }
    using Order = std::vector<Connection*>;
};

TEST_F(AdmissionTest, WhoHasWaitedLongestIsFirst) {
    start();
    Connection *first = &client(1), *second = &client(2), *third = &client(3);
    for (Connection* it : {first, second, third, first})  // who waits already keeps its place
        wait(*it);
    EXPECT_EQ(tried({first}, 2), (Order{first, second}));
    EXPECT_EQ(tried(), (Order{third, first})) << "others may want less than who was tried in vain";
    EXPECT_FALSE(admission().has_waiting());
}

TEST_F(AdmissionTest, WhoHasCostLittleGoesBeforeWhoHasCostMuch) {
    start();
    Connection *busy = &client(1), *stranger = &client(2);
    cost(1, 1'000'000);
    wait(*busy);
    wait(*stranger);
    EXPECT_EQ(tried(), (Order{stranger, busy}));
}

TEST_F(AdmissionTest, WhatBeginsCostsItsClient) {
    start();
    Connection *one = &client(1), *other = &client(2);
    for (int i = 0; i < 500; ++i)
        admission().begins(*one, 1u << 20);
    admission().sent(*one, 1u << 20);
    EXPECT_GT(layout_.flow_costs().recent_us(1, now()), FairQueue::kQuantumUs);
    wait(*one);
    wait(*other);
    EXPECT_EQ(tried(), (Order{other, one}));
}

TEST_F(AdmissionTest, WhoHasSentMoreBeforeItsAnswerIsLater) {
    start();
    Connection *ahead = &client(1), *waits_for_answers = &client(2);
    ahead->is_backlogged = true;
    wait(*ahead);
    wait(*waits_for_answers);
    EXPECT_EQ(tried(), (Order{waits_for_answers, ahead}));
}

TEST_F(AdmissionTest, WhereNoWorkerTakesRequestsOneIsTried) {
    start();
    Order all;
    for (uint64_t address = 1; address < 10; ++address)
        wait(*all.emplace_back(&client(address)));
    transport_.accepting = false;
    EXPECT_EQ(tried(all), (Order{all[0]}));
    EXPECT_EQ(tried(all), (Order{all[0]}));
    transport_.accepting = true;
    EXPECT_EQ(tried(all).size(), all.size()) << "each may have its share";
}

TEST_F(AdmissionTest, WhoHasItsShareStandsInNobodysWay) {
    start();
    Order greedy;
    for (size_t i = 0; i < 2 * Admission::kMostInVain; ++i)
        wait(*greedy.emplace_back(&client(1)));
    Connection& stranger = client(2);
    wait(stranger);
    const Order order = tried(greedy);
    EXPECT_EQ(order.size(), FairQueue::kMostInVain + 1);
    EXPECT_EQ(order.back(), &stranger);
}

TEST_F(AdmissionTest, NotAllAreTriedWhenManyGoOnWaiting) {
    start();
    Order all;
    for (uint64_t address = 1; address < 2 * Admission::kMostInVain; ++address)
        wait(*all.emplace_back(&client(address)), Resource::kArena);
    Connection& other = client(1000);
    wait(other, Resource::kOutMemory);
    const Order order = tried(all);
    EXPECT_EQ(order.size(), Admission::kMostInVain + 1);
    EXPECT_EQ(order.back(), &other) << "for something else";
}

TEST_F(AdmissionTest, NobodyOvertakesThoseWhoWaitForAWorker) {
    start();
    Connection &waiting = client(1), &newcomer = client(2);
    EXPECT_TRUE(admission().takes_request(newcomer, 0, 10));
    EXPECT_FALSE(admission().has_to_wait(newcomer));
    wait(waiting);
    newcomer.readable = false;
    EXPECT_FALSE(admission().has_to_wait(newcomer)) << "it has sent nothing";
    newcomer.readable = true;
    EXPECT_TRUE(admission().has_to_wait(newcomer));
    EXPECT_FALSE(admission().takes_request(newcomer, 0, 10));
    ASSERT_TRUE(parts_->workers.rebind(newcomer) != kNoWorker);
    EXPECT_FALSE(admission().takes_message(newcomer, 10));
    bool takes = false;
    admission().serve_waiting(10, [&](Connection& it) {
        takes = admission().takes_request(it, 0, 10);
        admission().begins(it, 10);
        EXPECT_TRUE(admission().takes_request(newcomer, 0, 10)) << "it waits no longer";
    });
    EXPECT_TRUE(takes);
    EXPECT_FALSE(admission().has_waiting());
}

TEST_F(AdmissionTest, WhoWaitsForItsWorkerIsInNobodysWayAtAnother) {
    script_.conversation = true;
    start();
    Connection &first = client(1), &second = client(2), &third = client(3);
    for (Connection* it : {&first, &second, &third})
        ASSERT_TRUE(parts_->workers.can_deliver(*it, 10));
    ASSERT_NE(first.worker, second.worker);
    ASSERT_EQ(first.worker, third.worker);
    wait(first, Resource::kItsWorker);
    EXPECT_TRUE(admission().takes_message(second, 10));
    EXPECT_FALSE(admission().takes_message(third, 10));
    EXPECT_TRUE(admission().may_pipeline(second, second.worker));
    EXPECT_FALSE(admission().may_pipeline(third, third.worker));
    EXPECT_TRUE(admission().may_pipeline(first, first.worker)) << "nobody else waits";
}

TEST_F(AdmissionTest, WhatWaitsForAnotherThingNowKeepsItsTime) {
    start();
    Connection &first = client(1), &second = client(2);
    wait(first, Resource::kArena);
    wait(second);
    admission().serve_waiting(1, [&](Connection& it) { wait(it, Resource::kWorker); });
    EXPECT_EQ(tried(), (Order{&first, &second}));
}

/// As a WebSocket does whose worker has room, and the arena has not: it may have the one and waits for the
/// other, and has had to wait for the first again while others waited for it.
TEST_F(AdmissionTest, WhoGoesFromQueueToQueueIsTriedOnceInAPass) {
    start();
    Order crowd;
    for (size_t i = 0; i < 3 * Admission::kMostInVain; ++i) {
        crowd.push_back(&client(1));
        ASSERT_TRUE(parts_->workers.rebind(*crowd.back()) != kNoWorker);
        wait(*crowd.back(), i % 2 ? Resource::kArena : Resource::kItsWorker);
    }
    Connection& stranger = client(2);
    wait(stranger);
    bool is_served = false;
    for (int pass = 0; pass < 5 && !is_served; ++pass) {
        Order tried;
        admission().serve_waiting(512, [&](Connection& it) {
            EXPECT_EQ(std::count(tried.begin(), tried.end(), &it), 0);
            tried.push_back(&it);
            if (&it == &stranger) {
                is_served = true;
            } else {
                EXPECT_TRUE(admission().takes_message(it, 10)) << "it is its turn, whatever it waited for";
                wait(it, it.queue == static_cast<size_t>(Resource::kArena) + 1 ? Resource::kItsWorker
                                                                               : Resource::kArena);
            }
        });
    }
    EXPECT_TRUE(is_served);
}

TEST_F(AdmissionTest, WhoIsGoneLeavesAtOnce) {
    start();
    Connection& gone = client(1);
    wait(gone);
    EXPECT_TRUE(admission().has_waiting());
    parts_->life.abort(gone);
    EXPECT_FALSE(gone.waiting);
    EXPECT_FALSE(admission().has_waiting());
    wait(client(2));
    parts_->table.for_each([&](Connection& it) { parts_->life.destroy(it); });
    EXPECT_FALSE(admission().has_waiting());
    EXPECT_EQ(tried(), Order{});
}

TEST_F(AdmissionTest, WhoMayHaveTheLastOfTheMemoryForOutputIsNextForIt) {
    start();
    Connection &stranger = client(1), &known = client(2);
    known.known = true;
    wait(stranger, Resource::kOutMemory);
    wait(known, Resource::kOutMemory);
    EXPECT_EQ(tried(), (Order{&known, &stranger}));
}

TEST_F(AdmissionTest, WhenAllWaitTooLongOneIsRefusedForEachThatComes) {
    limits_.queue_ms = 200;
    start();
    transport_.accepting = false;
    Order refused;
    const auto pass = [&](uint64_t ms) {
        parts_->commons.now_ms += ms;
        admission().refuse_waiting([&](Connection& it) {
            refused.push_back(&it);
            admission().leave(it);
        });
    };
    Order crowd;
    for (int i = 0; i < 10; ++i)
        wait(*crowd.emplace_back(&client(1)));
    wait(client(2));
    pass(100);
    EXPECT_EQ(refused, Order{});
    pass(300);
    EXPECT_EQ(refused, Order{}) << "nobody has come since";
    wait(client(2));
    wait(client(3));
    pass(1);
    EXPECT_EQ(refused, (Order{crowd[9], crowd[8]}));
    pass(1);
    EXPECT_EQ(refused.size(), 2u);
    admission().begins(*crowd[0], 10);
    Connection& quick = client(5);
    wait(quick);
    admission().begins(quick, 10);
    pass(100);
    wait(client(6));
    pass(1);
    EXPECT_EQ(refused.size(), 2u) << "one has not waited";
}

}  // namespace
}  // namespace sluice
