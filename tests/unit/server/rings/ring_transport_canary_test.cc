// A generation that is tried out gets its share of the requests.
#include "ring_transport_driver.h"

namespace sluice::test {
namespace {

class CanariesInRings : public Transports {
  protected:
    void SetUp() override {
        layout_ = SharedLayout::create({.mode = 0,
                                        .reactors = 1,
                                        .worker_slots = kWorkers,
                                        .cells = 8,
                                        .ring_bytes = 1u << 20,
                                        .arena_bytes = 4 * kPage,
                                        .out_bytes = 4 * kPage});
        Transports::SetUp();
        start(0);
        transport_->worker_ready(kTried, {}, WorkerTakes::kShare);
        workers_[kTried].emplace(layout_, kTried);
    }
    /// Whether the worker for requests is the canary; gives it one, which it finishes unless it is stuck.
    bool canary_gets_next(bool is_stuck = false) {
        const int worker = transport_->worker_for_request(kClient);
        EXPECT_EQ(transport_->worker_for_request(kClient), worker) << "asking changes nothing";
        EXPECT_TRUE(deliver(worker, "x"));
        transport_->gave_request(worker);
        if (worker != kTried || !is_stuck) {
            Worker& taker = *workers_[static_cast<size_t>(worker)];
            taker.finish(*taker.take());
            poll();
        }
        return worker == kTried;
    }
    size_t canary_gets(size_t requests, bool is_stuck = false) {
        size_t got = 0;
        for (size_t i = 0; i < requests; ++i)
            got += canary_gets_next(is_stuck);
        return got;
    }

    static constexpr int kTried = 1;
};

TEST_F(CanariesInRings, GetTheirShareAndNoMore) {
    EXPECT_EQ(canary_gets(100), 0u) << "no share";
    transport_->set_canary_share(0.05);
    EXPECT_EQ(canary_gets(19), 0u);
    EXPECT_EQ(canary_gets(1981), 99u);
    transport_->set_canary_share(0.5);
    EXPECT_EQ(canary_gets(1000), 499u);
    transport_->set_canary_share(0);
    EXPECT_EQ(canary_gets(100), 0u);
}

TEST_F(CanariesInRings, AreCountedOnlyWhileTheyGetAShare) {
    EXPECT_FALSE(transport_->gave_request(0));
    transport_->set_canary_share(0.1);
    EXPECT_TRUE(transport_->gave_request(0));
    EXPECT_TRUE(transport_->gave_request(kTried));
    EXPECT_TRUE(transport_->is_canary(kTried));
    EXPECT_FALSE(transport_->is_canary(0));
}

TEST_F(CanariesInRings, GetNoConnectionsAndNothingElse) {
    transport_->set_canary_share(0.5);
    for (int times = 0; times < 10; ++times) {
        EXPECT_EQ(transport_->fewest_bound(), 0);
        transport_->bind(0);
        EXPECT_EQ(transport_->least_busy(), 0);
        transport_->gave_request(0);
    }
}

TEST_F(CanariesInRings, ThatAreStuckHoldNobodyUp) {
    transport_->set_canary_share(0.5);
    EXPECT_LE(canary_gets(1000, true), kMostContended);
    EXPECT_TRUE(transport_->takes_requests(true));
    EXPECT_EQ(transport_->worker_for_request(kClient), 0);
}

TEST_F(CanariesInRings, TakeAllMessagesWhenTheirTimeHasEnded) {
    transport_->set_canary_share(0.5);
    transport_->worker_draining(0);
    transport_->end_canary();
    EXPECT_FALSE(transport_->is_canary(kTried));
    EXPECT_EQ(transport_->least_busy(), kTried);
    EXPECT_EQ(transport_->fewest_bound(), kTried);
    EXPECT_EQ(canary_gets(10), 10u);
}

TEST_F(CanariesInRings, ThatAreRefusedFinishWhatTheyHave) {
    transport_->set_canary_share(0.5);
    EXPECT_EQ(canary_gets(4, true), 1u);
    transport_->worker_draining(kTried);
    transport_->end_canary();
    EXPECT_FALSE(transport_->is_ready(kTried));
    EXPECT_EQ(transport_->worker_for_request(kClient), 0);
    EXPECT_FALSE(transport_->is_idle(kTried));
    Worker& tried = *workers_[kTried];
    tried.finish(*tried.take());
    poll();
    EXPECT_TRUE(transport_->is_idle(kTried));
}

}  // namespace
}  // namespace sluice::test
