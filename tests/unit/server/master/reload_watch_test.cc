#include "server/master/reload_watch.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace sluice {
namespace {

class ReloadWatchTest : public testing::Test {
  protected:
    ReloadWatchTest() {
        char pattern[] = "/tmp/sluice-watch-XXXXXX";
        root = mkdtemp(pattern);
    }
    ~ReloadWatchTest() override { std::filesystem::remove_all(root); }

    void change() const { std::ofstream(root + "/a.php") << "x"; }

    std::string root;
    ReloadWatch watch;
};

TEST_F(ReloadWatchTest, WatchesNothingUnlessAsked) {
    EXPECT_TRUE(watch.watch({}));
    EXPECT_EQ(watch.fd(), -1);
    EXPECT_EQ(watch.take_due(1'000'000), "");
}

TEST_F(ReloadWatchTest, WaitsUntilNothingHasChangedForAMoment) {
    ASSERT_TRUE(watch.watch({{root}, {"*.php"}, 100}));
    change();
    watch.look(1000, false);
    EXPECT_EQ(watch.due_ms(), 1100u);
    change();
    watch.look(1090, false);
    EXPECT_EQ(watch.take_due(1100), "");
    watch.look(1180, false);
    EXPECT_EQ(watch.take_due(1190), root + "/a.php") << "a check without a change moves no deadline";
    EXPECT_EQ(watch.take_due(2000), "");
    EXPECT_EQ(watch.due_ms(), 0u);
}

TEST_F(ReloadWatchTest, LooksBackAtTheFirstBoot) {
    change();
    watch.look_back({}, 500);
    EXPECT_EQ(watch.due_ms(), 0u) << "nothing is watched";
    ASSERT_TRUE(watch.watch({{root}, {"*.php"}, 100}));
    timespec later;
    clock_gettime(CLOCK_REALTIME, &later);
    watch.look_back(later, 500);
    EXPECT_EQ(watch.due_ms(), 0u);
    watch.look_back({}, 1000);
    EXPECT_EQ(watch.take_due(1100), root + "/a.php");
}

TEST_F(ReloadWatchTest, IsLessAndLessHastyWhereTheBootItselfChangesFiles) {
    ASSERT_TRUE(watch.watch({{root}, {"*.php"}, 100}));
    for (uint64_t quiet_ms : {100u, 200u, 400u}) {
        change();
        watch.look(1000, true);
        EXPECT_EQ(watch.due_ms(), 1000 + quiet_ms);
        EXPECT_EQ(watch.waited_ms(), quiet_ms);
        watch.boot_ended();
    }
    for (int boots = 0; boots < 20; ++boots) {
        change();
        watch.look(1000, true);
        watch.boot_ended();
    }
    change();
    watch.look(1000, false);
    EXPECT_EQ(watch.due_ms(), 1000 + ReloadWatch::kLongestQuietMs);
    watch.boot_ended();
    change();
    watch.look(2000, false);
    EXPECT_EQ(watch.due_ms(), 2100u) << "the boot itself has changed nothing";
}

}  // namespace
}  // namespace sluice
