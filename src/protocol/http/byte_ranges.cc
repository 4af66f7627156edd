#include "protocol/http/byte_ranges.h"

#include <algorithm>
#include <optional>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

/// Reads digits. A number that overflows becomes UINT64_MAX: no file is that long.
std::optional<uint64_t> read_number(std::string_view text) {
    if (text.empty()) return std::nullopt;
    uint64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        const uint64_t digit = static_cast<uint64_t>(c - '0');
        number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
    }
    return number;
}

enum class Spec : uint8_t { kMalformed, kUnsatisfiable, kSatisfiable };

Spec read_spec(std::string_view text, uint64_t size, ByteRange& range) {
    const size_t dash = text.find('-');
    if (dash == text.npos) return Spec::kMalformed;
    const auto last = read_number(text.substr(dash + 1));
    if (dash == 0) {  // the last N bytes
        if (!last) return Spec::kMalformed;
        if (*last == 0 || size == 0) return Spec::kUnsatisfiable;
        range.bytes = std::min(*last, size);
        range.first = size - range.bytes;
        return Spec::kSatisfiable;
    }
    const auto first = read_number(text.substr(0, dash));
    if (!first || (!last && dash + 1 < text.size()) || (last && *last < *first)) return Spec::kMalformed;
    if (*first >= size) return Spec::kUnsatisfiable;
    range.first = *first;
    range.bytes = std::min(last.value_or(UINT64_MAX), size - 1) - *first + 1;
    return Spec::kSatisfiable;
}

/// Whether any two ranges share a byte.
bool overlap(ByteRanges ranges) {
    const std::span<ByteRange> all = ranges.all();
    std::sort(all.begin(), all.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
    for (size_t i = 1; i < all.size(); ++i)
        if (all[i].first <= all[i - 1].last()) return true;
    return false;
}

/// Joins ranges that overlap or touch.
void join(ByteRanges& ranges) {
    const std::span<ByteRange> all = ranges.all();
    std::sort(all.begin(), all.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
    size_t last = 0;
    for (size_t i = 1; i < all.size(); ++i) {
        ByteRange& before = all[last];
        if (all[i].first <= before.first + before.bytes) {
            before.bytes = std::max(before.last(), all[i].last()) - before.first + 1;
        } else {
            all[++last] = all[i];
        }
    }
    ranges.keep(last + 1);
}

/// The value of a field; nothing when it is missing or came twice.
std::optional<std::string_view> only(std::span<const Field> fields, const char* text, std::string_view name) {
    std::optional<std::string_view> value;
    for (const Field& field : fields) {
        if (field.name.in(text) != name) continue;
        if (value) return std::nullopt;
        value = field.value.in(text);
    }
    return value;
}

}  // namespace

RangeAnswer read_ranges(std::string_view value, uint64_t size, ByteRanges& ranges) {
    ranges.keep(0);
    const size_t equals = value.find('=');
    if (equals == value.npos || !equals_caseless(value.substr(0, equals), "bytes"))
        return RangeAnswer::kWhole;
    std::string_view rest = value.substr(equals + 1);
    size_t count = 0;
    while (!rest.empty()) {
        const size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view text = trim_blanks(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        if (text.empty()) continue;  // RFC 9110 5.6.1.2: an empty element of a list is none
        if (++count > kMostRanges) {
            ranges.keep(0);
            return RangeAnswer::kWhole;
        }
        ByteRange range;
        switch (read_spec(text, size, range)) {
            case Spec::kMalformed: ranges.keep(0); return RangeAnswer::kWhole;
            case Spec::kUnsatisfiable: break;
            case Spec::kSatisfiable: ranges.add(range); break;
        }
    }
    if (count == 0) return RangeAnswer::kWhole;
    if (ranges.empty()) return RangeAnswer::kUnsatisfiable;
    if (overlap(ranges)) join(ranges);
    return RangeAnswer::kPartial;
}

RangeAnswer requested_ranges(std::span<const Field> fields, const char* text, std::string_view etag,
                             std::string_view last_modified, uint64_t size, ByteRanges& ranges) {
    const auto range = only(fields, text, "range");
    if (!range) return RangeAnswer::kWhole;
    const bool has_condition = std::any_of(
        fields.begin(), fields.end(), [&](const Field& field) { return field.name.in(text) == "if-range"; });
    if (has_condition) {
        // Tag and date must be equal byte by byte: the strong comparison of tags, and the exact one of dates.
        const auto condition = only(fields, text, "if-range");
        const bool holds = condition && !condition->empty() &&
                           (condition->front() == '"' ? *condition == etag : *condition == last_modified);
        if (!holds) return RangeAnswer::kWhole;
    }
    return read_ranges(*range, size, ranges);
}

}  // namespace sluice::http
