#include "server/seam/outbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "server/seam/command_inlet.h"

namespace sluice {
namespace {

constexpr size_t kPage = PageArena::kPageSize;
constexpr size_t kOutRing = 64 * 1024;
constexpr size_t kOutArena = 16 * kPage;
constexpr unsigned kReactors = 2;
/// The length of a payload that goes to the arena, which has room for three.
constexpr size_t kLong = 5 * kPage - kOutExtentHeader;
static_assert(kLong >= kOutExtentThreshold && 3 * 5 * kPage < kOutArena && kOutArena < 4 * 5 * kPage);

/// A worker's outbox, and what its reactors take out of it.
class Out : public testing::Test {
  protected:
    struct Heard {
        Command::What what;  ///< its views point nowhere
        std::string body;
        Ref<Payload> payload;
        std::optional<Note> note = {};
    };

    void SetUp() override {
        ASSERT_TRUE(layout_);
        for (unsigned reactor = 0; reactor < kReactors; ++reactor) {
            FdChannel theirs;
            ASSERT_TRUE(FdChannel::create_pair(files_[reactor], theirs));
            outbox_.set_files(reactor, &files_[reactor]);
            inlets_[reactor] =
                CommandInlet(layout_.out_consumer(0, reactor), layout_.out_arena(0), std::move(theirs));
        }
    }
    static Command command(std::string_view payload, const Command::What& what = command::Send{}) {
        return {.what = what, .connection = 7, .payload = payload};
    }
    std::vector<Heard> hear(unsigned reactor = 0) {
        outbox_.commit(reactor);
        std::vector<Heard> heard;
        EXPECT_TRUE(inlets_[reactor].pump(
            [&](const Command& command, Ref<Payload> payload) {
                std::string body(command.payload);
                if (const command::FilePart* file = command.file()) {
                    body.resize(file->bytes);
                    EXPECT_EQ(pread(file->fd, body.data(), body.size(), 0),
                              static_cast<ssize_t>(body.size()));
                }
                if (const auto* grant = command.as<command::GrantHandshake>())
                    body = std::string(grant->fields) + std::string(grant->protocol) + body;
                heard.push_back({command.what, body, std::move(payload)});
                return true;
            },
            [&](const Note& note) {
                heard.push_back({{}, {}, {}, note});
                return true;
            }));
        return heard;
    }
    /// Pushes until there is no room; returns how many found room.
    size_t fill(std::string_view body, unsigned reactor = 0) {
        size_t count = 0;
        while (outbox_.push(reactor, command(body)))
            ++count;
        return count;
    }
    /// Fills the ring until not even the shortest record has room.
    size_t fill_ring(unsigned reactor = 0) {
        const std::string body(1000, 'x');
        const size_t count = fill(body, reactor);
        return count + fill({}, reactor);
    }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = kReactors,
                                                 .worker_slots = 1,
                                                 .cells = 8,
                                                 .ring_bytes = kOutRing,
                                                 .arena_bytes = kPage,
                                                 .out_bytes = kOutArena});
    FdChannel files_[kReactors];
    Outbox outbox_{layout_, 0};
    CommandInlet inlets_[kReactors];
};

