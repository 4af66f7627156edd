#include "server/seam/command_inlet.h"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <vector>

#include "core/page_arena.h"
#include "server/seam/out_memory.h"

namespace sluice {
namespace {

constexpr size_t kRing = 4096;
constexpr size_t kArena = 8 * PageArena::kPageSize;

/// A worker's out-ring and out-arena, written by hand.
class Inlet : public testing::Test {
  protected:
    struct Heard {
        std::string body;
        Ref<Payload> payload;
    };

    CommandInlet make_inlet() {
        FdChannel files;
        EXPECT_TRUE(FdChannel::create_pair(files_, files));
        return CommandInlet(RingConsumer(&header_, ring_.get(), kRing), {arena_.get(), kArena},
                            std::move(files));
    }
    /// A record that speaks of the descriptor with this number.
    void put_file(uint64_t number) { put({.what = command::BodyPart{.file = {.bytes = 10}}}, false, number); }
    void SetUp() override { inlet_ = make_inlet(); }

    void put(const Command& command, bool extent = false, uint64_t offset = 0) {
        char* place = producer_.reserve(command_record_bytes(command, extent));
        ASSERT_NE(place, nullptr);
        write_command(place, command, extent, offset);
        producer_.commit();
    }
    void put_in_extent(uint64_t offset, std::string_view body) {
        if (offset % 64 == 0 && offset + kOutExtentHeader + body.size() <= kArena) {
            reinterpret_cast<std::atomic<uint32_t>*>(arena_.get() + offset)->store(kOutExtentBusy);
            memcpy(arena_.get() + offset + kOutExtentHeader, body.data(), body.size());
        }
        put({.payload = body}, true, offset);
    }
    bool pump() {
        return inlet_.pump(
            [this](const Command& command, Ref<Payload> payload) {
                heard_.push_back({std::string(command.payload), std::move(payload)});
                return accept_;
            },
            [this](const Note& note) {
                notes_.push_back(note);
                return accept_;
            });
    }
    bool is_free(uint64_t offset) const {
        return reinterpret_cast<std::atomic<uint32_t>*>(arena_.get() + offset)->load() == kOutExtentFree;
    }

