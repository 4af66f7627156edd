#include "io/fd_passing.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace sluice {
namespace {

class FdPassing : public testing::Test {
  protected:
    void SetUp() override {
        int fds[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds), 0);
        a_ = UniqueFd(fds[0]);
        b_ = UniqueFd(fds[1]);
        file_ = UniqueFd(memfd_create("test", MFD_CLOEXEC));
    }
    ssize_t send(std::string_view bytes, size_t count) {
        const std::vector<int> fds(count, file_.get());
        iovec part{const_cast<char*>(bytes.data()), bytes.size()};
        return send_with_fds(a_.get(), {&part, 1}, fds, MSG_NOSIGNAL);
    }
    ssize_t receive(size_t room, int flags = 0) {
        iovec parts[] = {{bytes_, room / 2}, {bytes_ + room / 2, room - room / 2}};
        return receive_with_fds(b_.get(), parts, flags, passed_);
    }
    int next_descriptor() const {
        const int next = fcntl(file_.get(), F_DUPFD_CLOEXEC, 0);
        close(next);
        return next;
    }
    UniqueFd a_, b_, file_;
    char bytes_[64] = {};
    PassedFds passed_;
};

TEST_F(FdPassing, TellsWhoSendsWhereItIsAsked) {
    ASSERT_EQ(send("four", 0), 4);
    ASSERT_EQ(receive(8), 4);
    EXPECT_EQ(passed_.sender, 0);
    const int on = 1;
    ASSERT_EQ(setsockopt(b_.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on), 0);
    ASSERT_EQ(send("four", kMostPassedFds), 4);
    ASSERT_EQ(receive(8), 4);
    EXPECT_EQ(passed_.sender, getpid());
    EXPECT_EQ(passed_.fds.size(), kMostPassedFds);
    EXPECT_EQ(passed_.flags & MSG_CTRUNC, 0);
}

TEST_F(FdPassing, TakesAllThatTheKernelPasses) {
    const int before = next_descriptor();
    for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, kMostPassedFds}) {
        ASSERT_EQ(send("four", count), 4);
        ASSERT_EQ(receive(8), 4);
        EXPECT_STREQ(bytes_, "four");
        ASSERT_EQ(passed_.fds.size(), count);
        EXPECT_EQ(passed_.flags & (MSG_TRUNC | MSG_CTRUNC), 0);
        for (const UniqueFd& fd : passed_.fds) {
            EXPECT_EQ(fcntl(fd.get(), F_GET_SEALS), fcntl(file_.get(), F_GET_SEALS));
            EXPECT_TRUE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC);
        }
        passed_ = {};
        EXPECT_EQ(next_descriptor(), before);
    }
}

TEST_F(FdPassing, TellsWhatHadNoRoom) {
    ASSERT_EQ(send("longer than four", 1), 16);
    ASSERT_EQ(receive(4), 4);
    EXPECT_TRUE(passed_.flags & MSG_TRUNC);
    EXPECT_EQ(passed_.fds.size(), 1u);
    ASSERT_EQ(send("four", 3), 4);
    rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit one = before;
    passed_ = {};
    one.rlim_cur = static_cast<rlim_t>(next_descriptor()) + 1;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &one), 0);
    const ssize_t got = receive(8);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(got, 4);
    EXPECT_TRUE(passed_.flags & MSG_CTRUNC);
    EXPECT_EQ(passed_.fds.size(), 1u);
}

TEST_F(FdPassing, LeavesADescriptorForTheNextLook) {
    ASSERT_EQ(send("four", 1), 4);
    ASSERT_EQ(receive(8, MSG_PEEK), 4);
    EXPECT_EQ(passed_.fds.size(), 1u);
    ASSERT_EQ(receive(8), 4);
    EXPECT_EQ(passed_.fds.size(), 1u);
}

TEST_F(FdPassing, SaysWhyNothingCame) {
    EXPECT_EQ(receive(8), -1);
    EXPECT_EQ(errno, EAGAIN);
    a_.reset();
    EXPECT_EQ(receive(8), 0);
    EXPECT_TRUE(passed_.fds.empty());
}

}  // namespace
}  // namespace sluice
