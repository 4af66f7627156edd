#include "io/open_beneath.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "core/unique_fd.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class OpenBeneath : public testing::TestWithParam<int (*)(int, const char*, int)> {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "open_beneath_XXXXXX";
        base_ = mkdtemp(pattern.data());
        fs::create_directories(base_ / "root/a/b");
        std::ofstream(base_ / "secret") << "s";
        std::ofstream(base_ / "root/file") << "f";
        std::ofstream(base_ / "root/a/b/file") << "f";
        fs::create_symlink("../secret", base_ / "root/out");
        fs::create_symlink("..", base_ / "root/up");
        fs::create_symlink("/etc/passwd", base_ / "root/absolute");
        fs::create_symlink("file", base_ / "root/within");
        root_.reset(open((base_ / "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        ASSERT_TRUE(root_);
    }
    void TearDown() override { fs::remove_all(base_); }
    bool opens(const char* path) {
        const UniqueFd fd(GetParam()(root_.get(), path, O_RDONLY | O_CLOEXEC));
        return static_cast<bool>(fd);
    }
    fs::path base_;
    UniqueFd root_;
};

TEST_P(OpenBeneath, WhatStandsThere) {
    EXPECT_TRUE(opens("file"));
    EXPECT_TRUE(opens("a/b/file"));
    EXPECT_TRUE(opens("a/b"));
    EXPECT_TRUE(opens("a/b/"));
    EXPECT_TRUE(opens(""));
    EXPECT_FALSE(opens("nothing"));
    EXPECT_FALSE(opens("file/x"));
    EXPECT_FALSE(opens("file/"));
    EXPECT_FALSE(opens(std::string(300, 'x').c_str()));
    EXPECT_FALSE(opens((std::string(300, 'x') + "/x").c_str()));
}

TEST_P(OpenBeneath, NoLinkLeadsOut) {
    EXPECT_FALSE(opens("out"));
    EXPECT_FALSE(opens("absolute"));
    EXPECT_FALSE(opens("up/secret"));
    EXPECT_FALSE(opens("up/root/file"));
}

INSTANTIATE_TEST_SUITE_P(ByTheKernel, OpenBeneath, testing::Values(&open_beneath));
INSTANTIATE_TEST_SUITE_P(BySteps, OpenBeneath, testing::Values(&open_beneath_by_steps));

}  // namespace
}  // namespace sluice
