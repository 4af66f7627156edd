#include "io/line_writer.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/shared_log.h"

namespace sluice {
namespace {

class LineWriterTest : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/sluice-line-writer-XXXXXX";
        folder_ = mkdtemp(name);
        path_ = folder_ + "/log";
    }
    void TearDown() override {
        for (const char* name : {"/log", "/log.1"})
            unlink((folder_ + name).c_str());
        rmdir(folder_.c_str());
    }
    static std::string content(const std::string& path) {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }
    /// Waits until `holds` says so, for ten seconds at most.
    template <typename Condition>
    static bool wait_until(Condition holds) {
        for (int i = 0; i < 10'000; ++i) {
            if (holds()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }

    std::string folder_, path_;
};

TEST_F(LineWriterTest, AppendsToWhatIsThere) {
    std::ofstream(path_) << "old\n";
    {
        auto writer = LineWriter::open(path_, 1000);
        ASSERT_TRUE(writer);
        EXPECT_TRUE(writer->append("one\n"));
        EXPECT_TRUE(writer->append("two\n"));
        EXPECT_TRUE(wait_until([&] { return content(path_) == "old\none\ntwo\n"; }));
        EXPECT_TRUE(writer->append("three\n"));
    }
    EXPECT_EQ("old\none\ntwo\nthree\n", content(path_)) << "lines that wait when the writer ends are written";
}

TEST_F(LineWriterTest, SaysWhyItCannot) {
    EXPECT_FALSE(LineWriter::open(folder_ + "/none/log", 1000));
    EXPECT_EQ(ENOENT, errno);
    EXPECT_FALSE(LineWriter::open(folder_, 1000));
    EXPECT_EQ(EISDIR, errno);
}

TEST_F(LineWriterTest, ReopensOnceWhatCameBeforeIsWritten) {
    auto writer = LineWriter::open(path_, 1000);
    writer->append("before\n");
    ASSERT_EQ(0, rename(path_.c_str(), (path_ + ".1").c_str()));
    writer->reopen();
    writer->append("after\n");
    EXPECT_TRUE(wait_until([&] { return content(path_) == "after\n"; }));
    EXPECT_EQ("before\n", content(path_ + ".1"));
}

TEST_F(LineWriterTest, ReopensBeforeTheFirstLine) {
    auto writer = LineWriter::open(path_, 1000);
    ASSERT_EQ(0, rename(path_.c_str(), (path_ + ".1").c_str()));
    writer->reopen();
    writer->append("after\n");
    EXPECT_TRUE(wait_until([&] { return content(path_) == "after\n"; }));
}

TEST_F(LineWriterTest, DropsAndCountsWhatNobodyTakes) {
    ASSERT_EQ(0, mkfifo(path_.c_str(), 0600));
    auto writer = LineWriter::open(path_, 10'000);
    ASSERT_TRUE(writer) << "a FIFO without a reader is opened at once";
    static log::SharedLog lines;
    log::share(lines);
    const std::string line(99, 'x');
    testing::internal::CaptureStderr();
    uint64_t taken = 0;
    for (int i = 0; i < 10'000; ++i) {
        taken += writer->append(line + "\n");
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_LE(taken, (65536u + 10'000) / 100) << "what fits into a pipe, and what may wait";
    EXPECT_EQ(10'000 - taken, writer->dropped());
    EXPECT_EQ(10'000 - taken, lines.access_not_taken);
    // When a reader comes, every line that was taken arrives whole.
    const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
    std::string got;
    EXPECT_TRUE(wait_until([&] {
        char buffer[4096];
        for (ssize_t bytes; (bytes = read(reader, buffer, sizeof buffer)) > 0;)
            got.append(buffer, static_cast<size_t>(bytes));
        return got.size() >= taken * 100;
    }));
    close(reader);
    std::string expected;
    for (uint64_t i = 0; i < taken; ++i)
        expected += line + "\n";
    EXPECT_EQ(expected, got);
    writer.reset();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(std::string::npos, said.find("lines were dropped so far (accessLogBytes: 10000)")) << said;
}

TEST_F(LineWriterTest, EndsThoughNobodyReads) {
    ASSERT_EQ(0, mkfifo(path_.c_str(), 0600));
    auto writer = LineWriter::open(path_, 1'000'000);
    for (int i = 0; i < 1000; ++i)
        writer->append(std::string(200, 'x') + "\n");
    writer.reset();
}

TEST_F(LineWriterTest, ManyThreadsAndProcessesWriteWholeLines) {
    constexpr int kLines = 2000;
    const auto write_all = [&](char mark) {
        auto writer = LineWriter::open(path_, 1u << 20);
        std::vector<std::thread> threads;
        for (int thread = 0; thread < 2; ++thread) {
            threads.emplace_back([&] {
                for (int i = 0; i < kLines; ++i)
                    writer->append(std::string(100, mark) + "\n");
            });
        }
        for (std::thread& thread : threads)
            thread.join();
    };
    const pid_t child = fork();
    if (child == 0) {
        write_all('c');
        _exit(0);
    }
    write_all('p');
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(0, status);
    std::istringstream lines(content(path_));
    std::string line;
    int of_child = 0, of_parent = 0;
    while (std::getline(lines, line)) {
        of_child += line == std::string(100, 'c');
        of_parent += line == std::string(100, 'p');
    }
    EXPECT_EQ(2 * kLines, of_child);
    EXPECT_EQ(2 * kLines, of_parent);
}

}  // namespace
}  // namespace sluice
