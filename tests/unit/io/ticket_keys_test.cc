#include "io/ticket_keys.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(TicketKeys, OfOneSeedTheyStayAlikeAndNoEpochHasTheSecretOfAnother) {
    uint64_t now_ms = 100 * TicketKeys::kEpochMs;
    const auto clock = [&now_ms] { return now_ms; };
    TicketKeys first(clock), second(clock);
    EXPECT_NE(first.seed().secret, second.seed().secret);
    second.adopt(first.seed());
    auto before = first.seed();
    EXPECT_EQ(before.epoch, 100u);
    for (int epochs = 1; epochs < 4; ++epochs) {
        now_ms += static_cast<uint64_t>(epochs) * TicketKeys::kEpochMs;
        const auto now = first.seed();
        EXPECT_EQ(now.epoch, now_ms / TicketKeys::kEpochMs);
        EXPECT_EQ(now.secret, second.seed().secret);
        EXPECT_NE(now.secret, before.secret);
        before = now;
    }
}

}  // namespace
}  // namespace sluice
