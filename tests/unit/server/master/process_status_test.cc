#include "server/master/process_status.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

TEST(ProcessStatus, InWords) {
    EXPECT_EQ(describe_status(W_EXITCODE(0, 0)), "exited with status 0");
    EXPECT_EQ(describe_status(W_EXITCODE(255, 0)), "exited with status 255");
    EXPECT_EQ(describe_status(W_EXITCODE(0, SIGSEGV)), "was killed by signal 11 (Segmentation fault)");
    EXPECT_EQ(describe_status(W_EXITCODE(0, SIGABRT) | WCOREFLAG),
              "was killed by signal 6 (Aborted), core dumped");
}

TEST(ProcessStatus, OfARealProcess) {
    const pid_t child = fork();
    if (child == 0) {
        raise(SIGKILL);
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(describe_status(status), "was killed by signal 9 (Killed)");
}

}  // namespace
}  // namespace sluice
