#include "io/put_at_once.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {
namespace {

TEST(PutAtOnce, ASocketThatIsFullTakesNothingMore) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const UniqueFd reader(ends[0]), writer(ends[1]);
    const std::string line(1000, 'x');
    int taken = 0;
    while (put_at_once(writer.get(), line))
        ++taken;
    EXPECT_GT(taken, 0);
    std::string read_all(1000, '\0');
    for (int count = 0; count < taken; ++count)
        ASSERT_EQ(recv(reader.get(), read_all.data(), 1000, MSG_WAITALL), 1000);
    EXPECT_TRUE(put_at_once(writer.get(), line));
}

TEST(PutAtOnce, SoDoesAPipeThatBlocks) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const UniqueFd reader(ends[0]), writer(ends[1]);
    const std::string line(1000, 'x');
    int taken = 0;
    while (put_at_once(writer.get(), line))
        ++taken;
    EXPECT_GT(taken, 10);
    std::string read_all(8000, '\0');
    ASSERT_EQ(read(reader.get(), read_all.data(), read_all.size()), 8000);
    EXPECT_TRUE(put_at_once(writer.get(), line));
}

TEST(PutAtOnce, AFileTakesAll) {
    char name[] = "/tmp/sluice-put-at-once-XXXXXX";
    const UniqueFd file(mkstemp(name));
    unlink(name);
    EXPECT_TRUE(put_at_once(file.get(), std::string(1'000'000, 'x')));
    EXPECT_EQ(lseek(file.get(), 0, SEEK_END), 1'000'000);
}

TEST(PutAtOnce, WhatIsClosedTakesNothing) {
    EXPECT_FALSE(put_at_once(-1, "x"));
}

}  // namespace
}  // namespace sluice
