#include "io/address.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Address, TextGoesRoundTrip) {
    for (const char* text : {"127.0.0.1:80", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:443", "[::]:0",
                             "[2001:db8::1]:9501"}) {
        const auto address = Address::parse(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->to_string(), text);
        sockaddr_storage storage;
        const socklen_t size = address->to(storage);
        EXPECT_EQ(storage.ss_family, address->family);
        EXPECT_EQ(size, address->family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
        EXPECT_EQ(Address::from(storage).to_string(), text);
    }
}

TEST(Address, LocalhostIsIpv4) {
    EXPECT_EQ(Address::parse("localhost:81")->to_string(), "127.0.0.1:81");
}

TEST(Address, PortsAreInHostOrderOutsideAndInNetworkOrderInside) {
    const auto address = Address::parse("1.2.3.4:258");
    ASSERT_TRUE(address);
    EXPECT_EQ(address->port, 258);
    sockaddr_storage storage;
    address->to(storage);
    const auto* bytes =
        reinterpret_cast<const unsigned char*>(&reinterpret_cast<sockaddr_in&>(storage).sin_port);
    EXPECT_EQ(bytes[0], 1);
    EXPECT_EQ(bytes[1], 2);
}

TEST(Address, WhatIsNone) {
    for (const char* text : {"",
                             ":",
                             ":80",
                             "127.0.0.1",
                             "127.0.0.1:",
                             "127.0.0.1:65536",
                             "127.0.0.1:-1",
                             "127.0.0.1:+1",
                             "127.0.0.1:80 ",
                             " 127.0.0.1:80",
                             "127.0.0.1:8x",
                             "127.0.0:80",
                             "256.0.0.1:80",
                             "example.com:80",
                             "::1:80",
                             "[::1]",
                             "[::1]80",
                             "[]:80",
                             "[127.0.0.1]:80",
                             "[::1:80",
                             "::1]:80",
                             "127.0.0.1:80:80",
                             "localhost"}) {
        EXPECT_FALSE(Address::parse(text)) << "\"" << text << "\"";
    }
}

TEST(Address, NoneHasNoText) {
    EXPECT_EQ(Address().to_string(), "");
    sockaddr_storage storage{};
    storage.ss_family = AF_NETLINK;
    EXPECT_EQ(Address::from(storage).family, 0);
}

TEST(Address, AClientOfTheUnixDomainHasNoNumber) {
    sockaddr_storage storage{};
    storage.ss_family = AF_UNIX;
    EXPECT_EQ(Address::from(storage).to_string(), "unix:");
}

}  // namespace
}  // namespace sluice
