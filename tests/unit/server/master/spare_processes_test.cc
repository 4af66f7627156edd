#include "server/master/spare_processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/config/config.h"

namespace sluice {
namespace {

ServerConfig config_with(unsigned processes) {
    ServerConfig config;
    config.endpoints.resize(2);
    config.endpoints[1].processes = processes;
    config.endpoints[1].processes_of = 1;
    return config;
}

void tell(SpareProcesses& spares, const UniqueFd& teller, pid_t pid) {
    const uint64_t note = SpareProcesses::note_of(pid);
    ASSERT_EQ(write(teller.get(), &note, sizeof note), static_cast<ssize_t>(sizeof note));
    spares.hear();
}

TEST(SpareProcesses, NobodyWantsAny) {
    EXPECT_TRUE(SpareProcesses(ServerConfig()).empty());
    EXPECT_TRUE(SpareProcesses(config_with(0)).empty());
}

TEST(SpareProcesses, SomeAreForkedAheadAndNeverMoreThanThereMayBe) {
    SpareProcesses spares(config_with(3));
    EXPECT_EQ(spares.next(0), 0);
    spares.forked(0, 100);
    EXPECT_EQ(spares.next(0), 0);
    spares.forked(0, 101);
    EXPECT_EQ(spares.next(0), -1);
    EXPECT_EQ(spares.wait_ms(0), -1);

    UniqueFd teller(dup(spares.teller_fd()));
    tell(spares, teller, 100);
    EXPECT_EQ(spares.next(0), 0);
    spares.forked(0, 102);
    tell(spares, teller, 101);
    tell(spares, teller, 102);
    EXPECT_EQ(spares.next(0), -1) << "three processes are at work";
    EXPECT_TRUE(spares.forget(101, 0, 0));
    EXPECT_EQ(spares.next(0), 0);
    EXPECT_FALSE(spares.forget(101, 0, 0));
}

TEST(SpareProcesses, ThoseThatCannotStartAreTriedEverMoreSlowly) {
    SpareProcesses spares(config_with(1));
    uint64_t now_ms = 1000;
    int before_ms = 0;
    for (int failure = 0; failure < 3; ++failure) {
        spares.forked(0, 100);
        EXPECT_TRUE(spares.forget(100, W_EXITCODE(255, 0), now_ms));
        EXPECT_EQ(spares.next(now_ms), -1);
        EXPECT_GT(spares.wait_ms(now_ms), before_ms);
        before_ms = spares.wait_ms(now_ms);
        now_ms += static_cast<uint64_t>(before_ms);
        EXPECT_EQ(spares.next(now_ms), 0);
    }
}

TEST(SpareProcesses, RequestsGoThroughTheQueueOfTheirSite) {
    SpareProcesses for_worker(config_with(1));
    std::vector<FdChannel> ends = for_worker.take_ends();
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_FALSE(ends[0]);
    EXPECT_TRUE(ends[1]);
    SpareProcesses for_process(config_with(1));
    EXPECT_TRUE(for_process.take_queue(0));
    EXPECT_TRUE(for_process.take_teller());
}

}  // namespace
}  // namespace sluice
