#include "core/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

bool is_open(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}
int open_one() {
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST(UniqueFd, ClosesWhatItOwns) {
    const int fd = open_one();
    {
        UniqueFd owner(fd);
        EXPECT_TRUE(owner);
        EXPECT_EQ(owner.get(), fd);
        EXPECT_TRUE(is_open(fd));
    }
    EXPECT_FALSE(is_open(fd));
    EXPECT_FALSE(UniqueFd());
    EXPECT_TRUE(UniqueFd(dup(0)) || !is_open(0)) << "descriptor 0 is one like any other: only -1 is none";
}

TEST(UniqueFd, MovesHandOver) {
    const int a = open_one(), b = open_one();
    UniqueFd first(a);
    UniqueFd second(std::move(first));
    EXPECT_FALSE(first);
    EXPECT_EQ(second.get(), a);
    UniqueFd third(b);
    third = std::move(second);
    EXPECT_FALSE(is_open(b)) << "an assignment closes the descriptor that it replaces";
    EXPECT_EQ(third.get(), a);
    UniqueFd& same = third;
    third = std::move(same);
    EXPECT_TRUE(is_open(a));
    EXPECT_EQ(third.release(), a);
    EXPECT_FALSE(third);
    EXPECT_TRUE(is_open(a));
    third.reset(a);
    third.reset();
    EXPECT_FALSE(is_open(a));
}

}  // namespace
}  // namespace sluice
