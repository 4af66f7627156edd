#include "core/page_arena.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>

namespace sluice {
namespace {

constexpr size_t kPage = PageArena::kPageSize;

TEST(PageArena, GivesWholePages) {
    PageArena arena(8 * kPage);
    EXPECT_EQ(arena.capacity(), 8 * kPage);
    EXPECT_EQ(arena.largest(), 8 * kPage);
    EXPECT_EQ(arena.used_bytes(), 0u);
    const size_t a = arena.allocate(1);
    const size_t b = arena.allocate(kPage + 1);
    EXPECT_EQ(arena.size_at(a), kPage);
    EXPECT_EQ(arena.size_at(b), 2 * kPage);
    EXPECT_EQ(arena.used_bytes(), 3 * kPage);
    EXPECT_NE(a, b);
    EXPECT_TRUE(arena.free(a));
    EXPECT_TRUE(arena.free(b));
    EXPECT_EQ(arena.used_bytes(), 0u);
    EXPECT_EQ(arena.allocate(8 * kPage), 0u) << "the whole arena is one run again";
}

TEST(PageArena, NothingIsStillAPlace) {
    PageArena arena(2 * kPage);
    const size_t a = arena.allocate(0);
    const size_t b = arena.allocate(0);
    EXPECT_NE(a, b);
    EXPECT_EQ(arena.size_at(a), kPage);
    EXPECT_EQ(arena.allocate(0), PageArena::kNone);
}

TEST(PageArena, MoreThanThereIs) {
    PageArena arena(4 * kPage);
    EXPECT_EQ(arena.allocate(4 * kPage + 1), PageArena::kNone);
    EXPECT_EQ(arena.allocate(SIZE_MAX - kPage), PageArena::kNone);
    EXPECT_NE(arena.allocate(4 * kPage), PageArena::kNone);
    EXPECT_EQ(arena.allocate(1), PageArena::kNone);
}

TEST(PageArena, Empty) {
    PageArena none;
    EXPECT_EQ(none.capacity(), 0u);
    EXPECT_FALSE(none.free(0));
    PageArena less_than_a_page(kPage - 1);
    EXPECT_EQ(less_than_a_page.allocate(1), PageArena::kNone);
}

TEST(PageArena, OffsetsThatWereNeverGivenAreRefused) {
    PageArena arena(8 * kPage);
    const size_t a = arena.allocate(3 * kPage);
    EXPECT_FALSE(arena.free(a + 1)) << "no page begins there";
    EXPECT_FALSE(arena.free(a + kPage)) << "the page stands inside a run";
    EXPECT_FALSE(arena.free(a + 2 * kPage)) << "the last page of a run";
    EXPECT_FALSE(arena.free(a + 3 * kPage)) << "the page is free";
    EXPECT_FALSE(arena.free(8 * kPage)) << "the page is outside of the arena";
    EXPECT_FALSE(arena.free(SIZE_MAX));
    EXPECT_FALSE(arena.free(SIZE_MAX - kPage + 1));
    EXPECT_EQ(arena.used_bytes(), 3 * kPage);
    EXPECT_TRUE(arena.free(a));
    EXPECT_FALSE(arena.free(a)) << "a run is freed once";
    EXPECT_EQ(arena.used_bytes(), 0u);
}

TEST(PageArena, TheRunFreedLastIsGivenFirst) {
    PageArena arena(16 * kPage);
    size_t runs[8];
    for (size_t& run : runs)
        run = arena.allocate(2 * kPage);
    arena.free(runs[1]);
    arena.free(runs[5]);
    arena.free(runs[3]);
    EXPECT_EQ(arena.allocate(2 * kPage), runs[3]);
    EXPECT_EQ(arena.allocate(2 * kPage), runs[5]);
    EXPECT_EQ(arena.allocate(2 * kPage), runs[1]);
}

TEST(PageArena, ASplitRunIsFoundThoughItsClassIsMixed) {
    PageArena arena(24 * kPage);
    // Free runs of 4 and 7 pages are of one class; the shorter one was freed last, so it is looked at first.
    const size_t seven = arena.allocate(7 * kPage);
    arena.allocate(kPage);
    const size_t four = arena.allocate(4 * kPage);
    arena.allocate(12 * kPage);
    ASSERT_EQ(arena.used_bytes(), arena.capacity());
    arena.free(seven);
    arena.free(four);
    EXPECT_EQ(arena.allocate(6 * kPage), seven);
    EXPECT_EQ(arena.allocate(4 * kPage), four);
    EXPECT_EQ(arena.allocate(1), seven + 6 * kPage);
}

/// An arena as simple as possible: used runs by offset; the pages between them are free.
class Model {
  public:
    explicit Model(size_t pages) : pages_(pages) {}

