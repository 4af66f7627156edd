#include "io/control_channel.h"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>

#include "io/fd_passing.h"

namespace sluice {
namespace {

class Channel : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(ControlChannel::create_pair(a, b)); }
    ControlChannel a, b;
};

TEST_F(Channel, MessagesStayWhole) {
    EXPECT_FALSE(b.receive());
    EXPECT_FALSE(b.eof());
    ASSERT_TRUE(a.send("one"));
    ASSERT_TRUE(a.send(std::string("t\0o", 3)));
    EXPECT_EQ(b.receive()->bytes, "one");
    EXPECT_EQ(b.receive()->bytes, std::string("t\0o", 3));
    EXPECT_FALSE(b.receive());
    ASSERT_TRUE(b.send("back"));
    EXPECT_EQ(a.receive(true)->bytes, "back");
}

TEST_F(Channel, TheLongestMessage) {
    const std::string longest(ControlChannel::kMaxMessage, 'x');
    std::thread sender([&] { EXPECT_TRUE(a.send(longest)); });
    const auto message = b.receive(true);
    sender.join();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->bytes, longest);
}

TEST_F(Channel, OneThatNoSocketTakesComesWithItsDescriptors) {
    UniqueFd file(memfd_create("test", MFD_CLOEXEC));
    ASSERT_EQ(write(file.get(), "shared", 6), 6);
    std::string text;
    for (int i = 0; i < 1'000'000; ++i)
        text += static_cast<char>(i);
    for (const size_t size : {size_t{65536}, size_t{65537}, text.size()}) {
        const std::vector<int> fds(ControlChannel::kMaxFds, file.get());
        std::thread sender([&] { EXPECT_TRUE(a.send(text.substr(0, size), fds)); });
        const auto message = b.receive(true);
        sender.join();
        ASSERT_TRUE(message) << size;
        EXPECT_TRUE(message->bytes == text.substr(0, size)) << size;
        ASSERT_EQ(message->fds.size(), ControlChannel::kMaxFds);
        char bytes[6];
        EXPECT_EQ(pread(message->fds.back().get(), bytes, 6, 0), 6);
    }
}

TEST_F(Channel, AFileThatItsSenderCouldStillChangeIsNotRead) {
    UniqueFd file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    ASSERT_EQ(write(file.get(), "shared", 6), 6);
    char in_file = 1;
    iovec part{&in_file, 1};
    const int fd = file.get();
    ASSERT_EQ(send_with_fds(a.fd(), {&part, 1}, {&fd, 1}, 0), 1);
    EXPECT_FALSE(b.receive());
    EXPECT_TRUE(b.eof());
}

TEST_F(Channel, ALongerOneIsRefusedInsteadOfCut) {
    EXPECT_FALSE(a.send(std::string(ControlChannel::kMaxMessage + 1, 'x')));
    EXPECT_FALSE(b.receive());
    EXPECT_FALSE(b.eof());
    ASSERT_TRUE(a.send("next"));
    EXPECT_EQ(b.receive()->bytes, "next");
}

TEST_F(Channel, DescriptorsComeAlong) {
    UniqueFd file(memfd_create("test", MFD_CLOEXEC));
    ASSERT_EQ(write(file.get(), "shared", 6), 6);
    const int fds[] = {file.get(), file.get(), file.get()};
    ASSERT_TRUE(a.send("three", fds));
    ASSERT_TRUE(a.send("none"));
    auto message = b.receive();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->bytes, "three");
    ASSERT_EQ(message->fds.size(), 3u);
    for (const UniqueFd& fd : message->fds) {
        EXPECT_NE(fd.get(), file.get());
        EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
        char bytes[6];
        ASSERT_EQ(pread(fd.get(), bytes, 6, 0), 6);
        EXPECT_EQ(memcmp(bytes, "shared", 6), 0);
    }
    EXPECT_TRUE(b.receive()->fds.empty());
}

TEST_F(Channel, AsManyDescriptorsAsPromised) {
    UniqueFd file(memfd_create("test", MFD_CLOEXEC));
    ASSERT_TRUE(a.send("all", std::vector<int>(ControlChannel::kMaxFds, file.get())));
    EXPECT_EQ(b.receive()->fds.size(), ControlChannel::kMaxFds);
    EXPECT_FALSE(a.send("more", std::vector<int>(ControlChannel::kMaxFds + 1, file.get())));
    EXPECT_FALSE(b.receive());
}

TEST_F(Channel, TheEndComesAfterWhatWasSaid) {
    ASSERT_TRUE(a.send("last words"));
    a.close();
    EXPECT_FALSE(a);
    EXPECT_EQ(b.receive(true)->bytes, "last words");
    EXPECT_FALSE(b.eof());
    EXPECT_FALSE(b.receive(true));
    EXPECT_TRUE(b.eof());
    EXPECT_FALSE(b.send("anybody?")) << "sending to a peer that has gone fails, without a SIGPIPE";
}

TEST_F(Channel, WaitsWhenAskedTo) {
    std::thread sender([&] { a.send("late"); });
    const auto message = b.receive(true);
    sender.join();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->bytes, "late");
}

TEST_F(Channel, WhoHasNoRoomForDescriptorsGetsThemLater) {
    rlimit most;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &most), 0);
    const std::vector<int> fds(3, b.fd());
    const std::string in_a_file(100'000, 'x');
    ASSERT_TRUE(a.send("three", fds));
    ASSERT_TRUE(a.send(in_a_file));
    ASSERT_TRUE(a.send("none"));

    UniqueFd next(dup(b.fd()));
    const rlim_t room_for_two = static_cast<rlim_t>(next.get()) + 2;
    next.reset();
    rlimit less = most;
    less.rlim_cur = room_for_two;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &less), 0);
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(b.receive());
        EXPECT_TRUE(b.lacks_descriptors());
        EXPECT_FALSE(b.eof());
    }
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &most), 0);
    const auto three = b.receive();
    ASSERT_TRUE(three);
    EXPECT_EQ(three->bytes, "three");
    EXPECT_EQ(three->fds.size(), 3u);
    EXPECT_FALSE(b.lacks_descriptors());

    less.rlim_cur = 1;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &less), 0);
    EXPECT_FALSE(b.receive());
    EXPECT_TRUE(b.lacks_descriptors());
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &most), 0);
    EXPECT_EQ(b.receive()->bytes, in_a_file);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &less), 0);
    EXPECT_EQ(b.receive()->bytes, "none") << "a message without a descriptor needs no place for one";
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &most), 0);
}

}  // namespace
}  // namespace sluice
