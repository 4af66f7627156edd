#include "io/body_ring.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace sluice {
namespace {

class BodyRingTest : public testing::Test {
  protected:
    void SetUp() override {
        writer_ = BodyRing::create(8000, fd_);
        ASSERT_TRUE(writer_);
        reader_ = BodyRing::attach(fd_.get());
        ASSERT_TRUE(reader_);
    }
    bool write(std::string_view text) {
        memcpy(writer_->room().data(), text.data(), text.size());
        return writer_->wrote(text.size());
    }
    std::string_view there() const { return {reader_->bytes().data(), reader_->bytes().size()}; }

    UniqueFd fd_;
    std::unique_ptr<BodyRing> writer_, reader_;
};

TEST_F(BodyRingTest, BytesComeInOrderRoundAndRound) {
    EXPECT_EQ(writer_->size(), 8192u) << "whole pages";
    std::string sent, got;
    while (sent.size() < 100'000) {
        const std::string text(std::min<size_t>(writer_->room().size(), 3001),
                               static_cast<char>('a' + sent.size() % 26));
        EXPECT_FALSE(write(text));
        sent += text;
        got += there();
        EXPECT_FALSE(reader_->took(there().size()));
    }
    EXPECT_TRUE(got == sent);
}

TEST_F(BodyRingTest, ItHoldsNoMoreThanItsSize) {
    EXPECT_FALSE(write(std::string(8192, 'x')));
    EXPECT_TRUE(writer_->room().empty());
    EXPECT_EQ(there().size(), 8192u);
    EXPECT_FALSE(reader_->took(100));
    EXPECT_EQ(writer_->free_bytes(), 100u);
}

TEST_F(BodyRingTest, AReaderThatSleepsIsWokenOnce) {
    EXPECT_TRUE(reader_->sleep_until_filled());
    EXPECT_TRUE(write("a"));
    EXPECT_FALSE(write("b"));
    EXPECT_FALSE(reader_->sleep_until_filled()) << "something is there";
    EXPECT_FALSE(write("c")) << "it does not sleep";
}

TEST_F(BodyRingTest, AWriterThatSleepsIsWokenWhenHalfIsFree) {
    EXPECT_FALSE(writer_->sleep_until_half_free()) << "all is free";
    EXPECT_FALSE(write(std::string(8192, 'x')));
    EXPECT_TRUE(writer_->sleep_until_half_free());
    EXPECT_FALSE(reader_->took(4095));
    EXPECT_TRUE(reader_->took(1));
    EXPECT_FALSE(reader_->took(1));
}

TEST_F(BodyRingTest, AReaderThatLiesGetsNoMore) {
    EXPECT_FALSE(reader_->took(1)) << "a byte that was never written";
    EXPECT_TRUE(writer_->room().empty());
    EXPECT_EQ(writer_->free_bytes(), 0u);
}

TEST_F(BodyRingTest, NobodyCanShortenIt) {
    EXPECT_NE(ftruncate(fd_.get(), 0), 0);
}

TEST_F(BodyRingTest, WhatIsNoRingIsRefused) {
    const UniqueFd unsealed(memfd_create("not sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    ASSERT_EQ(ftruncate(unsealed.get(), 65536), 0);
    EXPECT_FALSE(BodyRing::attach(unsealed.get()));
    EXPECT_FALSE(BodyRing::attach(-1));
}

}  // namespace
}  // namespace sluice