    bool fits(size_t page, size_t pages) const {
        if (page + pages > pages_) return false;
        auto after = used_.lower_bound(page);
        if (after != used_.end() && after->first < page + pages) return false;
        return after == used_.begin() || std::prev(after)->first + std::prev(after)->second <= page;
    }
    size_t longest_free() const {
        size_t at = 0, longest = 0;
        for (auto [page, pages] : used_) {
            longest = std::max(longest, page - at);
            at = page + pages;
        }
        return std::max(longest, pages_ - at);
    }
    std::map<size_t, size_t>& used() { return used_; }

  private:
    size_t pages_;
    std::map<size_t, size_t> used_;
};

TEST(PageArena, AgreesWithAModel) {
    for (size_t pages : {1, 2, 7, 64, 257}) {
        std::mt19937 random(static_cast<unsigned>(pages));
        PageArena arena(pages * kPage);
        Model model(pages);
        size_t used_pages = 0;
        for (int step = 0; step < 20000; ++step) {
            const unsigned what = random() % 16;
            if (what < 8) {
                const size_t wanted = random() % 4 ? 1 + random() % 4 : 1 + random() % pages;
                const size_t offset = arena.allocate(wanted * kPage - random() % kPage);
                if (offset == PageArena::kNone) {
                    ASSERT_LT(model.longest_free(), wanted)
                        << "the arena says that it has no such run, but it has";
                } else {
                    ASSERT_EQ(offset % kPage, 0u);
                    ASSERT_TRUE(model.fits(offset / kPage, wanted)) << "overlaps another run";
                    ASSERT_EQ(arena.size_at(offset), wanted * kPage);
                    model.used()[offset / kPage] = wanted;
                    used_pages += wanted;
                }
            } else if (what < 15 && !model.used().empty()) {
                auto run = std::next(model.used().begin(), static_cast<long>(random() % model.used().size()));
                ASSERT_TRUE(arena.free(run->first * kPage));
                used_pages -= run->second;
                model.used().erase(run);
            } else {
                const size_t page = random() % (pages + 2);
                auto run = model.used().find(page);
                ASSERT_EQ(arena.size_at(page * kPage), run == model.used().end() ? 0 : run->second * kPage);
                if (run == model.used().end()) {
                    ASSERT_FALSE(arena.free(page * kPage));
                }
            }
            ASSERT_EQ(arena.used_bytes(), used_pages * kPage);
        }
        while (!model.used().empty()) {
            auto run = std::next(model.used().begin(), static_cast<long>(random() % model.used().size()));
            ASSERT_TRUE(arena.free(run->first * kPage));
            model.used().erase(run);
        }
        EXPECT_EQ(arena.used_bytes(), 0u);
        EXPECT_EQ(arena.allocate(pages * kPage), 0u) << "the free runs were not merged to one";
    }
}

TEST(PageArena, ARunIsExtendedIntoTheFreePagesBehindIt) {
    constexpr size_t kPage = PageArena::kPageSize;
    PageArena arena(10 * kPage);
    const size_t first = arena.allocate(2 * kPage);
    EXPECT_TRUE(arena.extend(first, 4 * kPage));
    EXPECT_TRUE(arena.extend(first, 3 * kPage)) << "the run is that long already";
    EXPECT_EQ(arena.size_at(first), 4 * kPage);
    const size_t second = arena.allocate(6 * kPage);
    EXPECT_EQ(second, 4 * kPage);
    EXPECT_FALSE(arena.extend(first, 5 * kPage));
    EXPECT_FALSE(arena.extend(second, 7 * kPage)) << "the run would reach beyond the arena";
    EXPECT_FALSE(arena.extend(kPage, kPage)) << "no run begins there";
    EXPECT_TRUE(arena.free(second));
    EXPECT_FALSE(arena.extend(first, 11 * kPage));
    EXPECT_TRUE(arena.extend(first, 10 * kPage));
    EXPECT_EQ(arena.used_bytes(), 10 * kPage);
    EXPECT_TRUE(arena.free(first));
    EXPECT_EQ(arena.used_bytes(), 0u);
    EXPECT_EQ(arena.allocate(10 * kPage), 0u) << "the free runs are merged to one";
}

}  // namespace
}  // namespace sluice
