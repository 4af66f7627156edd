#include "server/reactor/open_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <vector>

namespace sluice {
namespace {

using Refusal = OpenFiles::Refusal;

UniqueFd some_file() {
    return UniqueFd(memfd_create("test", MFD_CLOEXEC));
}

TEST(OpenFiles, OneFileIsHeldOnce) {
    OpenFiles files(10);
    Refusal refusal;
    const UniqueFd fd = some_file();
    const UniqueFd same(dup(fd.get()));
    Ref<OpenFile> a = files.open(fd.get(), 1, refusal);
    ASSERT_TRUE(a);
    EXPECT_NE(a->fd(), fd.get()) << "the caller keeps its own descriptor";
    Ref<OpenFile> b = files.open(same.get(), 1, refusal);
    EXPECT_EQ(refusal, Refusal::kNone);
    EXPECT_EQ(a.get(), b.get());
    EXPECT_EQ(files.count(), 1u);
    const int held = a->fd();
    a = {};
    EXPECT_EQ(files.count(), 1u);
    b = {};
    EXPECT_EQ(files.count(), 0u);
    EXPECT_EQ(fcntl(held, F_GETFD), -1) << "a file is closed with its last user";
}

TEST(OpenFiles, TheirNumberIsBounded) {
    OpenFiles files(2);
    Refusal refusal;
    const UniqueFd fds[3] = {some_file(), some_file(), some_file()};
    Ref<OpenFile> a = files.open(fds[0].get(), 1, refusal), b = files.open(fds[1].get(), 1, refusal);
    EXPECT_FALSE(files.open(fds[2].get(), 1, refusal));
    EXPECT_EQ(refusal, Refusal::kTooMany);
    EXPECT_TRUE(files.open(fds[0].get(), 1, refusal)) << "a file that is open already is not counted again";
    a = {};
    EXPECT_TRUE(files.open(fds[2].get(), 1, refusal));
}

TEST(OpenFiles, ALackOfDescriptorsIsTold) {
    OpenFiles files(10);
    Refusal refusal;
    const UniqueFd fd = some_file();
    rlimit most;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &most), 0);
    rlimit none = most;
    none.rlim_cur = 0;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_FALSE(files.open(fd.get(), 1, refusal));
    EXPECT_EQ(refusal, Refusal::kNoDescriptor);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &most), 0);
    EXPECT_TRUE(files.open(fd.get(), 1, refusal));
}

TEST(OpenFiles, OneClientLeavesSomeToOthers) {
    OpenFiles files(16);
    Refusal refusal;
    std::vector<Ref<OpenFile>> greedy;
    while (Ref<OpenFile> file = files.open(some_file().get(), 1, refusal))
        greedy.push_back(std::move(file));
    EXPECT_EQ(refusal, Refusal::kTooMany);
    EXPECT_EQ(greedy.size(), 14u);
    EXPECT_EQ(files.count_of(1), 14u);
    EXPECT_TRUE(files.open(some_file().get(), 2, refusal));
    EXPECT_TRUE(files.open(greedy.front()->fd(), 2, refusal)) << "it counts for the first who asked";
    EXPECT_EQ(files.count_of(2), 0u);
}

TEST(OpenFiles, OnlyWhatCanBeReadWithoutWaiting) {
    OpenFiles files(10);
    Refusal refusal;
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const UniqueFd in(pipes[0]), out(pipes[1]);
    const std::string path = testing::TempDir() + "open_files_test";
    const UniqueFd writing(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const UniqueFd place(open(path.c_str(), O_PATH | O_CLOEXEC));
    const UniqueFd reading(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const UniqueFd folder(open("/", O_RDONLY | O_CLOEXEC));
    for (const int fd : {in.get(), out.get(), writing.get(), place.get(), folder.get(), -1, 12345}) {
        refusal = Refusal::kNone;
        EXPECT_FALSE(files.open(fd, 1, refusal));
        EXPECT_EQ(refusal, Refusal::kNoFile);
    }
    const Ref<OpenFile> held = files.open(reading.get(), 1, refusal);
    EXPECT_TRUE(held);
    EXPECT_FALSE(files.open(writing.get(), 1, refusal))
        << "an open file does not serve a descriptor without reading";
    unlink(path.c_str());
}

}  // namespace
}  // namespace sluice
