#include "io/thread_pool.h"

#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sluice {
namespace {

constexpr int kJobDeadlineMs = 20'000;

/// Says who ran it, and runs only as long as `gate` cannot be read.
struct GatedJob final : ThreadJob {
    explicit GatedJob(int gate_fd = -1) : gate(gate_fd) {}
    int gate;
    pthread_t thread = {};
    sigset_t blocked = {};
    std::atomic<bool>* destroyed = nullptr;

    void run() override {
        thread = pthread_self();
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
        pollfd one = {gate, POLLIN, 0};
        if (gate >= 0) poll(&one, 1, kJobDeadlineMs);
    }
    ~GatedJob() override {
        if (destroyed) *destroyed = true;
    }
};

bool has_run(const ThreadJob& job, int timeout_ms = kJobDeadlineMs) {
    pollfd one = {job.done_fd(), POLLIN, 0};
    return poll(&one, 1, timeout_ms) == 1;
}

TEST(ThreadPool, RunsAJobInAThreadOfItsOwnThatNoSignalReaches) {
    GatedJob* job = new GatedJob;
    ASSERT_TRUE(ThreadPool::of_process().give(*job));
    ASSERT_TRUE(has_run(*job));
    EXPECT_FALSE(pthread_equal(job->thread, pthread_self()));
    EXPECT_TRUE(sigismember(&job->blocked, SIGTERM));
    EXPECT_FALSE([] {
        sigset_t own;
        pthread_sigmask(SIG_BLOCK, nullptr, &own);
        return sigismember(&own, SIGTERM);
    }()) << "the signal mask of the giving thread is unchanged";
    job->drop_ref();
}

TEST(ThreadPool, MoreJobsThanThreadsTakeTurns) {
    int gate[2];
    ASSERT_EQ(0, pipe(gate));
    std::vector<GatedJob*> held, later;
    for (size_t index = 0; index < ThreadPool::kMostThreads; ++index) {
        held.push_back(new GatedJob(gate[0]));
        ASSERT_TRUE(ThreadPool::of_process().give(*held.back()));
    }
    for (int index = 0; index < 100; ++index) {
        later.push_back(new GatedJob);
        ASSERT_TRUE(ThreadPool::of_process().give(*later.back()));
    }
    // All threads wait at the gate, so none can have begun a later job.
    EXPECT_FALSE(has_run(*later.back(), 50));
    ASSERT_EQ(1, write(gate[1], "x", 1));
    for (std::vector<GatedJob*>* jobs : {&held, &later})
        for (GatedJob* job : *jobs) {
            EXPECT_TRUE(has_run(*job));
            job->drop_ref();
        }
    close(gate[0]);
    close(gate[1]);
}

TEST(ThreadPool, JobWhoseGiverHasGoneIsFreedWhenItHasRun) {
    int gate[2];
    ASSERT_EQ(0, pipe(gate));
    std::atomic<bool> destroyed = false;
    GatedJob* job = new GatedJob(gate[0]);
    job->destroyed = &destroyed;
    ASSERT_TRUE(ThreadPool::of_process().give(*job));
    job->drop_ref();
    EXPECT_FALSE(destroyed);
    ASSERT_EQ(1, write(gate[1], "x", 1));
    for (int waited_ms = 0; !destroyed && waited_ms < kJobDeadlineMs; ++waited_ms)
        usleep(1000);
    EXPECT_TRUE(destroyed);
    close(gate[0]);
    close(gate[1]);
}

TEST(ThreadPool, ForkHasAPoolOfItsOwn) {
    GatedJob* before = new GatedJob;
    ASSERT_TRUE(ThreadPool::of_process().give(*before));
    ASSERT_TRUE(has_run(*before));
    before->drop_ref();
    const pid_t child = fork();
    if (child == 0) {
        GatedJob* job = new GatedJob;
        const bool ran = ThreadPool::of_process().give(*job) && has_run(*job);
        _exit(ran ? 42 : 1);
    }
    int status = 0;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    EXPECT_EQ(42, WEXITSTATUS(status));
}

}  // namespace
}  // namespace sluice
