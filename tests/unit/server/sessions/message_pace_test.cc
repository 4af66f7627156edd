#include "server/sessions/message_pace.h"

#include <gtest/gtest.h>

#include "server/config/protocol_limits.h"

namespace sluice {
namespace {

class MessagePaceTest : public testing::Test {
  protected:
    MessagePaceTest() {
        limits_.message_ms = 10'000;
        limits_.message_bytes_per_second = 100;
    }
    TcpLimits limits_;
    MessagePace pace_;
};

TEST_F(MessagePaceTest, WhoDripsIsOverdueOnePauseAfterItBegan) {
    EXPECT_FALSE(pace_.is_overdue(UINT64_MAX));
    pace_.came(1);
    pace_.progressed(1000, limits_);
    EXPECT_EQ(pace_.due_ms(), 11'000u) << "the first bytes move the deadline no further than the pause";
    for (uint64_t now_ms = 2000; now_ms <= 10'000; now_ms += 1000) {
        pace_.came(1);
        pace_.progressed(now_ms, limits_);
    }
    EXPECT_EQ(pace_.due_ms(), 11'000u + 9 * 10);
    EXPECT_FALSE(pace_.is_overdue(11'089));
    EXPECT_TRUE(pace_.is_overdue(11'090));
}

TEST_F(MessagePaceTest, WhoKeepsTheRateNeverIs) {
    for (uint64_t now_ms = 1000; now_ms <= 100'000; now_ms += 1000) {
        pace_.came(100);
        pace_.progressed(now_ms, limits_);
        EXPECT_FALSE(pace_.is_overdue(now_ms + 9999));
    }
}

TEST_F(MessagePaceTest, EachMessageHasItsOwn) {
    pace_.came(1);
    pace_.progressed(1000, limits_);
    pace_.ended();
    EXPECT_EQ(pace_.due_ms(), 0u);
    pace_.came(1);
    pace_.progressed(9000, limits_);
    EXPECT_EQ(pace_.due_ms(), 19'000u);
    pace_.begin_again(30'000, limits_);
    EXPECT_EQ(pace_.due_ms(), 40'000u);
}

TEST_F(MessagePaceTest, WithoutALeastRateAnyByteBuysAPause) {
    limits_.message_bytes_per_second = 0;
    for (uint64_t now_ms = 1000; now_ms <= 100'000; now_ms += 9000) {
        pace_.came(1);
        pace_.progressed(now_ms, limits_);
        EXPECT_EQ(pace_.due_ms(), now_ms + 10'000);
    }
}

}  // namespace
}  // namespace sluice
