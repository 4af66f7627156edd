#include "server/seam/readiness_cells.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Found = ReadinessCell::Found;

class ReadinessCellsOfServer : public ::testing::Test {
  protected:
    ReadinessCellsOfServer()
        : layout_(SharedLayout::create({.mode = 0,
                                        .reactors = 1,
                                        .worker_slots = 1,
                                        .cells = 8,
                                        .ring_bytes = 1024,
                                        .arena_bytes = 16384,
                                        .out_bytes = 8192})),
          cells_(layout_) {}

    void serve(uint32_t generation) { layout_.server().generation.store(generation); }
    /// What is known of a generation's check.
    Found found(uint32_t generation, size_t index = 0) const {
        const ReadinessCell& cell = cells_.of(generation)[index];
        return cell.generation.load() == generation ? cell.found.load() : Found::kNothing;
    }

    SharedLayout layout_;
    ReadinessCells cells_;
};

TEST_F(ReadinessCellsOfServer, TellsWhatWasFoundLast) {
    cells_.note(1, 0, "database", Found::kNothing, "Not yet", 100);
    EXPECT_EQ(cells_.holds_ms(1, 0, 50), 0u) << "nothing is known";
    cells_.note(1, 0, "database", Found::kNotReady, "Away", 100);
    EXPECT_EQ(cells_.holds_ms(1, 0, 40), 60u);
    EXPECT_EQ(cells_.holds_ms(1, 0, 100), 0u);
    EXPECT_STREQ(cells_.of(1)[0].name, "database");
    EXPECT_STREQ(cells_.of(1)[0].reason, "Away");
    cells_.note(1, 0, "database", Found::kNothing, "Not yet", 100);
    EXPECT_EQ(found(1), Found::kNotReady) << "another worker that begins hides nothing";
    EXPECT_EQ(cells_.holds_ms(1, ReadinessCells::kMost, 0), 0u);
    EXPECT_EQ(cells_.holds_ms(2, 0, 0), 0u);
}

TEST_F(ReadinessCellsOfServer, CutsTexts) {
    cells_.note(1, 0, std::string(100, 'n'), Found::kReady, std::string(1000, 'r'), 1);
    EXPECT_EQ(std::string(cells_.of(1)[0].name), std::string(ReadinessCell::kMostName, 'n'));
    EXPECT_EQ(std::string(cells_.of(1)[0].reason), std::string(ReadinessCell::kMostReason, 'r'));
}

TEST_F(ReadinessCellsOfServer, ABootThatIsNotToServeLeavesThoseOfTheOneThatDoes) {
    cells_.note(1, 0, "a", Found::kReady, "", 100);
    serve(1);
    // Of three boots two fail: their numbers are even and odd.
    for (const uint32_t boot : {2u, 3u, 4u}) {
        cells_.note(boot, 0, "a", Found::kNotReady, "", 100);
        cells_.note(boot, 1, "b", Found::kNotReady, "", 100);
        EXPECT_EQ(found(1), Found::kReady);
        EXPECT_EQ(found(boot), Found::kNotReady);
        EXPECT_EQ(found(boot, 1), Found::kNotReady);
    }
    serve(4);
    cells_.note(5, 0, "a", Found::kReady, "", 100);
    EXPECT_EQ(found(4), Found::kNotReady);
    EXPECT_EQ(found(5), Found::kReady);
    EXPECT_EQ(found(5, 1), Found::kNothing) << "it has one check only";
}

}  // namespace
}  // namespace sluice
