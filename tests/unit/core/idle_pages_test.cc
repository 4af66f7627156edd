#include "core/idle_pages.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace sluice {
namespace {

constexpr size_t kPageBytes = PageArena::kPageSize;

class IdlePagesTest : public testing::Test {
  protected:
    using Stretches = std::vector<std::pair<size_t, size_t>>;  ///< first page, pages

    size_t take(size_t pages) { return arena_.allocate(pages * kPageBytes); }
    void free(size_t offset) {
        const size_t bytes = arena_.size_at(offset);
        ASSERT_TRUE(arena_.free(offset));
        pages_.freed(offset, bytes);
    }
    /// What is given back by one look.
    Stretches look() {
        Stretches given;
        again_ms_ = pages_.look(arena_, now_ms_, [&](size_t offset, size_t bytes) {
            given.push_back({offset / kPageBytes, bytes / kPageBytes});
        });
        return given;
    }
    /// What is given back by looks in so many seconds.
    Stretches pass(unsigned seconds) {
        Stretches given;
        for (const uint64_t until_ms = now_ms_ + seconds * 1000; now_ms_ < until_ms; now_ms_ += 5) {
            const Stretches more = look();
            given.insert(given.end(), more.begin(), more.end());
        }
        return given;
    }

    static constexpr size_t kPages = 4096;
    PageArena arena_{kPages * kPageBytes};
    IdlePages pages_{kPages};
    uint64_t now_ms_ = 1'000'000;
    int again_ms_ = 0;
};

TEST_F(IdlePagesTest, NothingIsGivenBackThatWasNeverUsed) {
    EXPECT_EQ(pass(20), Stretches());
    EXPECT_EQ(again_ms_, -1) << "an idle server is not woken";
    take(3);
    EXPECT_EQ(pass(20), Stretches()) << "in use";
    EXPECT_EQ(again_ms_, -1);
}

TEST_F(IdlePagesTest, PagesThatStayFreeAreGivenBackOnce) {
    take(1);
    const size_t two = take(2), four = take(4), one = take(1);
    free(two);
    free(one);
    look();
    EXPECT_EQ(again_ms_, 1000);
    EXPECT_EQ(pass(IdlePages::kPasses - 2), Stretches()) << "not at once";
    EXPECT_EQ(pass(3), (Stretches{{1, 2}, {7, 1}})) << "what is in use stays";
    EXPECT_EQ(again_ms_, -1);
    free(four);
    EXPECT_EQ(pass(20), (Stretches{{3, 4}})) << "its neighbours have no memory any more";
    EXPECT_EQ(pass(20), Stretches());
}

TEST_F(IdlePagesTest, PagesThatAreUsedNowAndAgainStay) {
    free(take(8));
    Stretches given;
    for (int second = 0; second < 30; ++second) {
        const Stretches more = pass(1);
        given.insert(given.end(), more.begin(), more.end());
        free(take(2));
    }
    EXPECT_EQ(given, (Stretches{{2, 6}}));
}

TEST_F(IdlePagesTest, ManyPagesAreGivenBackALittleAtATime) {
    free(take(kPages));
    size_t pages = 0, looks = 0;
    for (int look = 0; look < 10'000 && pages < kPages; ++look, now_ms_ += static_cast<uint64_t>(again_ms_)) {
        const Stretches given = this->look();
        if (given.empty()) continue;
        ASSERT_EQ(given.size(), 1u);
        EXPECT_EQ(given[0].second, IdlePages::kMostBytes / kPageBytes);
        EXPECT_EQ(given[0].first, pages);
        pages += given[0].second;
        ++looks;
        if (pages < kPages) {
            EXPECT_EQ(again_ms_, static_cast<int>(IdlePages::kPauseMs));
        }
    }
    EXPECT_EQ(pages, kPages);
    EXPECT_EQ(looks, kPages * kPageBytes / IdlePages::kMostBytes);
    EXPECT_EQ(again_ms_, -1);
}

}  // namespace
}  // namespace sluice
