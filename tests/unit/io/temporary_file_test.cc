#include "io/temporary_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace sluice {
namespace {

class TemporaryFileTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_NE(mkdtemp(folder_.data()), nullptr); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void expect_private_and_nameless(const UniqueFd& file) {
        ASSERT_TRUE(file);
        struct stat about;
        ASSERT_EQ(fstat(file.get(), &about), 0);
        EXPECT_EQ(about.st_nlink, 0u);
        EXPECT_EQ(about.st_mode & 0777, 0600u);
        EXPECT_TRUE(fcntl(file.get(), F_GETFD) & FD_CLOEXEC);
        EXPECT_TRUE(std::filesystem::is_empty(folder_));
        EXPECT_EQ(pwrite(file.get(), "hello", 5, 0), 5);
        char read[5];
        EXPECT_EQ(pread(file.get(), read, 5, 0), 5);
    }

    std::string folder_ = testing::TempDir() + "/sluice-XXXXXX";
};

TEST_F(TemporaryFileTest, HasNoName) {
    expect_private_and_nameless(open_temporary_file(folder_));
}

TEST_F(TemporaryFileTest, NeitherWhereItHasToBeMadeWithOne) {
    expect_private_and_nameless(open_and_unlink(folder_));
}

TEST_F(TemporaryFileTest, WithoutAFolderThereIsNone) {
    EXPECT_FALSE(open_temporary_file(folder_ + "/none"));
    EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace sluice
