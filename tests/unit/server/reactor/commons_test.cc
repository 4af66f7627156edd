#include "server/reactor/commons.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class CommonsTest : public testing::Test {
  protected:
    std::unique_ptr<Commons> commons_of(unsigned reactors) {
        layout_ = SharedLayout::create({.mode = 0,
                                        .reactors = reactors,
                                        .worker_slots = 2,
                                        .cells = 64,
                                        .ring_bytes = 4096,
                                        .arena_bytes = 4096,
                                        .out_bytes = 4096});
        return std::make_unique<Commons>(layout_, 0, limits_, transport_, sessions_, poller_, "");
    }
    static unsigned most_of(Budget& budget) {
        unsigned most = 0;
        while (most < 100 && budget.take(most))
            ++most;
        return most;
    }

    Limits limits_;
    SharedLayout layout_;
    test::FakeTransport transport_;
    test::SessionScript script_;
    test::FakeSessions sessions_{script_};
    Poller poller_;
};

TEST_F(CommonsTest, EachReactorHasItsShare) {
    limits_.handshakes = 10;
    EXPECT_EQ(most_of(commons_of(1)->handshakes), 10u);
    EXPECT_EQ(most_of(commons_of(2)->handshakes), 5u);
}

TEST_F(CommonsTest, AShareIsNeverNothing) {
    limits_.handshakes = 1;
    limits_.body_streams = 1;
    const auto commons = commons_of(4);
    EXPECT_EQ(most_of(commons->handshakes), 1u);
    EXPECT_TRUE(commons->body_streams.begin(1));
    EXPECT_FALSE(commons->body_streams.begin(1));
}

}  // namespace
}  // namespace sluice
