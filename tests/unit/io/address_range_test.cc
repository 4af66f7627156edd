#include "io/address_range.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

bool holds(std::string_view range, std::string_view address) {
    const auto parsed = AddressRange::parse(range);
    EXPECT_TRUE(parsed) << range;
    return parsed && parsed->contains(*Address::parse_ip(address));
}

TEST(AddressRange, ContainsWhatBeginsWithTheSameBits) {
    EXPECT_TRUE(holds("10.0.0.0/8", "10.255.1.2"));
    EXPECT_FALSE(holds("10.0.0.0/8", "11.0.0.0"));
    EXPECT_TRUE(holds("192.168.128.0/17", "192.168.128.0"));
    EXPECT_TRUE(holds("192.168.128.0/17", "192.168.255.255"));
    EXPECT_FALSE(holds("192.168.128.0/17", "192.168.127.255"));
    EXPECT_TRUE(holds("0.0.0.0/0", "255.1.2.3"));
    EXPECT_TRUE(holds("2001:db8::/33", "2001:db8:7fff::1"));
    EXPECT_FALSE(holds("2001:db8::/33", "2001:db8:8000::1"));
    EXPECT_TRUE(holds("::/0", "2001:db8::1"));
    EXPECT_TRUE(holds("fe80::/10", "febf::1"));
    EXPECT_FALSE(holds("fe80::/10", "fec0::1"));
}

TEST(AddressRange, OneAddressAlone) {
    EXPECT_TRUE(holds("127.0.0.1", "127.0.0.1"));
    EXPECT_FALSE(holds("127.0.0.1", "127.0.0.2"));
    EXPECT_TRUE(holds("::1", "::1"));
    EXPECT_FALSE(holds("::1", "::2"));
    EXPECT_TRUE(holds("10.1.2.3/32", "10.1.2.3"));
}

TEST(AddressRange, FamiliesAreApartButMappedIpv4IsIpv4) {
    EXPECT_FALSE(holds("0.0.0.0/0", "::1"));
    EXPECT_FALSE(holds("::/0", "127.0.0.1"));
    EXPECT_TRUE(holds("10.0.0.0/8", "::ffff:10.1.2.3"));
    EXPECT_TRUE(holds("::ffff:10.1.2.3", "10.1.2.3"));
}

TEST(AddressRange, ClientsOfUnixSockets) {
    const auto range = AddressRange::parse("unix");
    ASSERT_TRUE(range);
    EXPECT_TRUE(range->contains(Address::unix_domain()));
    EXPECT_FALSE(range->contains(*Address::parse_ip("127.0.0.1")));
    EXPECT_FALSE(AddressRange::parse("0.0.0.0/0")->contains(Address::unix_domain()));
    EXPECT_FALSE(AddressRange::parse("0.0.0.0/0")->contains(Address{}));
}

TEST(AddressRange, WhatIsNone) {
    using namespace std::literals;
    for (std::string_view text : {""sv,
                                  "10.0.0.0/33"sv,
                                  "10.0.0.0/"sv,
                                  "10.0.0.0/-1"sv,
                                  "10.0.0.0/08"sv,
                                  "10.0.0.1/8"sv,
                                  "10.0.0/8"sv,
                                  "10.0.0.0 /8"sv,
                                  "10.0.0.0/8 "sv,
                                  "10.0.0.0/8/8"sv,
                                  "::/129"sv,
                                  "2001:db8::1/32"sv,
                                  "localhost"sv,
                                  "127.0.0.1:80"sv,
                                  "[::1]"sv,
                                  "unix:"sv,
                                  "Unix"sv,
                                  "10.0.0.0/8x"sv,
                                  "127.0.0.1\0"sv,
                                  "/8"sv,
                                  "fe80::1%eth0"sv}) {
        EXPECT_FALSE(AddressRange::parse(text)) << text;
    }
}

TEST(AddressRange, Lists) {
    const std::vector<AddressRange> list{*AddressRange::parse("10.0.0.0/8"), *AddressRange::parse("::1")};
    EXPECT_TRUE(contains(list, *Address::parse_ip("10.0.0.1")));
    EXPECT_TRUE(contains(list, *Address::parse_ip("::1")));
    EXPECT_FALSE(contains(list, *Address::parse_ip("::2")));
    EXPECT_FALSE(contains({}, *Address::parse_ip("::2")));
}

}  // namespace
}  // namespace sluice
