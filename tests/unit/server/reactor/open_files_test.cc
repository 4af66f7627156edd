#include "server/reactor/open_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

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
    Ref<OpenFile> a = files.open(fd.get(), refusal);
    ASSERT_TRUE(a);
    EXPECT_NE(a->fd(), fd.get()) << "the caller keeps its own descriptor";
    Ref<OpenFile> b = files.open(same.get(), refusal);
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
    Ref<OpenFile> a = files.open(fds[0].get(), refusal), b = files.open(fds[1].get(), refusal);
    EXPECT_FALSE(files.open(fds[2].get(), refusal));
    EXPECT_EQ(refusal, Refusal::kTooMany);
    EXPECT_TRUE(files.open(fds[0].get(), refusal)) << "a file that is open already is not counted again";
    a = {};
    EXPECT_TRUE(files.open(fds[2].get(), refusal));
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
        EXPECT_FALSE(files.open(fd, refusal));
        EXPECT_EQ(refusal, Refusal::kNoFile);
    }
    const Ref<OpenFile> held = files.open(reading.get(), refusal);
    EXPECT_TRUE(held);
    EXPECT_FALSE(files.open(writing.get(), refusal))
        << "an open file does not serve a descriptor without reading";
    unlink(path.c_str());
}

}  // namespace
}  // namespace sluice