    FdChannel files_;
    RingHeader header_{};
    std::unique_ptr<char[]> ring_{new char[kRing]};
    std::unique_ptr<char[]> arena_{new char[kArena]};
    RingProducer producer_{&header_, ring_.get(), kRing};
    CommandInlet inlet_;
    std::vector<Heard> heard_;
    std::vector<Note> notes_;
    bool accept_ = true;
};

TEST_F(Inlet, CommandsComeInOrderAndMakeRoom) {
    Command command;
    for (int round = 0; round < 1000; ++round) {
        const std::string body = std::to_string(round);
        command.payload = body;
        put(command);
        if (round % 7 == 0) {
            ASSERT_TRUE(pump());
        }
    }
    ASSERT_FALSE(inlet_.empty());
    ASSERT_TRUE(pump());
    EXPECT_TRUE(inlet_.empty());
    ASSERT_EQ(heard_.size(), 1000u);
    for (size_t i = 0; i < heard_.size(); ++i)
        EXPECT_EQ(heard_[i].body, std::to_string(i));
}

TEST_F(Inlet, APayloadStaysInItsExtentUntilNobodyNeedsIt) {
    const std::string body(5000, 'x');
    put_in_extent(4096, body);
    ASSERT_TRUE(pump());
    ASSERT_EQ(heard_.size(), 1u);
    EXPECT_EQ(heard_[0].body, body);
    ASSERT_TRUE(heard_[0].payload);
    EXPECT_EQ(heard_[0].payload->data(), arena_.get() + 4096 + kOutExtentHeader);
    EXPECT_FALSE(is_free(4096));
    Ref<Payload> second = heard_[0].payload;
    heard_.clear();
    EXPECT_FALSE(is_free(4096));
    second = {};
    EXPECT_TRUE(is_free(4096));
}

TEST_F(Inlet, DetachCopiesWhatIsStillNeeded) {
    for (uint64_t offset : {0, 4096, 8192, 12288})
        put_in_extent(offset, std::string(3000, static_cast<char>('a' + offset / 4096)));
    ASSERT_TRUE(pump());
    heard_.erase(heard_.begin() + 1);  // in the middle of the list
    EXPECT_TRUE(is_free(4096));
    inlet_.detach();
    memset(arena_.get(), '!', kArena);  // the successor of the worker uses the arena
    EXPECT_EQ(heard_.size(), 3u);
    for (const Heard& heard : heard_)
        EXPECT_EQ(std::string(heard.payload->data(), heard.payload->size()), heard.body);
    heard_.clear();
    for (uint64_t offset : {0, 4096, 8192, 12288})
        EXPECT_FALSE(is_free(offset)) << "the inlet has written into the successor's arena";
}

TEST_F(Inlet, AnInletThatIsReplacedDetaches) {
    put_in_extent(0, "hello");
    ASSERT_TRUE(pump());
    inlet_ = make_inlet();
    memset(arena_.get(), '!', kArena);
    EXPECT_EQ(std::string(heard_[0].payload->data(), 5), "hello");
    put_in_extent(4096, "world");
    ASSERT_TRUE(pump());
    inlet_ = CommandInlet();
    memset(arena_.get(), '!', kArena);
    EXPECT_EQ(std::string(heard_[1].payload->data(), 5), "world");
    EXPECT_EQ(std::string(heard_[0].payload->data(), 5), "hello");
}

TEST_F(Inlet, WhatAClientHasNotTakenInTimeLeavesTheArena) {
    put_in_extent(0, "slow");
    ASSERT_TRUE(pump());
    size_t budget = 1000;
    EXPECT_EQ(inlet_.relieve(5000, budget), static_cast<int>(CommandInlet::kSlowMs));
    put_in_extent(4096, "fresh");
    ASSERT_TRUE(pump());
    EXPECT_EQ(inlet_.relieve(5000 + CommandInlet::kSlowMs - 1, budget), 1);
    EXPECT_FALSE(is_free(0));
    const size_t others = OutMemory::total();
    EXPECT_EQ(inlet_.relieve(5000 + CommandInlet::kSlowMs, budget),
              static_cast<int>(CommandInlet::kSlowMs) - 1);
    EXPECT_TRUE(is_free(0));
    EXPECT_FALSE(is_free(4096));
    EXPECT_EQ(OutMemory::total(), others + 4) << "the copy counts among what waits for clients";
    EXPECT_EQ(OutMemory::total_with_extents(), others + 4 + 5) << "as the other one does in its arena";
    EXPECT_EQ(budget, 996u);
    memset(arena_.get(), '!', 4096);
    EXPECT_EQ(std::string(heard_[0].payload->data(), 4), "slow");
    heard_.clear();
    EXPECT_EQ(OutMemory::total(), others);
    EXPECT_TRUE(is_free(4096));
    EXPECT_EQ(inlet_.relieve(9000, budget), -1);
}

TEST_F(Inlet, WhatFillsTooMuchOfTheArenaLeavesItTheOldestFirst) {
    const std::string body(kArena / CommandInlet::kLingeringPart / 2 + 1, 'x');
    for (uint64_t offset : {0, 8192, 16384})
        put_in_extent(offset, body);
    ASSERT_TRUE(pump());
    size_t budget = 1;
    EXPECT_EQ(inlet_.relieve(5000, budget), 0) << "this turn has copied enough";
    EXPECT_TRUE(is_free(0));
    EXPECT_FALSE(is_free(8192));
    budget = 1 << 20;
    EXPECT_EQ(inlet_.relieve(5001, budget), static_cast<int>(CommandInlet::kSlowMs) - 1);
    EXPECT_TRUE(is_free(8192));
    EXPECT_FALSE(is_free(16384));
    EXPECT_EQ(std::string(heard_[1].payload->data(), heard_[1].payload->size()), body);
}

TEST_F(Inlet, AMovedInletKeepsItsPayloads) {
    put_in_extent(0, "hello");
    ASSERT_TRUE(pump());
    CommandInlet moved = std::move(inlet_);
    EXPECT_EQ(heard_[0].payload->data(), arena_.get() + kOutExtentHeader)
        << "the payload still stands in the arena";
    heard_.clear();
    EXPECT_TRUE(is_free(0));
}

TEST_F(Inlet, ExtentsOutsideTheArenaAreRefused) {
    struct {
        uint64_t offset;
        size_t bytes;
    } lies[] = {
        {kArena, 0},                                                                   // behind the arena
        {kArena - PageArena::kPageSize, PageArena::kPageSize - kOutExtentHeader + 1},  // over the arena's end
        {1, 10},  // not the begin of a page
        {kOutExtentHeader, 10},
        {UINT64_MAX - PageArena::kPageSize + 1, 10},
        {UINT64_MAX, 10},
        {0, kArena},
    };
    for (const auto& lie : lies) {
        header_.produced = header_.consumed = 0;
        producer_ = RingProducer(&header_, ring_.get(), kRing);
        inlet_ = make_inlet();
        const std::string body(lie.bytes, 'x');
        put_in_extent(lie.offset, body);
        EXPECT_FALSE(pump()) << lie.offset << ", " << lie.bytes;
    }
    EXPECT_TRUE(heard_.empty());
}

TEST_F(Inlet, TheLastExtentOfTheArenaIsTaken) {
    const uint64_t offset = kArena - PageArena::kPageSize;
    put_in_extent(offset, std::string(PageArena::kPageSize - kOutExtentHeader, 'x'));
    EXPECT_TRUE(pump());
    heard_.clear();
    EXPECT_TRUE(is_free(offset));
}

TEST_F(Inlet, ALieIsRefusedAndNothingAfterItHeard) {
    Command command;
    command.payload = "good";
    put(command);
    put(command);
    put(command);
    // The second record says that its body is longer than the record.
    reinterpret_cast<CommandRecord*>(ring_.get() + round_record(command_record_bytes(command, false)))
        ->payload_bytes = 5;
    EXPECT_FALSE(pump());
    EXPECT_EQ(heard_.size(), 1u);
    EXPECT_TRUE(inlet_.empty());
    EXPECT_FALSE(pump());
    EXPECT_EQ(heard_.size(), 1u);
    inlet_ = make_inlet();
    EXPECT_FALSE(inlet_.empty());
}

TEST_F(Inlet, ACorruptRingIsRefused) {
    header_.produced = kRing + 8;
    EXPECT_FALSE(pump());
    EXPECT_TRUE(heard_.empty());
}

TEST_F(Inlet, WhoHandlesMayRefuse) {
    Command command;
    put(command);
    put(command);
    accept_ = false;
    EXPECT_FALSE(pump());
    EXPECT_EQ(heard_.size(), 1u);
}

TEST_F(Inlet, NotesComeInOrderWithTheCommands) {
    put({.payload = "one"});
    write_note(producer_.reserve(sizeof(NoteRecord)), note::Park{40, 4096});
    put({.payload = "two"});
    EXPECT_TRUE(pump());
    EXPECT_EQ(heard_.size(), 2u);
    ASSERT_EQ(notes_.size(), 1u);
    EXPECT_EQ(std::get<note::Park>(notes_[0]).message_end, 40u);
    EXPECT_EQ(std::get<note::Park>(notes_[0]).parked_offset, 4096u);
    // A note of a kind that does not exist is refused.
    char* place = producer_.reserve(sizeof(NoteRecord));
    write_note(place, note::Hold{});
    reinterpret_cast<RecordHeader*>(place)->kind = kFirstNote + std::variant_size_v<Note>;
    producer_.commit();
    EXPECT_FALSE(pump());
}

TEST_F(Inlet, DescriptorsComeBesideTheRecords) {
    const UniqueFd file(memfd_create("test", MFD_CLOEXEC));
    std::vector<bool> is_open;
    const auto pump_files = [&] {
        return inlet_.pump(
            [&](const Command& command, Ref<Payload>) {
                const command::FilePart* part = command.file();
                is_open.push_back(part && fcntl(part->fd, F_GETFD) >= 0 && part->bytes == 10);
                return true;
            },
            [](const Note&) { return false; });
    };
    for (uint64_t number = 0; number < 3; ++number) {
        ASSERT_TRUE(files_.send(number, file.get()));
        put_file(number);
        put({});
    }
    EXPECT_TRUE(pump_files());
    EXPECT_EQ(is_open, (std::vector<bool>{true, false, true, false, true, false}));
}

TEST_F(Inlet, ARecordWithoutItsDescriptorIsALie) {
    put_file(0);
    EXPECT_FALSE(pump());
    EXPECT_TRUE(heard_.empty());
}

TEST_F(Inlet, ADescriptorOfAnotherNumberIsALie) {
    const UniqueFd file(memfd_create("test", MFD_CLOEXEC));
    ASSERT_TRUE(files_.send(1, file.get()));
    put_file(1);
    EXPECT_FALSE(pump()) << "the first descriptor has the number 0";
}

TEST_F(Inlet, ARecordThatSpeaksOfAnotherDescriptorIsALie) {
    const UniqueFd file(memfd_create("test", MFD_CLOEXEC));
    ASSERT_TRUE(files_.send(0, file.get()));
    put_file(1);
    EXPECT_FALSE(pump());
}

}  // namespace
}  // namespace sluice
