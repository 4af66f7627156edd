#include "io/pid_file.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

class PidFiles : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/sluice-pid-file-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        folder_ = name;
        path_ = folder_ + "/pid";
    }
    void TearDown() override {
        unlink(path_.c_str());
        rmdir(folder_.c_str());
    }
    std::string content() const {
        std::ostringstream out;
        out << std::ifstream(path_).rdbuf();
        return out.str();
    }
    bool is_there() const { return access(path_.c_str(), F_OK) == 0; }
    /// The error that another process gets when it claims the file.
    std::string error_of_another() const {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            PidFile other;
            std::string error;
            if (other.claim(path_, error)) error = "none";
            _exit(write(ends[1], error.data(), error.size()) > 0 ? 0 : 1);
        }
        close(ends[1]);
        char bytes[512];
        const ssize_t got = read(ends[0], bytes, sizeof bytes);
        close(ends[0]);
        waitpid(child, nullptr, 0);
        return std::string(bytes, got > 0 ? static_cast<size_t>(got) : 0);
    }
    std::string folder_, path_, error_;
    PidFile file_;
};

TEST_F(PidFiles, ItHoldsThisProcessAndGoesWithIt) {
    ASSERT_TRUE(file_.claim(path_, error_)) << error_;
    EXPECT_EQ(content(), std::to_string(getpid()) + "\n");
    file_.remove();
    EXPECT_FALSE(is_there());
}

TEST_F(PidFiles, AnotherProcessIsToldWhoHasIt) {
    ASSERT_TRUE(file_.claim(path_, error_)) << error_;
    EXPECT_EQ(error_of_another(), "The pid file " + path_ + " belongs to a server that runs, process " +
                                      std::to_string(getpid()) +
                                      ": stop that one first, or name another file");
    EXPECT_EQ(content(), std::to_string(getpid()) + "\n");
}

TEST_F(PidFiles, OneThatADeadProcessLeftIsTakenOver) {
    std::ofstream(path_) << "123456789 and more\n";
    ASSERT_TRUE(file_.claim(path_, error_)) << error_;
    EXPECT_EQ(content(), std::to_string(getpid()) + "\n");
}

TEST_F(PidFiles, OneThatSomebodyHasReplacedStays) {
    ASSERT_TRUE(file_.claim(path_, error_)) << error_;
    unlink(path_.c_str());
    std::ofstream(path_) << "another";
    file_.remove();
    EXPECT_EQ(content(), "another");
}

TEST_F(PidFiles, WhereNothingCanBeWrittenASentenceSaysWhy) {
    EXPECT_FALSE(file_.claim(folder_ + "/none/pid", error_));
    EXPECT_EQ(error_, "Cannot write the pid file " + folder_ + "/none/pid: No such file or directory");
    file_.remove();
}

TEST_F(PidFiles, MovesToAnotherFile) {
    ASSERT_TRUE(file_.claim(path_, error_));
    const std::string first = path_;
    path_ = folder_ + "/next";
    ASSERT_TRUE(file_.move_to(path_, error_));
    EXPECT_NE(access(first.c_str(), F_OK), 0);
    // Whoever reads the file here ends its lock: content() comes last.
    EXPECT_NE(error_of_another(), "none");
    EXPECT_FALSE(file_.move_to(folder_ + "/none/pid", error_));
    EXPECT_NE(error_of_another(), "none");
    // By another name it is the same file, which stays locked.
    const std::string link = folder_ + "/link";
    ASSERT_EQ(symlink(".", link.c_str()), 0);
    ASSERT_TRUE(file_.move_to(link + "/next", error_));
    EXPECT_NE(error_of_another(), "none");
    // It is gone with its release.
    unlink(path_.c_str());
    ASSERT_TRUE(file_.move_to(path_, error_));
    EXPECT_NE(error_of_another(), "none");
    EXPECT_EQ(content(), std::to_string(getpid()) + "\n");
    file_.remove();
    EXPECT_FALSE(is_there());
    unlink(link.c_str());
}

}  // namespace
}  // namespace sluice
