#include "server/seam/script_processes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace sluice {
namespace {

/// A pool of one process, whose end of the link the test has.
struct Pool {
    Pool() : board(std::make_shared<const ScriptBoard>(ScriptBoard::create(1))) {
        std::vector<UniqueFd> sockets(1);
        UniqueFd of_process;
        EXPECT_TRUE(RequestLink::create_lasting_pair(sockets[0], of_process));
        process.connect(std::move(of_process));
        int fds[2];
        EXPECT_EQ(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
        notes = UniqueFd(fds[0]);
        UniqueFd freed(eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC));
        worker = ScriptProcesses(board, std::move(sockets), std::move(freed), UniqueFd(fds[1]));
    }
    bool was_told() {
        char note;
        return read(notes.get(), &note, 1) == 1;
    }

    std::shared_ptr<const ScriptBoard> board;
    RequestLink process;
    UniqueFd notes;
    ScriptProcesses worker;
};

TEST(ScriptProcesses, WithoutAProcessTheGenerationIsTold) {
    Pool pool;
    EXPECT_FALSE(pool.worker.claim());
    EXPECT_TRUE(pool.was_told());
}

TEST(ScriptProcesses, WhatIsLeftOfARequestReachesNoOther) {
    Pool pool;
    pool.board->cell(0).pid.store(getpid() + 1'000'000'000);  // nobody's
    ScriptProcesses::Claim claim = pool.worker.claim();
    ASSERT_TRUE(claim);
    pool.process.put_done();
    pool.process.send();
    pool.worker.release(claim, false);
    EXPECT_EQ(claim.link->receive(), RequestLink::Progress::kBlocked);
    EXPECT_TRUE(pool.was_told()) << "another process is wanted";
    EXPECT_FALSE(pool.worker.claim()) << "this one is not used again";
}

TEST(ScriptProcesses, WhoWaitsIsToldOfAProcess) {
    Pool pool;
    pool.board->cell(0).pid.store(getpid());
    const ScriptProcesses::Claim claim = pool.worker.claim();
    ASSERT_TRUE(claim);
    uint64_t count;
    pool.worker.begin_waiting();
    EXPECT_LT(read(pool.worker.freed_fd(), &count, sizeof count), 0);
    pool.worker.release(claim, true);
    EXPECT_EQ(read(pool.worker.freed_fd(), &count, sizeof count), static_cast<ssize_t>(sizeof count));
    EXPECT_TRUE(pool.worker.claim());
}

TEST(ScriptProcesses, ALostProcessIsSeen) {
    Pool pool;
    pool.board->cell(0).pid.store(getpid());
    const ScriptProcesses::Claim claim = pool.worker.claim();
    ASSERT_TRUE(claim);
    EXPECT_FALSE(pool.worker.is_lost(claim));
    pool.board->cell(0).lost.store(claim.number);
    EXPECT_TRUE(pool.worker.is_lost(claim));
}

}  // namespace
}  // namespace sluice
