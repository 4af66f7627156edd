#include "server/sharing/client_key.h"

#include <gtest/gtest.h>
#include <string_view>

namespace sluice {
namespace {

constexpr uint64_t kSecret = 42;

uint64_t key(std::string_view text) {
    return client_key(*Address::parse_ip(text), kSecret);
}

TEST(ClientKeyTest, Ipv6CountsByNetwork) {
    EXPECT_EQ(key("2001:db8::1"), key("2001:db8::2"));
    EXPECT_EQ(key("2001:db8::1"), key("2001:db8::ffff:ffff:ffff:ffff"));
    EXPECT_NE(key("2001:db8::1"), key("2001:db8:0:1::1"));
    EXPECT_NE(key("192.0.2.1"), key("192.0.2.2"));
    EXPECT_EQ(key("192.0.2.1"), key("::ffff:192.0.2.1"));
    EXPECT_NE(key("1.0.0.0"), key("100::"));
    EXPECT_NE(key("192.0.2.1"), client_key(*Address::parse_ip("192.0.2.1"), kSecret + 1));
}

TEST(ClientKeyTest, WhatHasNoAddressHasNoKey) {
    EXPECT_EQ(client_key(Address::unix_domain(), kSecret), 0u);
    EXPECT_EQ(client_key(Address{}, kSecret), 0u);
    EXPECT_NE(key("0.0.0.0"), 0u);
}

}  // namespace
}  // namespace sluice
