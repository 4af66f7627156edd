#include "io/poller_loop.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

#include "core/clock.h"
#include "io/doorbell.h"

namespace sluice {
namespace {

constexpr int kReadyDeadlineMs = 10'000;

/// What every EventLoop promises; a further implementation takes these tests over.
class EventLoopContract : public testing::Test {
  protected:
    void SetUp() override {
        int pair[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        ours.reset(pair[0]);
        theirs.reset(pair[1]);
    }
    /// Waits until a descriptor is ready, or until the timeout.
    std::vector<ReadyFd> ready(int timeout_ms) {
        std::vector<ReadyFd> found;
        const uint64_t due_ms = monotonic_ms() + static_cast<uint64_t>(timeout_ms);
        do {
            const uint64_t now_ms = monotonic_ms();
            loop.wait(now_ms < due_ms ? static_cast<int>(due_ms - now_ms) : 0);
            loop.take_ready(found);
        } while (found.empty() && monotonic_ms() < due_ms);
        return found;
    }
    void say() { ASSERT_EQ(write(theirs.get(), "x", 1), 1); }

    PollerLoop loop;
    UniqueFd ours, theirs;
};

TEST_F(EventLoopContract, TellsOnce) {
    ASSERT_TRUE(loop.watch(ours.get(), POLLIN));
    EXPECT_TRUE(ready(0).empty());
    say();
    const std::vector<ReadyFd> found = ready(kReadyDeadlineMs);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].fd, ours.get());
    EXPECT_TRUE(found[0].events & POLLIN);
    EXPECT_TRUE(ready(0).empty()) << "a watch tells once, though the descriptor is still readable";
    ASSERT_TRUE(loop.watch(ours.get(), POLLIN));
    EXPECT_EQ(ready(kReadyDeadlineMs).size(), 1u) << "a descriptor that is watched again is told again";
}

TEST_F(EventLoopContract, WatchingReplaces) {
    ASSERT_TRUE(loop.watch(ours.get(), POLLIN));
    ASSERT_TRUE(loop.watch(ours.get(), POLLOUT));
    const std::vector<ReadyFd> found = ready(kReadyDeadlineMs);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].events, static_cast<uint32_t>(POLLOUT));
}

TEST_F(EventLoopContract, HangUpsAreToldThoughNobodyAsked) {
    ASSERT_TRUE(loop.watch(ours.get(), 0));
    theirs.reset();
    const std::vector<ReadyFd> found = ready(kReadyDeadlineMs);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].events & POLLHUP);
}

TEST_F(EventLoopContract, ClosingForgets) {
    ASSERT_TRUE(loop.watch(ours.get(), POLLIN));
    say();
    ours.reset();
    EXPECT_TRUE(ready(20).empty());
}

TEST_F(EventLoopContract, ANumberUsedAgainIsWatchedAnew) {
    ASSERT_TRUE(loop.watch(ours.get(), POLLIN));
    const int number = ours.get();
    ours.reset();
    UniqueFd bell(eventfd(0, EFD_NONBLOCK));
    ASSERT_EQ(bell.get(), number);
    ASSERT_TRUE(loop.watch(bell.get(), POLLIN));
    EXPECT_TRUE(ready(0).empty());
    Doorbell::ring(bell.get());
    EXPECT_EQ(ready(kReadyDeadlineMs).size(), 1u);
}

TEST_F(EventLoopContract, SaysWhatCannotBeWatched) {
    errno = 0;
    EXPECT_FALSE(loop.watch(-1, POLLIN));
    EXPECT_EQ(errno, EBADF);
    FILE* file = tmpfile();
    ASSERT_TRUE(file);
    errno = 0;
    EXPECT_FALSE(loop.watch(fileno(file), POLLIN)) << "a regular file is always ready";
    EXPECT_EQ(errno, EPERM);
    fclose(file);
}

TEST_F(EventLoopContract, WaitsAsLongAsItMay) {
    const uint64_t begun_ms = monotonic_ms();
    EXPECT_TRUE(ready(30).empty());
    EXPECT_GE(monotonic_ms() - begun_ms, 30u);
}

TEST_F(EventLoopContract, AWaitWithoutLimitEndsWhenADescriptorIsReady) {
    ASSERT_TRUE(loop.watch(ours.get(), POLLIN));
    std::thread other([&] { say(); });
    std::vector<ReadyFd> found;
    while (found.empty()) {
        loop.wait(-1);
        loop.take_ready(found);
    }
    other.join();
    EXPECT_EQ(found[0].fd, ours.get());
}

TEST_F(EventLoopContract, MoreThanOneCallReturns) {
    constexpr size_t kCount = 400;
    std::vector<UniqueFd> bells;
    for (size_t index = 0; index < kCount; ++index) {
        bells.emplace_back(eventfd(1, EFD_NONBLOCK));
        ASSERT_TRUE(loop.watch(bells.back().get(), POLLIN));
    }
    size_t told = 0;
    for (std::vector<ReadyFd> found; !(found = ready(0)).empty();)
        told += found.size();
    EXPECT_EQ(told, kCount);
}

}  // namespace
}  // namespace sluice
