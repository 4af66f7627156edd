#include "shared/robust_mutex.h"

#include <csignal>
#include <gtest/gtest.h>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

using Locking = RobustMutex::Result;

RobustMutex& shared_mutex() {
    void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    RobustMutex& mutex = *new (page) RobustMutex;
    mutex.init();
    return mutex;
}

TEST(RobustMutex, IsLockedByOneProcessAtATime) {
    RobustMutex& mutex = shared_mutex();
    ASSERT_EQ(mutex.lock(), Locking::kLocked);
    const pid_t child = fork();
    if (child == 0) _exit(mutex.lock(10) == Locking::kTimedOut ? 0 : 1);
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    mutex.unlock();
    EXPECT_EQ(mutex.lock(), Locking::kLocked);
}

TEST(RobustMutex, GoesToTheNextWhenItsOwnerDies) {
    RobustMutex& mutex = shared_mutex();
    const pid_t child = fork();
    if (child == 0) {
        mutex.lock();
        kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    ASSERT_EQ(mutex.lock(), Locking::kOwnerDied);
    mutex.repaired();
    mutex.unlock();
    EXPECT_EQ(mutex.lock(), Locking::kLocked) << "the mutex was repaired";
}

TEST(RobustMutex, SaysAgainWhatADeadRepairerHasNotMended) {
    RobustMutex& mutex = shared_mutex();
    for (int deaths = 0; deaths < 2; ++deaths) {
        const pid_t child = fork();
        if (child == 0) {
            mutex.lock();
            kill(getpid(), SIGKILL);
        }
        waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(mutex.lock(), Locking::kOwnerDied);
}

}  // namespace
}  // namespace sluice
