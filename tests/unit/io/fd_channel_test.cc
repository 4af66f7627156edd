#include "io/fd_channel.h"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "io/fd_passing.h"

namespace sluice {
namespace {

UniqueFd file_of(off_t size) {
    UniqueFd fd(memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(fd.get(), size), 0);
    return fd;
}
off_t size_of(const UniqueFd& fd) {
    struct stat status;
    return fstat(fd.get(), &status) == 0 ? status.st_size : -1;
}

class FdChannels : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(FdChannel::create_pair(a_, b_)); }
    FdChannel a_, b_;
};

TEST_F(FdChannels, BringsDescriptorsInTheirOrder) {
    EXPECT_FALSE(b_.receive());
    for (uint64_t number = 0; number < 3; ++number)
        EXPECT_TRUE(a_.send(number, file_of(static_cast<off_t>(number) * 10).get()));
    for (uint64_t number = 0; number < 3; ++number) {
        auto received = b_.receive();
        ASSERT_TRUE(received);
        EXPECT_EQ(received->number, number);
        EXPECT_EQ(size_of(received->fd), static_cast<off_t>(number) * 10);
        EXPECT_TRUE(fcntl(received->fd.get(), F_GETFD) & FD_CLOEXEC);
    }
    EXPECT_FALSE(b_.receive());
}

TEST_F(FdChannels, SendsBothWays) {
    EXPECT_TRUE(b_.send(7, file_of(1).get()));
    auto received = a_.receive();
    ASSERT_TRUE(received);
    EXPECT_EQ(received->number, 7u);
}

TEST_F(FdChannels, SaysWhenItIsFullAndGoesOnAfterwards) {
    const UniqueFd file = file_of(1);
    uint64_t sent = 0;
    while (sent < 100'000 && a_.send(sent, file.get()))
        ++sent;
    EXPECT_GT(sent, 1u);
    EXPECT_LT(sent, 100'000u) << "the number of descriptors on their way has no bound";
    ASSERT_TRUE(b_.receive());
    for (uint64_t number = 1; number < sent; ++number) {
        auto received = b_.receive();
        ASSERT_TRUE(received);
        EXPECT_EQ(received->number, number);
    }
    EXPECT_TRUE(a_.send(sent, file.get()));
}

TEST_F(FdChannels, SaysWhenTheOtherSideIsGone) {
    b_ = {};
    EXPECT_FALSE(a_.send(0, file_of(1).get()));
    EXPECT_FALSE(a_.receive());
    EXPECT_FALSE(FdChannel().send(0, 0));
    EXPECT_FALSE(FdChannel().receive());
}

TEST_F(FdChannels, BringsWhatCameBeforeTheOtherSideLeftWithSomethingUnread) {
    EXPECT_TRUE(b_.send(0, file_of(1).get()));
    EXPECT_TRUE(a_.send(7, file_of(2).get()));
    a_ = {};
    auto received = b_.receive();
    ASSERT_TRUE(received);
    EXPECT_EQ(received->number, 7u);
    EXPECT_FALSE(b_.receive());
}

TEST_F(FdChannels, TellsADescriptorForWhichThereIsNoRoom) {
    ASSERT_TRUE(a_.send(0, file_of(1).get()));
    ASSERT_TRUE(a_.send(1, file_of(2).get()));
    rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = before;
    none.rlim_cur = 0;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    auto received = b_.receive();
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_TRUE(received);
    EXPECT_EQ(received->number, 0u);
    EXPECT_FALSE(received->fd);
    received = b_.receive();
    ASSERT_TRUE(received);
    EXPECT_EQ(size_of(received->fd), 2);
}

/// Sends what another process may write into the channel instead of a message.
void send_raw(int socket, std::string_view bytes, std::initializer_list<int> fds) {
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    ASSERT_EQ(send_with_fds(socket, {&part, 1}, fds, 0), static_cast<ssize_t>(bytes.size()));
}

TEST_F(FdChannels, RefusesWhatIsNoMessageAndLosesNoDescriptor) {
    const UniqueFd file = file_of(1);
    const int next_before = fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
    close(next_before);
    send_raw(a_.fd(), "1234567", {file.get()});
    EXPECT_FALSE(b_.receive()) << "the message is too short";
    send_raw(a_.fd(), "123456789", {file.get()});
    EXPECT_FALSE(b_.receive()) << "the message is too long";
    send_raw(a_.fd(), "12345678", {file.get(), file.get()});
    EXPECT_FALSE(b_.receive()) << "two descriptors came with one message";
    send_raw(a_.fd(), "12345678", {file.get(), file.get(), file.get(), file.get()});
    EXPECT_FALSE(b_.receive()) << "four descriptors came with one message";
    const int next_after = fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
    close(next_after);
    EXPECT_EQ(next_after, next_before) << "a descriptor was left open";
}

}  // namespace
}  // namespace sluice
