#include "server/sharing/fair_queue.h"

#include <functional>
#include <gtest/gtest.h>
#include <queue>
#include <vector>

namespace sluice {
namespace {

/// Workers that handle what a FairQueue gives them, in virtual time.
class Simulation {
  public:
    explicit Simulation(unsigned workers = 2, uint64_t target_ms = 0)
        : queue_(costs_, target_ms), free_(workers) {}

    /// A request comes at this time, and costs so much; `done` is told how long it has waited for a worker.
    void request(uint64_t at_us, uint64_t client, uint64_t connection, uint32_t cost_us,
                 std::function<void(uint64_t wait_us)> done) {
        at(at_us, [=, this, done = std::move(done)] {
            const uint64_t item = ++items_;
            requests_[item] = {client, connection, cost_us, now_us_, done};
            queue_.add({client, connection}, item, clock_us());
            serve();
            if (queue_.is_overloaded(clock_us()) && queue_.has_next()) refuse();
            longest_queue_ = std::max(longest_queue_, queue_.size());
        });
    }
    /// A connection that asks again and again: as soon as it has its answer, and `pause_us` later.
    void asks(uint64_t client, uint64_t connection, uint32_t cost_us, uint64_t pause_us,
              std::vector<uint64_t>* waits = nullptr, uint64_t from_us = 0) {
        request(from_us, client, connection, cost_us, [=, this](uint64_t wait_us) {
            if (waits) waits->push_back(wait_us);
            asks(client, connection, cost_us, pause_us, waits, now_us_ + pause_us);
        });
    }
    void at(uint64_t us, std::function<void()> what) { events_.push({us, ++order_, std::move(what)}); }
    void run(uint64_t until_us) {
        while (!events_.empty() && events_.top().at_us <= until_us) {
            const Event event = events_.top();
            events_.pop();
            now_us_ = event.at_us;
            event.what();
        }
        now_us_ = until_us;
    }

