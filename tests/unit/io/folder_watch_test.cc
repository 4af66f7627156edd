#include "io/folder_watch.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <poll.h>

namespace sluice {
namespace {

namespace fs = std::filesystem;

class FolderWatchTest : public testing::Test {
  protected:
    FolderWatchTest() {
        char pattern[] = "/tmp/sluice-watch-XXXXXX";
        root = mkdtemp(pattern);
        fs::create_directories(root / "src/deep/deeper");
        fs::create_directories(root / ".hidden");
        write("src/deep/old.php");
    }
    ~FolderWatchTest() override { fs::remove_all(root); }

    void write(const std::string& name, const std::string& text = "x") const {
        std::ofstream(root / name) << text;
    }
    FolderWatch watch(std::vector<std::string> names = {"*.php"}) const {
        return FolderWatch::on({root.string()}, std::move(names));
    }
    /// The path that has changed, below the root.
    std::string change(FolderWatch& watch) const {
        pollfd ready{watch.fd(), POLLIN, 0};
        poll(&ready, 1, 0);  // inotify is synchronous: what has happened is there
        const std::string path = watch.take_change();
        return path.empty() ? "" : path.substr(root.string().size() + 1);
    }

    fs::path root;
};

timespec now() {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time;
}

TEST_F(FolderWatchTest, TellsWhatHasChangedBefore) {
    const timespec began = now();
    // Files have the time of the last tick.
    while (now().tv_sec == began.tv_sec && now().tv_nsec - began.tv_nsec < 20'000'000) {
    }
    const FolderWatch before = watch();
    EXPECT_EQ(before.changed_since(now()), "");
    write("src/notes.txt");
    write(".hidden/a.php");
    EXPECT_EQ(watch().changed_since(began), "");
    // It takes another one's place, and keeps its time of modification.
    write("new");
    fs::last_write_time(root / "new", fs::file_time_type::clock::now() - std::chrono::hours(1));
    fs::rename(root / "new", root / "src/deep/old.php");
    EXPECT_EQ(watch().changed_since(began), (root / "src/deep/old.php").string());
    const std::string file = (root / "src/deep/old.php").string();
    EXPECT_EQ(FolderWatch::on({file}, {}).changed_since(began), file);
}

TEST_F(FolderWatchTest, TellsWhatChangesAtAnyDepth) {
    FolderWatch watched = watch();
    ASSERT_TRUE(watched);
    EXPECT_EQ(change(watched), "");
    write("a.php");
    EXPECT_EQ(change(watched), "a.php");
    write("src/deep/deeper/b.php");
    EXPECT_EQ(change(watched), "src/deep/deeper/b.php");
    write("src/deep/old.php", "new");
    EXPECT_EQ(change(watched), "src/deep/old.php");
    fs::rename(root / "a.php", root / "src/a.php");
    EXPECT_EQ(change(watched), "src/a.php");
    fs::remove(root / "src/a.php");
    EXPECT_EQ(change(watched), "src/a.php");
    EXPECT_EQ(change(watched), "");
    EXPECT_EQ(watched.lacks(), 0);
}

TEST_F(FolderWatchTest, CountsOnlyTheNamesAskedFor) {
    FolderWatch watched = watch({"*.php", "*.twig"});
    write("notes.txt");
    write(".a.php.swp");
    write(".b.php");
    write(".hidden/c.php");
    EXPECT_EQ(change(watched), "");
    write("d.twig");
    EXPECT_EQ(change(watched), "d.twig");
}

TEST_F(FolderWatchTest, WatchesFoldersThatCome) {
    FolderWatch watched = watch();
    fs::create_directories(root / "later/on");
    EXPECT_EQ(change(watched), "");
    write("later/on/a.php");
    EXPECT_EQ(change(watched), "later/on/a.php");
    // A folder that is moved into a watched one brings its files.
    fs::create_directories(root / ".hidden/full");
    write(".hidden/full/b.php");
    EXPECT_EQ(change(watched), "");
    fs::rename(root / ".hidden/full", root / "full");
    EXPECT_EQ(change(watched), "full/b.php");
    fs::remove_all(root / "later");
    EXPECT_NE(change(watched), "");
}

TEST_F(FolderWatchTest, FollowsLinksOnce) {
    fs::create_directory_symlink(root, root / "src/loop");
    FolderWatch watched = watch();
    write("src/a.php");
    EXPECT_EQ(change(watched), "src/a.php");
    EXPECT_EQ(change(watched), "");
}

TEST_F(FolderWatchTest, WatchesSeveralFilesOfAFolder) {
    write(".env");
    FolderWatch files = FolderWatch::on({root / "a.php", root / ".env", root / "b.php"}, {"*.php"});
    for (const char* name : {"a.php", ".env", "b.php"}) {
        write(name, "new");
        EXPECT_EQ(change(files), name);
    }
    write("c.php");
    write("src/d.php");
    EXPECT_EQ(change(files), "");
    // The folder may be watched as a whole, too, whatever comes first.
    for (const auto& paths : {std::vector<std::string>{root / ".env", root}, {root, root / ".env"}}) {
        FolderWatch both = FolderWatch::on(paths, {"*.php"});
        for (const char* name : {".env", "e.php", "src/deep/f.php"}) {
            write(name, "new");
            EXPECT_EQ(change(both), name);
        }
        write(".other");
        EXPECT_EQ(change(both), "");
    }
}

TEST_F(FolderWatchTest, WatchesASingleFile) {
    write("server.php");
    FolderWatch watched = FolderWatch::on({(root / "server.php").string()}, {"*.php"});
    write("other.php");
    EXPECT_EQ(change(watched), "");
    write("server.php.new");
    fs::rename(root / "server.php.new", root / "server.php");
    EXPECT_EQ(change(watched), "server.php");
}

}  // namespace
}  // namespace sluice
