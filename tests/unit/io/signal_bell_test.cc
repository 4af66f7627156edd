#include "io/signal_bell.h"

#include <csignal>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include "io/child_exit.h"

namespace sluice {
namespace {

constexpr int kSignalDeadlineMs = 10'000;

bool is_readable(int fd, int timeout_ms = 0) {
    pollfd wanted{fd, POLLIN, 0};
    int ready;
    do
        ready = poll(&wanted, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    return ready == 1;
}

volatile sig_atomic_t handled = 0;
void count(int) {
    handled = handled + 1;
}
void count_with_information(int, siginfo_t* information, void*) {
    handled = handled + (information->si_pid == getpid() ? 10 : 0);
}

class SignalBellTest : public testing::Test {
  protected:
    void SetUp() override { handled = 0; }
    void TearDown() override {
        SignalBell::remove();
        signal(SIGUSR1, SIG_DFL);
        signal(SIGCHLD, SIG_DFL);
    }
};

TEST_F(SignalBellTest, RingsAfterTheHandlerThatWasThere) {
    signal(SIGUSR1, count);
    EXPECT_TRUE(SignalBell::has_other_handler(SIGUSR1));
    ASSERT_TRUE(SignalBell::watch(SIGUSR1));
    EXPECT_FALSE(SignalBell::has_other_handler(SIGUSR1));
    EXPECT_FALSE(is_readable(SignalBell::fd()));
    raise(SIGUSR1);
    EXPECT_EQ(handled, 1);
    EXPECT_TRUE(is_readable(SignalBell::fd()));
    SignalBell::drain();
    EXPECT_FALSE(is_readable(SignalBell::fd()));
    SignalBell::drain();  // does not block
    ASSERT_TRUE(SignalBell::watch(SIGUSR1)) << "a handler that is set twice must not call itself";
    raise(SIGUSR1);
    EXPECT_EQ(handled, 2);
    EXPECT_TRUE(is_readable(SignalBell::fd()));
}

TEST_F(SignalBellTest, HandlersGetTheirInformation) {
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = count_with_information;
    sigaction(SIGUSR1, &action, nullptr);
    ASSERT_TRUE(SignalBell::watch(SIGUSR1));
    raise(SIGUSR1);
    EXPECT_EQ(handled, 10);
}

TEST_F(SignalBellTest, AHandlerThatCameLaterIsKeptWhenWatchedAgain) {
    ASSERT_TRUE(SignalBell::watch(SIGCHLD));
    signal(SIGCHLD, count);
    raise(SIGCHLD);
    EXPECT_FALSE(is_readable(SignalBell::fd())) << "another handler has taken the signal from the bell";
    ASSERT_TRUE(SignalBell::watch(SIGCHLD));
    raise(SIGCHLD);
    EXPECT_EQ(handled, 2);
    EXPECT_TRUE(is_readable(SignalBell::fd()));
}

TEST_F(SignalBellTest, WhatIsIgnoredStaysIgnored) {
    signal(SIGUSR1, SIG_IGN);
    EXPECT_FALSE(SignalBell::watch(SIGUSR1));
    raise(SIGUSR1);
    EXPECT_FALSE(is_readable(SignalBell::fd()));
}

TEST_F(SignalBellTest, RemoveGivesBack) {
    signal(SIGUSR1, count);
    ASSERT_TRUE(SignalBell::watch(SIGUSR1));
    ASSERT_TRUE(SignalBell::watch(SIGCHLD));
    signal(SIGCHLD, count);
    SignalBell::remove();
    EXPECT_TRUE(SignalBell::has_other_handler(SIGUSR1));
    EXPECT_TRUE(SignalBell::has_other_handler(SIGCHLD)) << "a handler that was set after the bell's stays";
    raise(SIGUSR1);
    EXPECT_EQ(handled, 1);
}

TEST_F(SignalBellTest, TellsOfChildren) {
    ASSERT_TRUE(SignalBell::watch(SIGCHLD));
    const pid_t child = fork();
    if (child == 0) _exit(3);
    EXPECT_TRUE(is_readable(SignalBell::fd(), kSignalDeadlineMs));
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
}

TEST(ChildExit, IsReadableOnceTheChildHasEnded) {
    int stays[2];
    ASSERT_EQ(pipe(stays), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(stays[1]);
        char byte;
        _exit(read(stays[0], &byte, 1) == 0 ? 3 : 4);
    }
    UniqueFd watched = watch_child(child);
    ASSERT_TRUE(watched);
    EXPECT_FALSE(is_readable(watched.get()));
    close(stays[1]);
    EXPECT_TRUE(is_readable(watched.get(), kSignalDeadlineMs));
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child) << "the bell leaves the child's status to waitpid()";
    EXPECT_EQ(WEXITSTATUS(status), 3);
    close(stays[0]);
    errno = 0;
    EXPECT_FALSE(watch_child(child));
    EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace sluice
