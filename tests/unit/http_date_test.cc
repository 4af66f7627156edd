#include "protocol/http_date.h"

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
