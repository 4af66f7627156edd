#include "server/reactor/descriptor_reserve.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "core/unique_fd.h"
#include "server/config/config.h"

namespace sluice {
namespace {

SharedLayout::Shape shape_of(Mode mode) {
    return {
        .mode = static_cast<uint32_t>(mode), .reactors = mode == Mode::kBase ? 8u : 2u, .worker_slots = 8};
}

TEST(DescriptorReserve, ItCoversWhatTheLimitsAllow) {
    Limits limits;
    limits.open_files = 1000;
    limits.body_streams = 100;
    limits.temporary_file_bytes = 64u << 20;
    EXPECT_GE(DescriptorReserve::wanted(limits, shape_of(Mode::kProcess)), 1000u + 2 * 100 + 1024 + 2 * 8);
    // Four workers serve at a time, and each has a quarter; files of bodies may all be in one.
    EXPECT_GE(DescriptorReserve::wanted(limits, shape_of(Mode::kBase)), 250u + 3 * 25 + 2 * 1024);
}

TEST(DescriptorReserve, ALowLimitIsMostlyForConnections) {
    for (const uint64_t free : {0u, 3u, 40u, 19'900u}) {
        EXPECT_EQ(DescriptorReserve::of(1'000'000, free), free / 4);
        EXPECT_EQ(DescriptorReserve::of(5, free), std::min<uint64_t>(5, free / 4));
    }
}

TEST(DescriptorReserve, WhoHasAsManyAsItSaysHasRoomForAllConnections) {
    for (const uint64_t wanted : {0u, 5u, 20'000u}) {
        for (const uint64_t connections : {1u, 2u, 3u, 4u, 5u, 500u, 65'536u}) {
            const auto left = [&](uint64_t free) { return free - DescriptorReserve::of(wanted, free); };
            const uint64_t free = DescriptorReserve::with(wanted, connections);
            EXPECT_GE(left(free), connections) << wanted;
            EXPECT_LE(left(free - 1), connections) << wanted << ": no more than needed";
        }
    }
}

TEST(DescriptorReserve, AFewConnectionsMayHaveAnyNumber) {
    DescriptorReserve reserve(1000);
    EXPECT_TRUE(reserve.are_few(0));
    EXPECT_FALSE(reserve.are_few(16));
}

class LimitOfDescriptors : public testing::Test {
  protected:
    void SetUp() override { ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0); }
    void TearDown() override { setrlimit(RLIMIT_NOFILE, &before_); }

    static int next() { return UniqueFd(dup(STDIN_FILENO)).get(); }
    void allow_more(int count) const {
        rlimit limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(next() + count);
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    }

    rlimit before_;
};

TEST_F(LimitOfDescriptors, TheLastOnesAreReserved) {
    allow_more(40);
    DescriptorReserve reserve(1000);
    const int first = next();
    EXPECT_TRUE(reserve.is_near());
    EXPECT_FALSE(reserve.is_next(STDIN_FILENO));
    EXPECT_FALSE(reserve.has(first + 29));
    EXPECT_TRUE(reserve.has(first + 30));
    std::vector<UniqueFd> fds;
    for (int i = 0; i < 30; ++i)
        fds.emplace_back(dup(STDIN_FILENO));
    EXPECT_TRUE(reserve.is_next(STDIN_FILENO));
    fds[3].reset();
    EXPECT_FALSE(reserve.is_next(STDIN_FILENO));
    while (UniqueFd fd{dup(STDIN_FILENO)})
        fds.push_back(std::move(fd));
    EXPECT_TRUE(reserve.is_next(STDIN_FILENO)) << "there is none";
}

TEST_F(LimitOfDescriptors, AChangedLimitCounts) {
    allow_more(400);
    DescriptorReserve reserve(1000);
    const int first = next();
    EXPECT_FALSE(reserve.has(first + 299));
    EXPECT_TRUE(reserve.is_near());
    EXPECT_FALSE(reserve.has(first + 100));
    EXPECT_FALSE(reserve.is_near());
    allow_more(40);
    reserve.look();
    EXPECT_TRUE(reserve.is_near());
    EXPECT_TRUE(reserve.has(first + 30));
    allow_more(4000);
    reserve.look();
    EXPECT_FALSE(reserve.has(first + 2999));
    EXPECT_TRUE(reserve.has(first + 3000)) << "so many are wanted, at most";
}

}  // namespace
}  // namespace sluice
