#include "server/master/early_reload.h"

#include <csignal>
#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(EarlyReload, IsRememberedOnce) {
    ASSERT_NE(signal(SIGHUP, note_early_reload), SIG_ERR);
    EXPECT_FALSE(take_early_reload());
    raise(SIGHUP);
    EXPECT_TRUE(take_early_reload());
    EXPECT_FALSE(take_early_reload());
    signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace sluice
