#include "io/listen_address.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ListenAddress, TextGoesRoundTrip) {
    for (const char* text : {"127.0.0.1:80", "[::]:0", "unix:/run/app.sock", "unix:/a b:c"}) {
        const auto address = ListenAddress::parse(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->to_string(), text);
    }
    EXPECT_TRUE(ListenAddress::parse("unix:/x")->is_unix());
    EXPECT_EQ(ListenAddress::parse("unix:/x")->ip.family, 0);
    EXPECT_FALSE(ListenAddress::parse("127.0.0.1:80")->is_unix());
}

TEST(ListenAddress, APathHasRoomInASocketsAddress) {
    EXPECT_TRUE(ListenAddress::parse("unix:/" + std::string(106, 'x')));
    EXPECT_FALSE(ListenAddress::parse("unix:/" + std::string(107, 'x')));
}

TEST(ListenAddress, WhatIsNone) {
    using namespace std::literals;
    for (std::string_view text : {"unix:"sv, "unix:/"sv, "unix:x"sv, "unix:/x/"sv, "unix:/x\0y"sv,
                                  "Unix:/x"sv, "/x"sv, "unix"sv, ""sv, "127.0.0.1"sv}) {
        EXPECT_FALSE(ListenAddress::parse(text)) << text;
    }
}

}  // namespace
}  // namespace sluice
