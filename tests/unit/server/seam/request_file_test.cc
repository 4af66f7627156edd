#include "server/seam/request_file.h"

#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

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
    Ref<RequestFile> file = files->create(7, 10, error_);
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
    auto here = make(0, 8 * kMiB), there = make(1, 8 * kMiB);
    Ref<RequestFile> a = here->create(7, http::kNoLength, error_),
                     b = there->create(7, http::kNoLength, error_);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(append(*a, 5 * kMiB));
    EXPECT_TRUE(append(*b, 2 * kMiB));
    EXPECT_FALSE(append(*b, kMiB));
    EXPECT_EQ(error_.status, 503);
    EXPECT_FALSE(here->create(7, 3 * kMiB, error_))
        << "a file too large is refused before a byte of it is sent";
    EXPECT_EQ(error_.status, 503);
    b = {};
    EXPECT_EQ(there->used_bytes(), 0u);
    EXPECT_TRUE(append(*a, 2 * kMiB));
    a = {};
    EXPECT_EQ(here->used_bytes(), 0u);
    EXPECT_EQ(layout_.reactor(0).file_bytes.load() + layout_.reactor(1).file_bytes.load(), 0u);
}

TEST_F(RequestFileTest, WorkersShareItToo) {
    auto reactors = make(0, 8 * kMiB);
    auto workers =
        std::make_shared<TemporaryFiles>(layout_, layout_.worker(0).file_bytes, testing::TempDir(), 8 * kMiB);
    Ref<RequestFile> a = reactors->create(7, http::kNoLength, error_),
                     b = workers->create(7, http::kNoLength, error_);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(append(*b, 4 * kMiB));
    EXPECT_FALSE(append(*a, 4 * kMiB));
    EXPECT_EQ(error_.status, 503);
    b = {};
    EXPECT_TRUE(append(*a, 4 * kMiB));
    EXPECT_EQ(layout_.worker(0).file_bytes.load(), 0u);
}

TEST_F(RequestFileTest, WhatOutlivesTheSharedMemoryIsReadAlone) {
    auto files = make(0, 2 * kMiB);
    Ref<RequestFile> file = files->create(7, http::kNoLength, error_);
    ASSERT_TRUE(append(*file, 10));
    layout_ = SharedLayout();
    files->forget_account();
    EXPECT_FALSE(append(*file, 2 * kMiB));
    char bytes[10];
    EXPECT_EQ(pread(file->fd(), bytes, sizeof bytes, 0), 10);
}

TEST_F(RequestFileTest, ExactlyAsMuchAsAClientMayHave) {
    auto files = make(0, 8 * kMiB + 40);
    Ref<RequestFile> file = files->create(7, 7 * kMiB + 35, error_);
    ASSERT_TRUE(file);
    EXPECT_TRUE(append(*file, 7 * kMiB + 35));
    EXPECT_FALSE(append(*file, 1)) << "the rest is for others";
    EXPECT_TRUE(files->create(8, 1000, error_));
}

TEST_F(RequestFileTest, WhatCouldNeverFitIsTooLong) {
    EXPECT_FALSE(make(0, 8 * kMiB)->create(7, 7 * kMiB + 1, error_));
    EXPECT_EQ(error_.status, 413);
}

TEST_F(RequestFileTest, AnAnnouncedLengthReservesNothing) {
    auto files = make(0, 8 * kMiB);
    Ref<RequestFile> file = files->create(7, 7 * kMiB, error_);
    ASSERT_TRUE(file);
    EXPECT_LE(files->used_bytes(), kMiB);
}

TEST_F(RequestFileTest, EmptyFilesAreBoundedToo) {
    auto files = make(0, 8 * kMiB, 3 * kMiB);
    Ref<RequestFile> a = files->create(7, http::kNoLength, error_),
                     b = files->create(7, http::kNoLength, error_);
    EXPECT_TRUE(a && b);
    EXPECT_FALSE(files->create(7, http::kNoLength, error_));
}

TEST_F(RequestFileTest, OneClientLeavesSomeToOthersInEachProcess) {
    auto here = make(0, 80 * kMiB), there = make(1, 80 * kMiB);
    std::vector<Ref<RequestFile>> greedy;
    while (Ref<RequestFile> file = here->create(7, kMiB, error_)) {
        ASSERT_TRUE(append(*file, kMiB));
        greedy.push_back(std::move(file));
    }
    EXPECT_EQ(error_.status, 503);
    EXPECT_EQ(greedy.size(), 70u);
    EXPECT_TRUE(here->create(8, kMiB, error_));
    EXPECT_TRUE(there->create(8, kMiB, error_));
    EXPECT_FALSE(there->create(8, 4 * kMiB, error_)) << "of the last eighth it gets a part";
    greedy.clear();
    EXPECT_TRUE(here->create(7, 70 * kMiB, error_));
}

TEST_F(RequestFileTest, WithoutAFolderThereIsNone) {
    EXPECT_FALSE(make(0, kMiB, 1000, testing::TempDir() + "/none")->create(7, 10, error_));
    EXPECT_EQ(error_.status, 503);
}

TEST_F(RequestFileTest, MayOutliveItsReactor) {
    auto files = make(0, 4 * kMiB);
    Ref<RequestFile> file = files->create(7, 10, error_);
    files.reset();
    EXPECT_TRUE(append(*file, 10));
}

}  // namespace
}  // namespace sluice
