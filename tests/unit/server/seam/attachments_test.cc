#include "server/seam/attachments.h"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace sluice {
namespace {

class AttachmentsTest : public testing::Test {
  protected:
    static constexpr size_t kBlocks = 16, kMostBytes = 1000;

    void SetUp() override { ASSERT_TRUE(layout_); }
    /// The attached data as a worker reads it.
    std::string data(ConnectionId id) const {
        const Attached found = find_attached(layout_, id);
        std::string bytes(found.bytes(), '?');
        if (found.bytes() && !read_attached(layout_, id, found, bytes.data())) return "changed";
        return bytes;
    }
    uint64_t gauge() const { return layout_.reactor(1).attached_bytes.load(); }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 2,
                                                 .worker_slots = 2,
                                                 .cells = 64,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 4096,
                                                 .out_bytes = 4096,
                                                 .attached_bytes = kBlocks * sizeof(AttachmentBlock)});
    Attachments attachments_{layout_, 1, kMostBytes};
    const ConnectionId id_ = make_connection_id(1, 100), other_ = make_connection_id(1, 101);
};

TEST_F(AttachmentsTest, WhatIsAttachedIsReadOfAnyLength) {
    EXPECT_EQ(data(id_), "");
    for (const size_t bytes : {1u, 251u, 252u, 253u, 504u, 505u, 1000u}) {
        const std::string said = std::string(bytes - 1, 'x') + "y";
        ASSERT_TRUE(attachments_.attach(id_, 7, said)) << bytes;
        EXPECT_EQ(data(id_), said);
        EXPECT_EQ(data(other_), "");
        EXPECT_EQ(gauge(), (bytes + 251) / 252 * 256);
    }
    ASSERT_TRUE(attachments_.attach(other_, 7, "other"));
    attachments_.drop(id_);
    EXPECT_EQ(data(id_), "");
    EXPECT_EQ(data(other_), "other");
    EXPECT_EQ(gauge(), 256u);
}

TEST_F(AttachmentsTest, NothingIsAttachedToWhoIsNobody) {
    EXPECT_EQ(data(kNoConnection), "");
    EXPECT_EQ(data(make_connection_id(200, 1)), "");
    attachments_.drop(id_);
    EXPECT_EQ(gauge(), 0u);
}

TEST_F(AttachmentsTest, AnEmptyOneGivesThePlaceBack) {
    ASSERT_TRUE(attachments_.attach(id_, 7, "a"));
    ASSERT_TRUE(attachments_.attach(id_, 7, ""));
    EXPECT_EQ(data(id_), "");
    EXPECT_EQ(gauge(), 0u);
}

TEST_F(AttachmentsTest, WhatIsTooLongOrHasNoRoomLeavesWhatWasThere) {
    ASSERT_TRUE(attachments_.attach(id_, 7, "as it was"));
    EXPECT_FALSE(attachments_.attach(id_, 7, std::string(kMostBytes + 1, 'x')));
    EXPECT_EQ(data(id_), "as it was");
    // Each of these takes 4 blocks: the fourth finds 3. It is another client's, who may have them.
    for (uint64_t serial = 1; serial <= 3; ++serial)
        ASSERT_TRUE(attachments_.attach(make_connection_id(1, serial), 7, std::string(kMostBytes, 'x')));
    EXPECT_FALSE(attachments_.attach(other_, 8, std::string(kMostBytes, 'x')));
    EXPECT_TRUE(attachments_.attach(other_, 8, std::string(3 * 252, 'x')));
    EXPECT_FALSE(attachments_.attach(id_, 8, "instead")) << "old data stays until the new data stands";
    EXPECT_EQ(data(id_), "as it was");
}

TEST_F(AttachmentsTest, OneClientLeavesSomeToOthers) {
    uint64_t serial = 0;
    while (attachments_.attach(make_connection_id(1, ++serial), 7, std::string(252, 'x'))) {
    }
    EXPECT_EQ(serial, 1 + kBlocks - kBlocks / 8);
    EXPECT_TRUE(attachments_.attach(id_, 8, std::string(504, 'x')));
    attachments_.drop(id_);
    attachments_.drop(make_connection_id(1, 1));
    EXPECT_TRUE(attachments_.attach(other_, 7, "x"));
}

TEST_F(AttachmentsTest, BlocksGoRoundForEver) {
    for (int round = 0; round < 1000; ++round) {
        const std::string said(1 + round % kMostBytes, static_cast<char>('a' + round % 26));
        ASSERT_TRUE(attachments_.attach(id_, 7, said));
        ASSERT_TRUE(attachments_.attach(other_, 7, said));
        ASSERT_EQ(data(id_), said);
        if (round % 3 == 0) attachments_.drop(id_);
        if (round % 5 == 0) attachments_.drop(other_);
    }
}

TEST_F(AttachmentsTest, WhoWritesToTheMemoryMisleadsReadersAlone) {
    ASSERT_TRUE(attachments_.attach(id_, 7, std::string(600, 'x')));
    const Attached found = find_attached(layout_, id_);
    for (AttachmentBlock& block : layout_.attachment_blocks(1))
        block.next = UINT32_MAX;
    std::string bytes(found.bytes(), '?');
    EXPECT_FALSE(read_attached(layout_, id_, found, bytes.data()));
    layout_.attachment(id_).place = UINT64_MAX;
    attachments_.drop(id_);
    EXPECT_EQ(gauge(), 0u);
    for (uint64_t serial = 1; serial <= kBlocks; ++serial)
        ASSERT_TRUE(attachments_.attach(make_connection_id(1, serial), serial, "x")) << "a block was lost";
}

TEST_F(AttachmentsTest, WhoReadsGetsTheOneOrTheOther) {
    std::atomic<bool> over = false;
    std::thread reader([&] {
        while (!over) {
            const std::string bytes = data(id_);
            if (bytes.empty() || bytes == "changed") continue;
            EXPECT_EQ(bytes, std::string(bytes.size(), bytes.front()));
            EXPECT_EQ(bytes.size(), 500u + static_cast<unsigned char>(bytes.front()));
        }
    });
    for (int round = 0; round < 20'000; ++round) {
        const char letter = static_cast<char>('a' + round % 26);
        ASSERT_TRUE(
            attachments_.attach(id_, 7, std::string(500u + static_cast<unsigned char>(letter), letter)));
        if (round % 7 == 0) attachments_.drop(id_);
        ASSERT_TRUE(attachments_.attach(other_, 7, std::string(600, '!')));
    }
    over = true;
    reader.join();
}

TEST_F(AttachmentsTest, ANewReactorHasNone) {
    ASSERT_TRUE(attachments_.attach(id_, 7, "old"));
    layout_.reset_reactor(1);
    EXPECT_EQ(data(id_), "");
    EXPECT_EQ(gauge(), 0u);
}

}  // namespace
}  // namespace sluice
