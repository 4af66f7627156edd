#include "server/master/script_pools.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/config/config.h"

namespace sluice {
namespace {

ServerConfig config_with(unsigned most, const ScriptPool& bounds) {
    ServerConfig config;
    config.endpoints.resize(2);
    config.endpoints[1].processes = most;
    config.endpoints[1].processes_of = 1;
    config.endpoints[1].runs_scripts = true;
    config.endpoints[1].script_pool = bounds;
    return config;
}

TEST(ScriptPools, NobodyWantsAny) {
    EXPECT_TRUE(ScriptPools(ServerConfig()).empty());
    ServerConfig config = config_with(3, {});
    config.endpoints[1].runs_scripts = false;
    EXPECT_TRUE(ScriptPools(config).empty());
}

TEST(ScriptPools, OneMoreIsForkedWhenNoneIsFree) {
    ScriptPools pools(config_with(3, {.least = 1}));
    ASSERT_EQ(pools.next(0), 0);
    EXPECT_EQ(pools.make_place(0), 0u);
    pools.forked(0, 0, 100);
    EXPECT_EQ(pools.next(0), -1);
    EXPECT_EQ(pools.wait_ms(0), -1);
    ScriptSeat seat = ScriptPools(config_with(1, {})).take_seat(0, 0);
    EXPECT_TRUE(seat.socket);
}

TEST(ScriptPools, ThoseThatCannotStartAreTriedEverMoreSlowly) {
    ScriptPools pools(config_with(1, {.least = 1}));
    uint64_t now_ms = 1000;
    int before_ms = 0;
    for (int failure = 0; failure < 3; ++failure) {
        pools.forked(0, pools.make_place(0), 100);
        EXPECT_TRUE(pools.forget(100, W_EXITCODE(255, 0), now_ms));
        EXPECT_EQ(pools.next(now_ms), -1);
        EXPECT_GT(pools.wait_ms(now_ms), before_ms);
        before_ms = pools.wait_ms(now_ms);
        now_ms += static_cast<uint64_t>(before_ms);
        EXPECT_EQ(pools.next(now_ms), 0);
    }
    EXPECT_FALSE(pools.forget(100, 0, now_ms));
}

TEST(ScriptPools, AWorkerHasALinkForEachProcess) {
    std::vector<ScriptProcesses> of_worker = ScriptPools(config_with(2, {})).take_processes();
    ASSERT_EQ(of_worker.size(), 2u);
    EXPECT_FALSE(of_worker[0]);
    EXPECT_TRUE(of_worker[1]);
}

}  // namespace
}  // namespace sluice
