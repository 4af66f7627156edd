#include "shared/robust_mutex.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <new>
#include <sched.h>
#include <string>
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

bool sleeps(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const size_t name_end = stat.rfind(')');
    return name_end + 2 < stat.size() && stat[name_end + 2] == 'S';
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

TEST(RobustMutex, IsFoundFreeThoughNobodyWokeWhoWaits) {
    RobustMutex& mutex = shared_mutex();
    // glibc's word for the kernel: the owner's thread, and the highest bit while somebody waits.
    std::atomic_ref<uint32_t> word(reinterpret_cast<uint32_t&>(mutex));
    const pid_t owner = fork();
    if (owner == 0) {
        mutex.lock();
        for (;;)
            pause();
    }
    while (word.load() == 0)
        sched_yield();
    const pid_t waiter = fork();
    if (waiter == 0) _exit(mutex.lock(10'000) == Locking::kLocked ? 0 : 1);
    int status;
    while ((word.load() & FUTEX_WAITERS) == 0 || !sleeps(waiter))
        ASSERT_EQ(waitpid(waiter, &status, WNOHANG), 0) << "it has not waited";
    word.store(0);
    ASSERT_EQ(waitpid(waiter, &status, 0), waiter);
    EXPECT_EQ(status, 0);
    kill(owner, SIGKILL);
    waitpid(owner, nullptr, 0);
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
