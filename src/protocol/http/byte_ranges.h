#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// A non-empty range of a representation's bytes.
struct ByteRange {
    uint64_t first = 0;
    uint64_t bytes = 0;

    uint64_t last() const { return first + bytes - 1; }
    bool operator==(const ByteRange&) const = default;
};

/// A Range field with more ranges is no resumed download but an amplification attack (RFC 9110 14.2 and
/// 17.15): the whole representation is sent.
inline constexpr size_t kMostRanges = 32;

/// The ranges of one field, without allocation.
class ByteRanges {
  public:
    std::span<ByteRange> all() { return {ranges_, count_}; }
    std::span<const ByteRange> all() const { return {ranges_, count_}; }
    size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// May be called kMostRanges times.
    void add(const ByteRange& range) { ranges_[count_++] = range; }
    void keep(size_t count) { count_ = count; }

  private:
    ByteRange ranges_[kMostRanges];
    size_t count_ = 0;
};

enum class RangeAnswer : uint8_t {
    kWhole,          ///< no Range field, or an ignored one: 200
    kPartial,        ///< 206
    kUnsatisfiable,  ///< 416
};

/// What a Range field asks of a representation of `size` bytes (RFC 9110 14.1.2). `ranges` becomes what can
/// be sent, in the order of the field; when ranges overlap, all are sorted and joined. A field that is
/// malformed, of another unit, or of more than kMostRanges is ignored.
RangeAnswer read_ranges(std::string_view value, uint64_t size, ByteRanges& ranges);

/// read_ranges() for a whole GET request, with If-Range (RFC 9110 13.1.5): `etag` and `last_modified` are the
/// response's fields, empty where it has none.
RangeAnswer requested_ranges(std::span<const Field> fields, const char* text, std::string_view etag,
                             std::string_view last_modified, uint64_t size, ByteRanges& ranges);

}  // namespace sluice::http
