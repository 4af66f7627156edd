#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::http {

inline constexpr size_t kDateBytes = 29;  ///< of "Sun, 06 Nov 1994 08:49:37 GMT"

/// Writes the IMF-fixdate (RFC 9110 5.6.7) of a time in seconds since 1970, from year 0 to 9999.
void format_date(int64_t unix_time_s, char (&out)[kDateBytes]);

/// Reads a date in any of the three forms of RFC 9110 5.6.7, as seconds since 1970; nothing on failure.
/// Years of two digits are those from 1970 to 2069. The day of the week is not checked against the date.
std::optional<int64_t> parse_date(std::string_view text);

/// The Date field's value, written anew only when the second changes. The caller gives the
/// time.
class DateCache {
  public:
    /// Valid until the next call.
    std::string_view at(int64_t unix_time_s);

  private:
    int64_t unix_time_s_ = INT64_MIN;
    char text_[kDateBytes] = {};
};

}  // namespace sluice::http
