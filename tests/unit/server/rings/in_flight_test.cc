#include "server/rings/in_flight.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

class InFlights : public testing::Test {
  protected:
    /// Adds a record of 100 bytes, of the connection with this number.
    static constexpr uint64_t kClient = 7;

    void add(uint64_t number) {
        InFlight message;
        message.client = kClient;
        message.begin = (number - 1) * 100;
        message.end = number * 100;
        message.connection = number;
        table_.add(message);
    }
    void pass(uint64_t number) {
        table_.pass(number * 100, [this](ConnectionId id) { finished_.push_back(id); });
    }
    bool finish(uint64_t number) {
        ConnectionId id = kNoConnection;
        if (!table_.finish(number * 100, id)) return false;
        finished_.push_back(id);
        return true;
    }
    std::vector<uint64_t> left() {
        std::vector<uint64_t> numbers;
        for (const InFlight& message : table_.take_all())
            numbers.push_back(message.end / 100);
        return numbers;
    }

    InFlightTable table_;
    std::vector<ConnectionId> finished_;
};

TEST_F(InFlights, TheirWorkerHasBegunThoseBeforeItsPlace) {
    EXPECT_FALSE(table_.has_unbegun(1, 0));
    EXPECT_EQ(table_.middle_behind(0), 0u);
    for (uint64_t number = 1; number <= 4; ++number)
        add(number);
    EXPECT_TRUE(table_.has_unbegun(4, 0));
    EXPECT_FALSE(table_.has_unbegun(5, 0));
    EXPECT_FALSE(table_.has_unbegun(4, 100));
    EXPECT_TRUE(table_.has_unbegun(3, 100));
    EXPECT_EQ(table_.middle_behind(0), 300u);
    EXPECT_EQ(table_.middle_behind(100), 300u);
    EXPECT_EQ(table_.middle_behind(300), 400u);
    EXPECT_EQ(table_.middle_behind(400), 0u);
}

TEST_F(InFlights, FinishWhenTheirSpaceIsGivenBack) {
    for (uint64_t number = 1; number <= 4; ++number)
        add(number);
    pass(2);
    EXPECT_EQ(finished_, (std::vector<ConnectionId>{1, 2}));
    EXPECT_EQ(table_.size(), 2u);
    pass(2);
    pass(4);
    EXPECT_EQ(finished_.size(), 4u);
    EXPECT_TRUE(table_.empty());
}

TEST_F(InFlights, HeldOnesStayUntilTheyAreSaidToBeFinished) {
    for (uint64_t number = 1; number <= 3; ++number)
        add(number);
    EXPECT_TRUE(table_.hold(200, InFlight::kNowhere));
    EXPECT_EQ(table_.size(), 3u);
    pass(3);
    EXPECT_EQ(finished_, (std::vector<ConnectionId>{1, 3}));
    EXPECT_EQ(table_.size(), 1u);
    EXPECT_TRUE(finish(2));
    EXPECT_EQ(finished_, (std::vector<ConnectionId>{1, 3, 2}));
    EXPECT_TRUE(table_.empty());
    EXPECT_FALSE(finish(2)) << "a message is finished once";
}

TEST_F(InFlights, AHeldOneMayFinishBeforeItsSpaceIsGivenBack) {
    add(1);
    add(2);
    EXPECT_TRUE(table_.hold(200, 4096));
    EXPECT_TRUE(finish(2));
    EXPECT_EQ(table_.size(), 1u);
    pass(2);
    EXPECT_EQ(finished_, (std::vector<ConnectionId>{2, 1}))
        << "a message that is passed is not finished twice";
    EXPECT_TRUE(table_.empty());
}

TEST_F(InFlights, WhatCannotBeIsRefused) {
    add(1);
    add(3);
    EXPECT_FALSE(table_.hold(200, InFlight::kNowhere)) << "no message ends at 200";
    EXPECT_FALSE(table_.hold(99, InFlight::kNowhere)) << "no message ends at 99";
    EXPECT_FALSE(table_.hold(UINT64_MAX, InFlight::kNowhere));
    EXPECT_FALSE(finish(1)) << "a message that is not held is not finished by its number";
    EXPECT_TRUE(table_.hold(100, InFlight::kNowhere));
    EXPECT_FALSE(table_.hold(100, InFlight::kNowhere)) << "the message is held already";
    pass(1);
    EXPECT_FALSE(table_.hold(100, InFlight::kNowhere)) << "the message has left the ring";
    EXPECT_TRUE(finished_.empty());
}

TEST_F(InFlights, NoMoreAreHeldThanAnHonestWorkerCan) {
    table_ = InFlightTable(2);
    for (uint64_t number = 1; number <= 3; ++number)
        add(number);
    EXPECT_TRUE(table_.hold(100, InFlight::kNowhere));
    EXPECT_TRUE(table_.hold(200, InFlight::kNowhere));
    EXPECT_FALSE(table_.hold(300, InFlight::kNowhere));
    EXPECT_TRUE(finish(1));
    EXPECT_TRUE(table_.hold(300, InFlight::kNowhere));
}

TEST_F(InFlights, WhatIsLeftComesInOrder) {
    for (uint64_t number = 1; number <= 6; ++number)
        add(number);
    EXPECT_TRUE(table_.hold(400, 4096));
    EXPECT_TRUE(table_.hold(200, InFlight::kNowhere));
    EXPECT_TRUE(table_.hold(100, InFlight::kNowhere));
    EXPECT_TRUE(table_.hold(600, 8192));
    EXPECT_TRUE(finish(1));
    pass(2);
    EXPECT_EQ(left(), (std::vector<uint64_t>{2, 3, 4, 5, 6}));
    EXPECT_TRUE(table_.empty());
    pass(6);
    EXPECT_TRUE(finished_.size() == 1) << "the table has let go of the messages that moved";
}

TEST_F(InFlights, ThoseThatAreHeldTakeThePlacesOfTheirClient) {
    table_ = InFlightTable(SIZE_MAX, 8);
    const auto hold_seven = [this](uint64_t first) {
        for (uint64_t number = first; number < first + 7; ++number) {
            EXPECT_TRUE(table_.has_places());
            add(number);
            EXPECT_TRUE(table_.hold(number * 100, InFlight::kNowhere));
        }
    };
    hold_seven(1);
    EXPECT_FALSE(table_.has_places());
    EXPECT_FALSE(table_.has_place_for(kClient, 700));
    EXPECT_TRUE(table_.has_place_for(1, 700));
    add(8);
    EXPECT_FALSE(table_.has_place_for(1, 700)) << "it may come to take the last place";
    pass(8);
    EXPECT_TRUE(table_.has_place_for(1, 800));
    EXPECT_TRUE(finish(2));
    EXPECT_TRUE(table_.has_places()) << "a message that has ended gives its place back";
    table_.take_all();
    hold_seven(9);
}

TEST_F(InFlights, ThoseThatHaveNotBegunMayTakeThePlacesOfAnybody) {
    table_ = InFlightTable(SIZE_MAX, 40);
    for (uint64_t number = 1; number <= 35; ++number)
        add(number);
    EXPECT_FALSE(table_.has_places());
    EXPECT_FALSE(table_.has_place_for(1, 3400));
    EXPECT_TRUE(table_.has_place_for(1, 3500)) << "they have begun, so they are not of whoever comes now";
}

}  // namespace
}  // namespace sluice
