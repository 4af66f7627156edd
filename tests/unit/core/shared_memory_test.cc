#include "core/shared_memory.h"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace {

TEST(SharedMemory, NewMemoryIsZeroAndOfItsSize) {
    SharedMemory memory = SharedMemory::create("test", 10'000);
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory.size(), 10'000u);
    for (size_t i = 0; i < memory.size(); ++i)
        ASSERT_EQ(memory.data()[i], 0);
    EXPECT_NE(fcntl(memory.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(SharedMemory, KeepsItsSizeWhateverAProcessDoes) {
    SharedMemory memory = SharedMemory::create("test", 8192);
    for (const off_t bytes : {0, 4096, 16384})
        EXPECT_NE(ftruncate(memory.fd(), bytes), 0) << bytes;
    EXPECT_NE(fcntl(memory.fd(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0) << "nobody could map it any more";
    EXPECT_TRUE(SharedMemory::attach(UniqueFd(dup(memory.fd()))));
}

TEST(SharedMemory, TwoMappingsAreOneMemory) {
    SharedMemory memory = SharedMemory::create("test", 4096);
    SharedMemory again = SharedMemory::attach(UniqueFd(dup(memory.fd())));
    ASSERT_TRUE(again);
    EXPECT_EQ(again.size(), memory.size());
    EXPECT_NE(again.data(), memory.data());
    memory.data()[4095] = 'x';
    EXPECT_EQ(again.data()[4095], 'x');
}

TEST(SharedMemory, AProcessMayKeepWhatItWritesToItself) {
    SharedMemory gone = SharedMemory::create("gone", 4096);
    gone = SharedMemory();
    SharedMemory memory = SharedMemory::create("test", 3 * 4096);
    memory.data()[0] = 'a';
    const pid_t child = fork();
    if (child == 0) {
        if (!SharedMemory::keep_writes_to_this_process()) _exit(1);
        memory.data()[1] = 'b';
        memory.data()[8192] = 'c';
        _exit(memory.data()[0] == 'a' && memory.data()[1] == 'b' ? 0 : 2);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(memory.data()[0], 'a');
    EXPECT_EQ(memory.data()[1], 0);
    EXPECT_EQ(memory.data()[8192], 0);
}

TEST(SharedMemory, AForkedProcessWritesIntoIt) {
    SharedMemory memory = SharedMemory::create("test", 4096);
    const pid_t child = fork();
    if (child == 0) {
        memcpy(memory.data(), "from the child", 15);
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_STREQ(memory.data(), "from the child");
}

TEST(SharedMemory, MovesTakeTheMappingAlong) {
    SharedMemory memory = SharedMemory::create("test", 4096);
    char* data = memory.data();
    SharedMemory moved(std::move(memory));
    EXPECT_FALSE(memory);
    EXPECT_EQ(memory.size(), 0u);
    EXPECT_EQ(moved.data(), data);
    SharedMemory other = SharedMemory::create("other", 8192);
    other = std::move(moved);
    EXPECT_EQ(other.data(), data);
    EXPECT_EQ(other.size(), 4096u);
    other.data()[0] = 1;
    other = SharedMemory();
    EXPECT_FALSE(other);
}

TEST(SharedMemory, WhatCannotBeMapped) {
    EXPECT_FALSE(SharedMemory::attach(UniqueFd()));
    UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    EXPECT_FALSE(SharedMemory::attach(std::move(null)));
    EXPECT_FALSE(SharedMemory::create("test", SIZE_MAX / 2));
}

}  // namespace
}  // namespace sluice
