#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// Bytes of a representation: at least one, `first` and those behind it.
struct ByteRange {
    uint64_t first = 0;
    uint64_t bytes = 0;

    uint64_t last() const { return first + bytes - 1; }
    bool operator==(const ByteRange&) const = default;
};

/// More than this in one Range field is no download that goes on, but a way to make much out of little
/// (RFC 9110 14.2 and 17.15): the whole is sent instead.
inline constexpr size_t kMostRanges = 32;

/// Room for all that one field may ask for.
class ByteRanges {
  public:
    std::span<ByteRange> all() { return {ranges_, count_}; }
    std::span<const ByteRange> all() const { return {ranges_, count_}; }
    size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// At most kMostRanges times.
    void add(const ByteRange& range) { ranges_[count_++] = range; }
    void keep(size_t count) { count_ = count; }

  private:
    ByteRange ranges_[kMostRanges];
    size_t count_ = 0;
};

enum class RangeAnswer : uint8_t {
    kWhole,          ///< no Range, or one to be ignored: 200
    kPartial,        ///< 206
    kUnsatisfiable,  ///< 416
};

/// What a Range field asks of a representation of `size` bytes (RFC 9110 14.1.2). `ranges` becomes what can
/// be sent, in the order it was asked for; when some of them overlap, all in rising order and joined. What is
/// not well-formed, of another unit, or of more than kMostRanges is ignored.
RangeAnswer read_ranges(std::string_view value, uint64_t size, ByteRanges& ranges);

/// read_ranges() for a whole GET request, with If-Range (RFC 9110 13.1.5): `etag` and `last_modified` are the
/// response's fields, empty where it has none.
RangeAnswer requested_ranges(std::span<const Field> fields, const char* text, std::string_view etag,
                             std::string_view last_modified, uint64_t size, ByteRanges& ranges);

}  // namespace sluice::http
