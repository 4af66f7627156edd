#include "core/log.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/log_format.h"

namespace sluice {
namespace {

/// While the test runs, log lines go to a file of its own.
class Log : public testing::Test {
  protected:
    void SetUp() override {
        const int fd = mkstemp(path_);
        ASSERT_GE(fd, 0);
        close(fd);
        ASSERT_TRUE(log::open_file(path_));
    }
    void TearDown() override {
        log::open_file("");
        log::set_speaker("master");
        unlink(path_);
    }
    std::vector<std::string> lines() const {
        std::ifstream in(path_);
        std::vector<std::string> all;
        for (std::string line; std::getline(in, line);)
            all.push_back(line);
        return all;
    }

    char path_[64] = "/tmp/sluice-log-test-XXXXXX";
};

TEST_F(Log, ALineSaysWhenWhoAndHowBad) {
    log::set_speaker("worker 2");
    SLUICE_INFO("hello %s, %d", "world", 42);
    SLUICE_WARNING("careful");
    SLUICE_ERROR("bad");
    const auto all = lines();
    ASSERT_EQ(all.size(), 3u);
    const std::regex shape(
        R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} worker 2\[(\d+)\] info: hello world, 42)");
    std::smatch match;
    ASSERT_TRUE(std::regex_match(all[0], match, shape)) << all[0];
    EXPECT_EQ(match[1], std::to_string(getpid()));
    EXPECT_NE(all[1].find("] warning: careful"), std::string::npos) << all[1];
    EXPECT_NE(all[2].find("] error: bad"), std::string::npos) << all[2];
}

TEST_F(Log, AFileThatWasRenamedIsOpenedAnew) {
    SLUICE_INFO("before");
    const std::string renamed = std::string(path_) + ".1";
    ASSERT_EQ(rename(path_, renamed.c_str()), 0);
    SLUICE_INFO("between");
    ASSERT_TRUE(log::reopen());
    SLUICE_INFO("after");
    ASSERT_EQ(lines().size(), 1u);
    EXPECT_NE(lines()[0].find("after"), std::string::npos);
    unlink(renamed.c_str());
}

TEST_F(Log, LinesThatNobodyTakesAreCounted) {
    static bool takes;
    log::put_lines_by([](int fd, std::string_view line) {
        return takes && ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    });
    takes = false;
    for (int line = 0; line < 3; ++line)
        SLUICE_INFO("lost %d", line);
    takes = true;
    SLUICE_INFO("kept");
    SLUICE_INFO("kept, too");
    const auto all = lines();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_NE(all[0].find("info: 3 lines of this process are lost: nobody takes the log"), std::string::npos)
        << all[0];
    EXPECT_NE(all[1].find("info: kept"), std::string::npos) << all[1];
}

TEST_F(Log, ALongTextIsNotCut) {
    const std::string text(100'000, 'x');
    SLUICE_INFO("%s", text.c_str());
    SLUICE_INFO("%s", "");
    const auto all = lines();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_NE(all[0].find(": " + text), std::string::npos);
    EXPECT_EQ(all[0].size(), all[1].size() + text.size());
}

TEST_F(Log, ALongSpeakerIsCut) {
    log::set_speaker(std::string(1000, 'w'));
    SLUICE_INFO("hello");
    const auto all = lines();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NE(all[0].find("wwwww"), std::string::npos);
    EXPECT_EQ(all[0].substr(all[0].size() - 5), "hello");
}

TEST_F(Log, AppendsToWhatIsThere) {
    SLUICE_INFO("one");
    ASSERT_TRUE(log::open_file(path_));
    SLUICE_INFO("two");
    EXPECT_EQ(lines().size(), 2u);
}

TEST_F(Log, AFileThatCannotBeOpenedChangesNothing) {
    errno = 0;
    EXPECT_FALSE(log::open_file("/nonexistent/directory/log"));
    EXPECT_EQ(errno, ENOENT);
    SLUICE_INFO("still here");
    EXPECT_EQ(lines().size(), 1u);
}

TEST_F(Log, OpeningAnotherFileClosesTheOneBefore) {
    const int before = dup(0);
    close(before);
    for (int i = 0; i < 10; ++i)
        ASSERT_TRUE(log::open_file(path_));
    const int after = dup(0);
    close(after);
    EXPECT_EQ(before, after) << "a descriptor was left open";
}

TEST_F(Log, LinesOfThreadsAreWhole) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 2; ++thread) {
        threads.emplace_back([thread] {
            const std::string text(300, static_cast<char>('a' + thread));
            // Each line is another one: what comes again and again is counted.
            for (int i = 0; i < 200; ++i)
                SLUICE_INFO("%d %s", i, text.c_str());
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    const auto all = lines();
    ASSERT_EQ(all.size(), 400u);
    for (const std::string& line : all) {
        const std::string text = line.substr(line.size() - 300);
        EXPECT_EQ(text.find_first_not_of(text[0]), std::string::npos) << line;
    }
}

TEST_F(Log, AsJsonALineIsAnObject) {
    log::set_speaker("worker \"2\"");
    log::set_format(true, log::Level::kInfo);
    SLUICE_WARNING("%s", "a \"quote\", \\, \n, \x01, \xC3\xA4 and \xFF");
    log::set_format(false, log::Level::kInfo);
    const auto all = lines();
    ASSERT_EQ(all.size(), 1u);
    const std::regex shape(
        R"(\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","level":"warning","process":"worker \\"2\\"","pid":\d+,"message":(".*")\})");
    std::smatch match;
    ASSERT_TRUE(std::regex_match(all[0], match, shape)) << all[0];
    EXPECT_EQ(match[1], "\"a \\\"quote\\\", \\\\, \\n, \\u0001, \xC3\xA4 and \xEF\xBF\xBD\"");
}

TEST_F(Log, LinesBelowTheLevelAreNotWritten) {
    log::set_format(false, log::Level::kWarning);
    SLUICE_INFO("small");
    SLUICE_WARNING("careful");
    log::set_format(false, log::Level::kInfo);
    ASSERT_EQ(lines().size(), 1u);
}

TEST_F(Log, AFloodOfOneLineIsCounted) {
    for (int i = 0; i < 1000; ++i)
        SLUICE_ERROR("again");
    SLUICE_WARNING("again");  // another level is another line
    SLUICE_ERROR("other");
    const auto all = lines();
    uint64_t written = 0, counted = 0;
    for (const std::string& line : all) {
        std::smatch match;
        if (std::regex_search(line, match, std::regex("error: the line before came (\\d+) more times: again$")))
            counted += std::stoull(match[1]);
        else
            written += line.ends_with("error: again");
    }
    EXPECT_EQ(written + counted, 1000u);
    EXPECT_GE(written, log::kRepeats);
    EXPECT_LT(written, 500u);
    EXPECT_TRUE(all.back().ends_with("other")) << all.back();
}

TEST_F(Log, AForkTellsNothingOfItsParentsLines) {
    for (unsigned i = 0; i < log::kRepeats + 3; ++i)
        SLUICE_INFO("the parent's");
    log::set_speaker("child");
    SLUICE_INFO("the child's");
    EXPECT_EQ(lines().size(), log::kRepeats + 1);
}

}  // namespace
}  // namespace sluice
