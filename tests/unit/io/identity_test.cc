#include "io/identity.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

TEST(Identity, AUserHasItsOwnGroup) {
    std::string unknown;
    const auto daemon = Identity::of("daemon", "", unknown);
    ASSERT_TRUE(daemon);
    EXPECT_EQ(daemon->user, "daemon");
    EXPECT_NE(daemon->uid, 0u);
    EXPECT_TRUE(std::find(daemon->groups.begin(), daemon->groups.end(), daemon->gid) != daemon->groups.end());
}

TEST(Identity, WhatTheSystemDoesNotKnowIsNamed) {
    std::string unknown;
    EXPECT_FALSE(Identity::of("no-such-user", "", unknown));
    EXPECT_EQ(unknown, "no-such-user");
    EXPECT_FALSE(Identity::of("daemon", "no-such-group", unknown));
    EXPECT_EQ(unknown, "no-such-group");
}

TEST(Identity, RootBecomesTheUserForGood) {
    if (geteuid() != 0) GTEST_SKIP();
    std::string unknown;
    const auto daemon = Identity::of("daemon", "nogroup", unknown);
    ASSERT_TRUE(daemon && daemon->is_possible());
    const pid_t pid = fork();
    if (pid == 0) {
        const bool is_right = daemon->become() && getuid() == daemon->uid && getegid() == daemon->gid &&
                              setuid(0) != 0 && daemon->is_possible() && daemon->become();
        _exit(is_right ? 0 : 1);
    }
    int status = 1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace sluice
