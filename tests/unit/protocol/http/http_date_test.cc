#include "protocol/http/http_date.h"

#include <ctime>
#include <gtest/gtest.h>
#include <string>

namespace sluice::http {
namespace {

std::string date(int64_t unix_time_s) {
    char text[kDateBytes];
    format_date(unix_time_s, text);
    return {text, kDateBytes};
}

TEST(HttpDate, Rfc9110_5_6_7_KnownDates) {
    EXPECT_EQ(date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(date(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
    EXPECT_EQ(date(951782399), "Mon, 28 Feb 2000 23:59:59 GMT");
    EXPECT_EQ(date(951782400), "Tue, 29 Feb 2000 00:00:00 GMT");
    EXPECT_EQ(date(4107542400), "Mon, 01 Mar 2100 00:00:00 GMT");
    EXPECT_EQ(date(253402300799), "Fri, 31 Dec 9999 23:59:59 GMT");
}

TEST(HttpDate, Rfc9110_5_6_7_AllThreeFormsAreRead) {
    EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777);
    EXPECT_EQ(parse_date("Sunday, 06-Nov-94 08:49:37 GMT"), 784111777);
    EXPECT_EQ(parse_date("Sun Nov  6 08:49:37 1994"), 784111777);
    EXPECT_EQ(parse_date("Wed Nov 16 08:49:37 1994"), 784975777);
    EXPECT_EQ(parse_date("Wednesday, 01-Jan-69 00:00:00 GMT"), 3124224000);
    EXPECT_EQ(parse_date("Tue, 29 Feb 2000 00:00:00 GMT"), 951782400);
}

TEST(HttpDate, WhatIsNoDateIsNotRead) {
    for (const char* text :
         {"", "Sun", "Sun, ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT ",
          "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
          "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
          "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
          "Sun, 06 nov 1994 08:49:37 GMT", "0", "Sun, 06 Nov +994 08:49:37 GMT",
          "Sundays, 06-Nov-94 08:49:37 GMT", "Sun Nov 06 08:49:37 94"})
        EXPECT_FALSE(parse_date(text)) << text;
}

TEST(HttpDate, EveryDayIsReadAsWritten) {
    for (int64_t time = -62167219200; time < 253402300799; time += 86399 * 41)
        EXPECT_EQ(parse_date(date(time)), time);
}

TEST(HttpDate, AgreesWithTheSystemsCalendar) {
    // Steps of a bit more than a day hit every day of the week, month and year, at all hours.
    for (int64_t time = -5000000000; time < 20000000000; time += 87013) {
        const time_t system_time = static_cast<time_t>(time);
        tm parts{};
        gmtime_r(&system_time, &parts);
        char expected[64];
        strftime(expected, sizeof(expected), "%a, %d %b %Y %H:%M:%S GMT", &parts);
        ASSERT_EQ(date(time), expected) << time;
    }
}

TEST(HttpDate, TheCacheFollowsTheSecond) {
    DateCache cache;
    EXPECT_EQ(cache.at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(cache.at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(cache.at(1), "Thu, 01 Jan 1970 00:00:01 GMT");
    EXPECT_EQ(cache.at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
}

}  // namespace
}  // namespace sluice::http
