#include "server/reactor/address_limits.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class AddressLimitsTest : public test::PartsTest {
  protected:
    bool comes(const char* address, Connection& connection) {
        uint64_t key = 0;
        if (!parts_->addresses.admits(*Address::parse(address), now(), key)) return false;
        parts_->addresses.count(connection, key, now());
        return true;
    }
};

TEST_F(AddressLimitsTest, OneAddressHasItsShareUntilOneOfItsGoes) {
    limits_.connections_per_address = 2;
    start();
    Connection &first = connect(), &second = connect(), &third = connect();
    EXPECT_TRUE(comes("192.0.2.1:1", first));
    EXPECT_TRUE(comes("192.0.2.1:2", second));
    EXPECT_FALSE(comes("192.0.2.1:3", third));
    EXPECT_TRUE(comes("192.0.2.2:1", third));
    parts_->addresses.uncount(first);
    parts_->addresses.uncount(first);
    EXPECT_TRUE(comes("192.0.2.1:4", first));
    EXPECT_FALSE(comes("192.0.2.1:5", third));
}

TEST_F(AddressLimitsTest, NorMayItComeTooFast) {
    limits_.connections_per_address_per_second = 1;
    start();
    Connection &first = connect(), &second = connect();
    EXPECT_TRUE(comes("192.0.2.1:1", first));
    parts_->addresses.uncount(first);
    EXPECT_FALSE(comes("192.0.2.1:2", second));
    parts_->commons.now_ms += 1000;
    EXPECT_TRUE(comes("192.0.2.1:2", second));
}

TEST_F(AddressLimitsTest, WithoutLimitsNobodyIsCounted) {
    start();
    Connection& connection = connect();
    EXPECT_TRUE(comes("192.0.2.1:1", connection));
    EXPECT_FALSE(connection.counted);
}

}  // namespace
}  // namespace sluice
