#include "protocol/http_date.h"

#include <cstring>

namespace sluice::http {

namespace {

void put_two(char* out, unsigned value) {
    out[0] = static_cast<char>('0' + value / 10);
    out[1] = static_cast<char>('0' + value % 10);
}

}  // namespace

void format_date(int64_t unix_time_s, char (&out)[kDateBytes]) {
    constexpr int64_t kDaySeconds = 86400;
    int64_t days = unix_time_s / kDaySeconds;
    int64_t second = unix_time_s % kDaySeconds;
    if (second < 0) {
        second += kDaySeconds;
        --days;
    }
    const int64_t week_day = ((days + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday

    // Years are counted from the first of March, so that the leap day is the last of its year, and in eras of
    // 400 years, after which the calendar repeats.
    constexpr int64_t kEraDays = 146097;
    const int64_t shifted = days + 719468;  // days since 0000-03-01
    const int64_t era = (shifted >= 0 ? shifted : shifted - (kEraDays - 1)) / kEraDays;
    const unsigned day_of_era = static_cast<unsigned>(shifted - era * kEraDays);
    const unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (kEraDays - 1)) / 365;
    const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned march_month = (5 * day_of_year + 2) / 153;
    const unsigned day = day_of_year - (153 * march_month + 2) / 5 + 1;
    const unsigned month = march_month < 10 ? march_month + 2 : march_month - 10;  // 0 is January
    const unsigned year = static_cast<unsigned>(era * 400 + year_of_era + (month < 2 ? 1 : 0));

    memcpy(out, "Thu, 01 Jan 1970 00:00:00 GMT", kDateBytes);
    memcpy(out, &"SunMonTueWedThuFriSat"[week_day * 3], 3);
    put_two(out + 5, day);
    memcpy(out + 8, &"JanFebMarAprMayJunJulAugSepOctNovDec"[month * 3], 3);
    put_two(out + 12, year / 100 % 100);
    put_two(out + 14, year % 100);
    put_two(out + 17, static_cast<unsigned>(second / 3600));
    put_two(out + 20, static_cast<unsigned>(second / 60 % 60));
    put_two(out + 23, static_cast<unsigned>(second % 60));
}

std::string_view DateCache::at(int64_t unix_time_s) {
    if (unix_time_s != unix_time_s_) {
        format_date(unix_time_s, text_);
        unix_time_s_ = unix_time_s;
    }
    return {text_, kDateBytes};
}

}  // namespace sluice::http
