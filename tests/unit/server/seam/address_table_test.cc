#include "server/seam/address_table.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "server/sharing/client_key.h"

namespace sluice {
namespace {

class AddressTableTest : public testing::Test {
  protected:
    static constexpr uint64_t kSecret = 42;
    static uint64_t key(std::string_view text) { return client_key(*Address::parse_ip(text), kSecret); }
    std::vector<AddressCell> cells_{64};
    AddressTable table_{cells_};
};

TEST_F(AddressTableTest, CountsWhatIsOpen) {
    const uint64_t one = key("192.0.2.1"), other = key("192.0.2.2");
    EXPECT_EQ(table_.count(one, 5).open, 0u);
    EXPECT_TRUE(table_.opened(one, 5));
    EXPECT_TRUE(table_.opened(one, 6));
    EXPECT_TRUE(table_.opened(other, 6));
    EXPECT_EQ(table_.count(one, 7).open, 2u);
    table_.closed(one);
    EXPECT_EQ(table_.count(one, 7).open, 1u);
    table_.closed(one);
    table_.closed(one);
    EXPECT_EQ(table_.count(one, 7).open, 0u) << "the count never goes below zero";
    EXPECT_EQ(table_.count(other, 7).open, 1u);
}

TEST_F(AddressTableTest, CountsWhatCameInTheSameSecond) {
    const uint64_t one = key("192.0.2.1");
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(table_.opened(one, 5));
        table_.closed(one);
    }
    EXPECT_EQ(table_.count(one, 5).recent, 3u);
    EXPECT_EQ(table_.count(one, 6).recent, 0u);
    EXPECT_TRUE(table_.opened(one, 6));
    EXPECT_EQ(table_.count(one, 6).recent, 1u);
}

TEST_F(AddressTableTest, AFullTableCountsNobodyNew) {
    std::vector<uint64_t> counted;
    size_t refused = 0;
    for (int i = 0; i < 1000; ++i) {
        const uint64_t one = key("10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250));
        if (table_.opened(one, 5)) {
            counted.push_back(one);
        } else {
            ++refused;
        }
    }
    EXPECT_EQ(counted.size(), cells_.size());
    EXPECT_EQ(refused, 1000 - cells_.size());
    for (uint64_t one : counted) {
        EXPECT_EQ(table_.count(one, 5).open, 1u);
        table_.closed(one);
    }
    // An address keeps its place in the table until the second of its last connection is over.
    EXPECT_FALSE(table_.opened(key("192.0.2.1"), 5));
    EXPECT_TRUE(table_.opened(key("192.0.2.1"), 6));
}

}  // namespace
}  // namespace sluice
