#include "core/own_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

/// What `check` returns in a fork of this process.
template <typename Check>
int in_fork(Check&& check) {
    const pid_t child = fork();
    if (child == 0) _exit(check());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(OwnProcess, IsTheNumberThatTheKernelSays) {
    EXPECT_EQ(OwnProcess::number(), getpid());
    EXPECT_EQ(OwnProcess::number(), getpid());
}

TEST(OwnProcess, IsAnotherInAForkAndInItsForks) {
    const pid_t parent = OwnProcess::number();
    EXPECT_EQ(in_fork([&] {
                  if (OwnProcess::number() != getpid() || OwnProcess::number() == parent) return 1;
                  return in_fork([] { return OwnProcess::number() == getpid() ? 0 : 2; });
              }),
              0);
    EXPECT_EQ(OwnProcess::number(), parent);
}

}  // namespace
}  // namespace sluice