    FairQueue& queue() { return queue_; }
    uint64_t now_us() const { return now_us_; }
    uint64_t clock_us() const { return 1'000'000'000 + now_us_; }
    uint64_t used_us(uint64_t client) { return used_us_[client]; }
    /// How many requests of a client, and of a connection, were refused; and how many waited at most.
    size_t refused(uint64_t client) { return refused_[client]; }
    size_t refused_of_connection(uint64_t connection) { return refused_of_connection_[connection]; }
    size_t longest_queue() const { return longest_queue_; }

  private:
    struct Event {
        uint64_t at_us, order;
        std::function<void()> what;
        bool operator<(const Event& other) const {
            return std::tie(at_us, order) > std::tie(other.at_us, other.order);
        }
    };
    struct Request {
        uint64_t client, connection;
        uint32_t cost_us;
        uint64_t since_us;
        std::function<void(uint64_t)> done;
    };

    void refuse() {
        const uint64_t item = queue_.newest_of_fattest(clock_us());
        const Request request = requests_[item];
        ++refused_[request.client];
        ++refused_of_connection_[request.connection];
        queue_.remove(item);
        requests_.erase(item);
    }
    void serve() {
        for (; free_ > 0 && !queue_.empty(); --free_) {
            const uint64_t item = queue_.next(clock_us());
            const Request request = requests_[item];
            requests_.erase(item);
            queue_.begin(item, clock_us());
            const uint64_t wait_us = now_us_ - request.since_us;
            at(now_us_ + request.cost_us, [=, this] {
                ++free_;
                used_us_[request.client] += request.cost_us;
                costs_.charge(request.client, request.cost_us, clock_us() / 1000);
                costs_.charge(FlowCosts::of_connection(request.connection), request.cost_us,
                              clock_us() / 1000);
                request.done(wait_us);
                serve();
            });
        }
    }

    std::vector<CostCell> cells_ = std::vector<CostCell>(FlowCosts::cells_for(65536));
    FlowCosts costs_{cells_};
    FairQueue queue_;
    unsigned free_;
    uint64_t now_us_ = 0, order_ = 0, items_ = 0;
    std::priority_queue<Event> events_;
    std::unordered_map<uint64_t, Request> requests_;
    std::unordered_map<uint64_t, uint64_t> used_us_;
    std::unordered_map<uint64_t, size_t> refused_, refused_of_connection_;
    size_t longest_queue_ = 0;
};

constexpr uint64_t kMs = 1000, kSecond = 1'000'000;
constexpr uint64_t kCrowd = 7, kStranger = 8, kThird = 9;

uint64_t longest(const std::vector<uint64_t>& waits) {
    return waits.empty() ? UINT64_MAX : *std::max_element(waits.begin(), waits.end());
}

TEST(FairQueueTest, TheOldestIsWhoHasWaitedLongestWhereverItStands) {
    std::vector<CostCell> cells(FlowCosts::cells_for(64));
    FairQueue queue(FlowCosts(cells), 0);
    EXPECT_EQ(queue.oldest_us(), 0u);
    queue.add({1, 1}, 11, 1000, 1000);
    queue.add({2, 2}, 12, 500, 2000);  // it has waited for something else before
    queue.add({3, 3}, 13, 3000, 3000);
    EXPECT_EQ(queue.oldest_us(), 500u);
    queue.put_behind(12, 4000);
    queue.end_pass();
    EXPECT_EQ(queue.oldest_us(), 500u) << "it goes on waiting";
    queue.begin(12, 5000);
    EXPECT_EQ(queue.oldest_us(), 1000u);
    queue.remove(11);
    queue.remove(13);
    EXPECT_EQ(queue.oldest_us(), 0u);
}

TEST(FairQueueTest, AStrangerGoesBeforeACrowdOfOneAddress) {
    Simulation simulation;
    for (uint64_t connection = 0; connection < 300; ++connection)
        simulation.asks(kCrowd, connection, 1 * kMs, 0);
    std::vector<uint64_t> waits;
    simulation.asks(kStranger, 1000, 1 * kMs, 50 * kMs, &waits, kSecond);
    simulation.run(10 * kSecond);
    EXPECT_GT(waits.size(), 150u);
    EXPECT_LE(longest(waits), 1 * kMs) << "what is being handled, and nothing else";
}

TEST(FairQueueTest, WhoSharesTheAddressOfACrowdGoesBeforeIt) {
    Simulation simulation;
    for (uint64_t connection = 0; connection < 300; ++connection)
        simulation.asks(kCrowd, connection, 1 * kMs, 0);
    std::vector<uint64_t> waits;
    simulation.asks(kCrowd, 1000, 1 * kMs, 500 * kMs, &waits, kSecond);
    simulation.run(20 * kSecond);
    EXPECT_GT(waits.size(), 30u);
    EXPECT_LE(longest(waits), 2 * kMs);
}

TEST(FairQueueTest, FlowsThatAlwaysWaitShareByCost) {
    Simulation simulation;
    // One asks for pages of 10 ms on 20 connections, one for pages of 100 µs on two.
    for (uint64_t connection = 0; connection < 20; ++connection)
        simulation.asks(kCrowd, connection, 10 * kMs, 0);
    for (uint64_t connection = 100; connection < 104; ++connection)
        simulation.asks(kStranger, connection, 100, 0);
    simulation.run(20 * kSecond);
    const double share = static_cast<double>(simulation.used_us(kStranger)) / (2.0 * 20 * kSecond);
    // Not half of it: where both workers are in the midst of pages of 10 ms, the quick ones wait for one to
    // end.
    EXPECT_GT(share, 0.25);
    EXPECT_LT(share, 0.6);
}

TEST(FairQueueTest, WhoStopsIsAsAnyOtherWithinTwoSeconds) {
    Simulation simulation;
    for (uint64_t connection = 0; connection < 300; ++connection)
        simulation.asks(kThird, connection, 1 * kMs, 0);
    // A load of its own for five seconds.
    for (uint64_t connection = 1000; connection < 1100; ++connection)
        for (uint64_t number = 0; number < 50; ++number)
            simulation.request(number, kCrowd, connection, 1 * kMs, [](uint64_t) {});
    simulation.run(12 * kSecond);
    ASSERT_TRUE(simulation.queue().has_none_but(kThird));
    std::vector<uint64_t> waits;
    simulation.asks(kCrowd, 5000, 1 * kMs, 500 * kMs, &waits, 14 * kSecond);
    simulation.run(20 * kSecond);
    EXPECT_GT(waits.size(), 8u);
    EXPECT_LE(longest(waits), 2 * kMs);
}

TEST(FairQueueTest, NobodyWaitsForEver) {
    // Old flows whose costs differ a thousandfold, and new ones all the time.
    Simulation simulation;
    std::vector<std::vector<uint64_t>> waits(20);
    for (uint64_t client = 0; client < waits.size(); ++client)
        for (uint64_t connection = 0; connection < 5; ++connection)
            simulation.asks(100 + client, 100 * client + connection,
                            static_cast<uint32_t>(50 << (client % 10)), 0, &waits[client]);
    for (uint64_t number = 0; number < 20'000; ++number)
        simulation.request(number * kMs, 1'000'000 + number, 1'000'000 + number, 500, [](uint64_t) {});
    simulation.run(20 * kSecond);
    for (const std::vector<uint64_t>& of_client : waits)
        EXPECT_LE(longest(of_client), 5 * kSecond);
}

TEST(FairQueueTest, AMillionFlowsHaveTheirTurnsInTheOrderOfTheirComing) {
    std::vector<CostCell> cells(FlowCosts::cells_for(65536));
    FairQueue queue{FlowCosts(cells)};
    for (uint64_t client = 1; client <= 1'000'000; ++client)
        queue.add({client, client}, client, client);
    for (uint64_t client = 1; client <= 1'000'000; ++client) {
        ASSERT_EQ(queue.next(kSecond), client);
        queue.begin(client, kSecond);
    }
    EXPECT_TRUE(queue.empty());
}

TEST(FairQueueTest, OfAThousandThatComeAtOnceTheFirstOnesTellWhatTheOthersCost) {
    Simulation simulation;
    for (uint64_t connection = 0; connection < 1000; ++connection)
        simulation.request(0, kCrowd, connection, 5 * kMs, [](uint64_t) {});
    std::vector<uint64_t> waits;
    simulation.asks(kStranger, 5000, 5 * kMs, 200 * kMs, &waits, 300 * kMs);
    simulation.run(2 * kSecond);
    EXPECT_GT(waits.size(), 6u);
    EXPECT_LE(longest(waits), 5 * kMs) << "what is being handled";
}

TEST(FairQueueTest, WhoWaitsForEachAnswerGoesBeforeACrowdThatDoesNot) {
    // Ten thousand clients, none of whom costs much, and all of whom always have a request that waits.
    std::vector<CostCell> cells(FlowCosts::cells_for(65536));
    FairQueue queue{FlowCosts(cells)};
    for (uint64_t client = 100; client < 10'100; ++client)
        queue.add({client, client, true}, client, 0);
    queue.add({kStranger, kStranger}, 1, 100 * kMs);
    EXPECT_EQ(queue.next(100 * kMs), 1u);
    queue.begin(1, 100 * kMs);
    queue.add({kStranger, kStranger}, 1, FairQueue::kBackloggedUs + 1);
    EXPECT_EQ(queue.next(FairQueue::kBackloggedUs + 1), 100u) << "for some seconds";
}

TEST(FairQueueTest, WhoIsGoneLeavesAtOnce) {
    std::vector<CostCell> cells(FlowCosts::cells_for(1024));
    FairQueue queue{FlowCosts(cells)};
    for (uint64_t item = 0; item < 10; ++item)
        queue.add({kCrowd, item / 2}, item, 0);
    queue.add({kStranger, 50}, 50, 0);
    EXPECT_FALSE(queue.has_none_but(kStranger));
    for (uint64_t item = 0; item < 10; ++item)
        EXPECT_TRUE(queue.remove(item));
    EXPECT_FALSE(queue.remove(0));
    EXPECT_TRUE(queue.has_none_but(kStranger));
    EXPECT_EQ(queue.next(0), 50u);
}

TEST(FairQueueTest, WhoIsPassedOverKeepsItsPlace) {
    std::vector<CostCell> cells(FlowCosts::cells_for(1024));
    FairQueue queue{FlowCosts(cells)};
    for (uint64_t item = 1; item <= 3; ++item)
        queue.add({item, item}, item, item);
    queue.pass_over(1);
    EXPECT_EQ(queue.next(10), 2u);
    queue.pass_over(2);
    EXPECT_TRUE(queue.has(2));
    EXPECT_TRUE(queue.remove(2)) << "while it is passed over";
    EXPECT_EQ(queue.next(10), 3u);
    queue.pass_over(3);
    EXPECT_FALSE(queue.has_next());
    EXPECT_FALSE(queue.empty());
    queue.end_pass();
    EXPECT_EQ(queue.next(10), 1u);
    EXPECT_EQ(queue.newest_of_fattest(10), 3u);
    EXPECT_EQ(queue.size(), 2u);
}

TEST(FairQueueTest, WhoWantsTooMuchStandsBehindThoseWhoWait) {
    std::vector<CostCell> cells(FlowCosts::cells_for(1024));
    FairQueue queue{FlowCosts(cells)};
    for (uint64_t item = 1; item <= 8; ++item)
        queue.add({kCrowd, item}, item, item);
    for (uint64_t item = 1; item <= FairQueue::kMostInVain; ++item) {
        ASSERT_EQ(queue.next(10), item);
        queue.put_behind(item, 100 + item);
    }
    EXPECT_FALSE(queue.has_next());
    queue.end_pass();
    EXPECT_EQ(queue.next(10), FairQueue::kMostInVain + 1);
    queue.remove(FairQueue::kMostInVain + 1);
    EXPECT_EQ(queue.size(), 7u);
}

TEST(FairQueueTest, WhoHasItsShareStandsInNobodysWay) {
    std::vector<CostCell> cells(FlowCosts::cells_for(1024));
    FairQueue queue{FlowCosts(cells)};
    for (uint64_t item = 100; item < 1100; ++item)
        queue.add({kCrowd, item}, item, 0);
    queue.add({kStranger, 1}, 1, 1000);
    for (int pass = 0; pass < 2; ++pass) {
        size_t tries = 0;
        for (; queue.next(2000) != 1; ++tries)
            queue.pass_over(queue.next(2000));
        EXPECT_EQ(tries, FairQueue::kMostInVain);
        queue.pass_over(1);
        EXPECT_FALSE(queue.has_next());
        queue.end_pass();
        EXPECT_EQ(queue.next(2000), 100u);
    }
    EXPECT_EQ(queue.size(), 1001u);
}

TEST(FairQueueTest, WhoseLeastWaitIsLongIsOverloaded) {
    std::vector<CostCell> cells(FlowCosts::cells_for(1024));
    FairQueue queue(FlowCosts(cells), 100);
    for (uint64_t item = 0; item < 20; ++item)
        queue.add({kCrowd, item}, item, 0);
    queue.add({kStranger, 50}, 50, 10'000);
    EXPECT_FALSE(queue.is_overloaded(50'000));
    EXPECT_TRUE(queue.is_overloaded(300'000)) << "nothing has begun";
    queue.remove(50);
    EXPECT_EQ(queue.newest_of_fattest(300'000), 19u) << "the newest";
    EXPECT_TRUE(queue.remove(19));
    EXPECT_EQ(queue.newest_of_fattest(300'000), 18u);
    queue.add({kThird, 60}, 60, 390'000);
    queue.begin(60, 400'000);
    EXPECT_FALSE(queue.is_overloaded(450'000)) << "one has waited for 10 ms alone";
    queue.begin(10, 500'000);
    EXPECT_TRUE(queue.is_overloaded(600'000));
}

TEST(FairQueueTest, OfCrowdsThatAskForTwiceWhatThereIsTheNewestAreRefusedAndNobodyElse) {
    constexpr uint64_t kTargetMs = 200, kNeighbour = 50'000;
    Simulation simulation(2, kTargetMs);
    // Three crowds, who do not wait for their answers: four pages of 1 ms in each millisecond, for two
    // workers.
    for (uint64_t number = 0; number < 40'000; ++number)
        simulation.request(number * 250, 100 + number % 3, number % 300, 1 * kMs, [](uint64_t) {});
    std::vector<uint64_t> waits;
    simulation.asks(kStranger, kNeighbour + 1, 1 * kMs, 500 * kMs, &waits, kSecond);
    simulation.asks(101, kNeighbour, 1 * kMs, 500 * kMs, &waits, kSecond);
    simulation.run(10 * kSecond);
    EXPECT_EQ(simulation.refused(kStranger), 0u);
    EXPECT_EQ(simulation.refused_of_connection(kNeighbour), 0u) << "at the address of a crowd";
    const size_t refused = simulation.refused(100) + simulation.refused(101) + simulation.refused(102);
    EXPECT_GT(refused, 15'000u);
    EXPECT_LT(simulation.longest_queue(), 4'000u) << "20,000 without a limit";
    simulation.run(14 * kSecond);
    const size_t by_then = simulation.refused(100) + simulation.refused(101) + simulation.refused(102);
    waits.clear();
    simulation.asks(101, kNeighbour + 2, 1 * kMs, 50 * kMs, &waits);
    simulation.run(20 * kSecond);
    EXPECT_EQ(simulation.refused(100) + simulation.refused(101) + simulation.refused(102), by_then);
    EXPECT_LE(longest(waits), 2 * kMs);
}

TEST(FairQueueTest, WhoHasCostMuchIsRefusedBeforeWhoHasMoreWaiting) {
    std::vector<CostCell> cells(FlowCosts::cells_for(1024));
    const FlowCosts costs(cells);
    FairQueue queue(costs, 100);
    costs.charge(kCrowd, 10 * FairQueue::kQuantumUs, 0);
    for (uint64_t item = 1; item <= 6; ++item)
        queue.add({kStranger, item}, item, item);
    queue.add({kCrowd, 7}, 7, 0);
    EXPECT_EQ(queue.newest_of_fattest(0), 7u);
    queue.remove(7);
    EXPECT_EQ(queue.newest_of_fattest(0), 6u);
}

TEST(FairQueueTest, OfFirstComersWhoCameLastIsRefused) {
    std::vector<CostCell> cells(FlowCosts::cells_for(65536));
    FairQueue queue(FlowCosts(cells), 100);
    for (uint64_t client = 1; client <= 1000; ++client)
        queue.add({client, client}, client, client);
    for (uint64_t client = 1000; client > 0; --client) {
        ASSERT_EQ(queue.newest_of_fattest(2000), client);
        queue.remove(client);
    }
}

}  // namespace
}  // namespace sluice
