#include "server/seam/request_file.h"

#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "core/log.h"

namespace sluice {
namespace {

constexpr uint64_t kMiB = 1u << 20;

class RequestFileTest : public testing::Test {
  protected:
    void SetUp() override {
        log::open_file("/dev/null");
        ASSERT_TRUE(layout_);
    }
    std::shared_ptr<TemporaryFiles> make(unsigned reactor, uint64_t most, uint64_t least = 1000,
                                         std::string folder = testing::TempDir()) {
        return std::make_shared<TemporaryFiles>(layout_, layout_.reactor(reactor).file_bytes,
                                                std::move(folder), most, least);
    }
    bool append(RequestFile& file, size_t bytes) { return file.append(std::string(bytes, 'x'), error_); }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 2,
                                                 .worker_slots = 1,
                                                 .cells = 8,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 4096,
                                                 .out_bytes = 4096});
    http::Error error_;
};

TEST_F(RequestFileTest, KeepsWhatIsAppended) {
    auto files = make(0, 10 * kMiB);
    Ref<RequestFile> file = files->create(10, error_);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->is_pipe());
    ASSERT_TRUE(file->append(std::string_view("hello "), error_));
    ASSERT_TRUE(file->append(std::string_view("body"), error_));
    EXPECT_EQ(file->bytes(), 10u);
    char text[11] = "";
    EXPECT_EQ(pread(file->fd(), text, 10, 0), 10);
    EXPECT_STREQ(text, "hello body");
}

TEST_F(RequestFileTest, AllReactorsShareOneAccount) {
    auto here = make(0, 3 * kMiB), there = make(1, 3 * kMiB);
    Ref<RequestFile> a = here->create(http::kNoLength, error_), b = there->create(http::kNoLength, error_);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(append(*a, 2 * kMiB));
    EXPECT_TRUE(append(*b, kMiB));
    EXPECT_FALSE(append(*b, kMiB));
    EXPECT_EQ(error_.status, 503);
    EXPECT_FALSE(here->create(3 * kMiB, error_)) << "a file too large is refused before a byte of it is sent";
    EXPECT_EQ(error_.status, 503);
    b = {};
    EXPECT_EQ(there->used_bytes(), 0u);
    EXPECT_TRUE(append(*a, kMiB));
    a = {};
    EXPECT_EQ(here->used_bytes(), 0u);
    EXPECT_EQ(layout_.reactor(0).file_bytes.load() + layout_.reactor(1).file_bytes.load(), 0u);
}

TEST_F(RequestFileTest, WorkersShareItToo) {
    auto reactors = make(0, 2 * kMiB);
    auto workers =
        std::make_shared<TemporaryFiles>(layout_, layout_.worker(0).file_bytes, testing::TempDir(), 2 * kMiB);
    Ref<RequestFile> a = reactors->create(http::kNoLength, error_),
                     b = workers->create(http::kNoLength, error_);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(append(*b, kMiB));
    EXPECT_FALSE(append(*a, kMiB + 1));
    EXPECT_EQ(error_.status, 503);
    b = {};
    EXPECT_TRUE(append(*a, kMiB + 1));
    EXPECT_EQ(layout_.worker(0).file_bytes.load(), 0u);
}

TEST_F(RequestFileTest, WhatOutlivesTheSharedMemoryIsReadAlone) {
    auto files = make(0, 2 * kMiB);
    Ref<RequestFile> file = files->create(http::kNoLength, error_);
    ASSERT_TRUE(append(*file, 10));
    layout_ = SharedLayout();
    files->forget_account();
    EXPECT_FALSE(append(*file, 2 * kMiB));
    char bytes[10];
    EXPECT_EQ(pread(file->fd(), bytes, sizeof bytes, 0), 10);
}

TEST_F(RequestFileTest, ExactlyAsMuchAsThereIs) {
    auto files = make(0, 3 * kMiB + 5);
    Ref<RequestFile> file = files->create(3 * kMiB + 5, error_);
    ASSERT_TRUE(file);
    EXPECT_TRUE(append(*file, 3 * kMiB + 5));
    EXPECT_FALSE(append(*file, 1));
}

TEST_F(RequestFileTest, WhatCouldNeverFitIsTooLong) {
    EXPECT_FALSE(make(0, kMiB)->create(kMiB + 1, error_));
    EXPECT_EQ(error_.status, 413);
}

TEST_F(RequestFileTest, AnAnnouncedLengthReservesNothing) {
    auto files = make(0, 4 * kMiB);
    Ref<RequestFile> file = files->create(4 * kMiB, error_);
    ASSERT_TRUE(file);
    EXPECT_LE(files->used_bytes(), kMiB);
}

TEST_F(RequestFileTest, EmptyFilesAreBoundedToo) {
    auto files = make(0, 4 * kMiB, 2 * kMiB);
    Ref<RequestFile> a = files->create(http::kNoLength, error_), b = files->create(http::kNoLength, error_);
    EXPECT_TRUE(a && b);
    EXPECT_FALSE(files->create(http::kNoLength, error_));
}

TEST_F(RequestFileTest, WithoutAFolderThereIsNone) {
    EXPECT_FALSE(make(0, kMiB, 1000, testing::TempDir() + "/none")->create(10, error_));
    EXPECT_EQ(error_.status, 503);
}

TEST_F(RequestFileTest, MayOutliveItsReactor) {
    auto files = make(0, 4 * kMiB);
    Ref<RequestFile> file = files->create(10, error_);
    files.reset();
    EXPECT_TRUE(append(*file, 10));
}

}  // namespace
}  // namespace sluice