TEST_F(Out, ShortAndLongBodiesArrive) {
    const std::string body(20'000, 'x');
    ASSERT_TRUE(outbox_.push(0, command("short")));
    ASSERT_TRUE(outbox_.push(0, command(body)));
    EXPECT_TRUE(outbox_.commit(0));
    EXPECT_FALSE(outbox_.commit(0)) << "no record is new";
    EXPECT_FALSE(outbox_.commit(1)) << "the other reactor's ring has got nothing";
    const std::vector<Heard> heard = hear();
    ASSERT_EQ(heard.size(), 2u);
    EXPECT_EQ(heard[0].body, "short");
    EXPECT_FALSE(heard[0].payload) << "a short payload stands in the ring";
    EXPECT_EQ(heard[1].body, body);
    EXPECT_TRUE(heard[1].payload) << "a long payload stands in the arena";
}

TEST_F(Out, AFullRingSaysSoAndTakesAgainWhatIsTakenOut) {
    const std::string body(1000, 'x');
    const size_t count = fill(body);
    EXPECT_GT(count, 50u);
    EXPECT_TRUE(outbox_.push(1, command(body))) << "each reactor has a ring of its own";
    EXPECT_EQ(hear().size(), count);
    EXPECT_TRUE(outbox_.push(0, command(body)));
}

TEST_F(Out, AFullArenaSaysSoUntilAReactorHasSent) {
    const std::string body(kLong, 'x');
    EXPECT_EQ(fill(body), 3u);
    EXPECT_TRUE(outbox_.push(0, command("short"))) << "the ring has room";
    std::vector<Heard> heard = hear();
    ASSERT_EQ(heard.size(), 4u);
    EXPECT_FALSE(outbox_.push(0, command(body))) << "all extents are still in use";
    heard.erase(heard.begin() + 1);
    EXPECT_TRUE(outbox_.push(0, command(body)));
    EXPECT_FALSE(outbox_.push(0, command(body)));
}

TEST_F(Out, WhatCanNeverFitIsKnown) {
    EXPECT_TRUE(outbox_.can_hold(0));
    EXPECT_TRUE(outbox_.can_hold(kOutArena - kOutExtentHeader));
    EXPECT_FALSE(outbox_.can_hold(kOutArena - kOutExtentHeader + 1));
    EXPECT_TRUE(outbox_.push(0, command(std::string(kOutArena - kOutExtentHeader, 'x'))));
}

TEST_F(Out, WhatMustNotBeLostIsKeptInOrder) {
    const size_t count = fill_ring();
    {
        std::string gone = "kept";  // the outbox copies what the caller had
        ASSERT_TRUE(outbox_.push_or_keep(0, command(gone, command::Close{1001})));
        std::string fields = "a: b\r\n", protocol = "chat";
        ASSERT_TRUE(outbox_.push_or_keep(0, command("eve", command::GrantHandshake{1, fields, protocol})));
        for (std::string* text : {&gone, &fields, &protocol})
            text->assign(text->size(), '?');
    }
    outbox_.push_or_keep(0, note::Finished{5});
    EXPECT_TRUE(outbox_.has_kept());
    outbox_.hand_over_kept();
    EXPECT_TRUE(outbox_.has_kept()) << "the ring is still full";
    EXPECT_TRUE(outbox_.push(1, command("to the other"))) << "the other reactor's ring is not full";

    EXPECT_EQ(hear().size(), count);
    ASSERT_TRUE(outbox_.push(0, command("last"))) << "a record goes behind those that are kept";
    EXPECT_FALSE(outbox_.has_kept());
    const std::vector<Heard> heard = hear();
    ASSERT_EQ(heard.size(), 4u);
    ASSERT_TRUE(std::holds_alternative<command::Close>(heard[0].what));
    EXPECT_EQ(std::get<command::Close>(heard[0].what).code, 1001);
    EXPECT_EQ(heard[0].body, "kept");
    ASSERT_TRUE(std::holds_alternative<command::GrantHandshake>(heard[1].what));
    EXPECT_EQ(heard[1].body, "a: b\r\nchateve");
    ASSERT_TRUE(heard[2].note);
    EXPECT_EQ(std::get<note::Finished>(*heard[2].note).message_end, 5u);
    EXPECT_EQ(heard[3].body, "last");
}

TEST_F(Out, NothingOvertakesWhatIsKept) {
    const std::string body(kLong, 'x');
    EXPECT_EQ(fill(body), 3u);
    std::vector<Heard> heard = hear();
    ASSERT_TRUE(outbox_.push_or_keep(0, command(body))) << "the arena has no room for the payload";
    EXPECT_FALSE(outbox_.push(0, command("short"))) << "a short record must not overtake the kept one";
    EXPECT_FALSE(outbox_.push(0, note::Hold{1}));
    EXPECT_TRUE(outbox_.push(1, command("short"))) << "the other reactor's ring keeps nothing back";
    heard.clear();
    EXPECT_TRUE(outbox_.push(0, command("short")));
    heard = hear();
    ASSERT_EQ(heard.size(), 2u);
    EXPECT_EQ(heard[0].body, body);
    EXPECT_EQ(heard[1].body, "short");
}

TEST_F(Out, NoMoreIsKeptThanTheArenaWouldHold) {
    fill_ring();
    const std::string body(kPage, 'x');
    size_t count = 0;
    while (outbox_.push_or_keep(0, command(body)))
        ++count;
    EXPECT_EQ(count, kOutArena / (body.size() + sizeof(CommandRecord)));
    EXPECT_TRUE(outbox_.push_or_keep(0, command({}, command::Close{})))
        << "a record without payload is kept even then";
    outbox_.push_or_keep(0, note::Release{1});
    outbox_.forget_kept(0);
    EXPECT_FALSE(outbox_.has_kept());
    hear();
    EXPECT_TRUE(outbox_.push_or_keep(0, command(body)));
    EXPECT_EQ(hear().size(), 1u) << "what was forgotten never comes";
}

TEST_F(Out, AFileThatIsKeptIsADescriptorOfItsOwn) {
    char name[] = "/tmp/outbox-XXXXXX";
    const int file = mkstemp(name);
    ASSERT_GE(file, 0);
    unlink(name);
    ASSERT_EQ(write(file, "contents", 8), 8);
    const Command body = command({}, command::BodyPart{.file = {file, 0, 8}});
    ASSERT_TRUE(outbox_.push(0, body));
    fill_ring();
    ASSERT_TRUE(outbox_.push_or_keep(0, body));
    ASSERT_TRUE(outbox_.has_kept());
    close(file);
    EXPECT_EQ(hear().front().body, "contents");
    outbox_.hand_over_kept();
    const std::vector<Heard> heard = hear();
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].body, "contents");
}

TEST(OutboxParts, ALongBodyIsCutSoThatItGetsThrough) {
    constexpr size_t kMiB = 1u << 20;
    EXPECT_EQ(Outbox::part_bytes(0, false, 64 * kMiB), 0u);
    EXPECT_EQ(Outbox::part_bytes(16 * kMiB, false, 64 * kMiB), 16 * kMiB)
        << "a body up to the arena's share begins in one part";
    EXPECT_EQ(Outbox::part_bytes(16 * kMiB + 1, false, 64 * kMiB), kMiB);
    EXPECT_EQ(Outbox::part_bytes(16 * kMiB, true, 64 * kMiB), kMiB)
        << "later parts come at the client's pace";
    EXPECT_EQ(Outbox::part_bytes(kMiB, true, 64 * kMiB), kMiB);
    EXPECT_EQ(Outbox::part_bytes(10 * kMiB, false, kMiB), kMiB / 4) << "a small arena has smaller parts";
    EXPECT_EQ(Outbox::part_bytes(10 * kMiB, true, kMiB), kMiB / 4);
}

TEST_F(Out, LeavesSomeOfTheRingToWhatNeedsLittleOfIt) {
    fill_ring();
    EXPECT_FALSE(outbox_.push(0, command("x")));
    EXPECT_TRUE(outbox_.push(0, command(std::string(kLong, 'x'))))
        << "a long payload leaves room in the ring";
    EXPECT_TRUE(outbox_.push(0, command({}, command::CountSubscribers{.topic = "t"})));
    EXPECT_TRUE(outbox_.push(0, note::Finished{8}));
}

}  // namespace
}  // namespace sluice
