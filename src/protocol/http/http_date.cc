#include "protocol/http/http_date.h"

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

namespace {

/// Reads digits and fixed text from the front.
class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    bool ok() const { return ok_; }
    bool at_end() const { return ok_ && rest_.empty(); }
    void skip(std::string_view text) {
        ok_ = ok_ && rest_.starts_with(text);
        if (ok_) rest_.remove_prefix(text.size());
    }
    int number(size_t digits) {
        ok_ = ok_ && rest_.size() >= digits;
        int value = 0;
        for (size_t i = 0; ok_ && i < digits; ++i) {
            ok_ = rest_[i] >= '0' && rest_[i] <= '9';
            value = value * 10 + (rest_[i] - '0');
        }
        if (ok_) rest_.remove_prefix(digits);
        return value;
    }
    /// The index of the name, each `size` long, that stands here.
    int name(std::string_view names, size_t size) {
        for (size_t i = 0; ok_ && i * size < names.size(); ++i) {
            if (!rest_.starts_with(names.substr(i * size, size))) continue;
            rest_.remove_prefix(size);
            return static_cast<int>(i);
        }
        ok_ = false;
        return 0;
    }
    bool has(char c) const { return ok_ && !rest_.empty() && rest_.front() == c; }
    void skip_long_week_day() {
        const size_t comma = rest_.find("day, ");
        ok_ = ok_ && comma <= 6;
        if (ok_) rest_.remove_prefix(comma + 5);
    }

  private:
    std::string_view rest_;
    bool ok_ = true;
};

constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::string_view kWeekDays = "SunMonTueWedThuFriSat";

bool is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

}  // namespace

std::optional<int64_t> parse_date(std::string_view text) {
    Reader reader(text);
    int day, month, year, hour, minute, second;
    const auto read_time = [&] {
        hour = reader.number(2);
        reader.skip(":");
        minute = reader.number(2);
        reader.skip(":");
        second = reader.number(2);
    };
    reader.name(kWeekDays, 3);
    if (reader.has(',')) {
        reader.skip(", ");
        day = reader.number(2);
        reader.skip(" ");
        month = reader.name(kMonths, 3);
        reader.skip(" ");
        year = reader.number(4);
        reader.skip(" ");
        read_time();
        reader.skip(" GMT");
    } else if (reader.has(' ')) {
        reader.skip(" ");
        month = reader.name(kMonths, 3);
        reader.skip(" ");
        const bool short_day = reader.has(' ');
        if (short_day) reader.skip(" ");
        day = reader.number(short_day ? 1 : 2);
        reader.skip(" ");
        read_time();
        reader.skip(" ");
        year = reader.number(4);
    } else {
        reader.skip_long_week_day();
        day = reader.number(2);
        reader.skip("-");
        month = reader.name(kMonths, 3);
        reader.skip("-");
        year = reader.number(2);
        year += year < 70 ? 2000 : 1900;
        reader.skip(" ");
        read_time();
        reader.skip(" GMT");
    }
    if (!reader.at_end() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    static constexpr int kMonthDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (day < 1 || day > kMonthDays[month] + (month == 1 && is_leap(year) ? 1 : 0)) return std::nullopt;

    // Years begin in March here, as in format_date().
    const int64_t shifted_year = year - (month < 2 ? 1 : 0);
    const int64_t era = (shifted_year >= 0 ? shifted_year : shifted_year - 399) / 400;
    const int64_t year_of_era = shifted_year - era * 400;
    const int64_t day_of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
    const int64_t days =
        era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
    return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

std::string_view DateCache::at(int64_t unix_time_s) {
    if (unix_time_s != unix_time_s_) {
        format_date(unix_time_s, text_);
        unix_time_s_ = unix_time_s;
    }
    return {text_, kDateBytes};
}

}  // namespace sluice::http
