// For any value of Range, each range lies within the representation, and no two ranges share a byte. A
// request whose If-Range holds is answered as the value of its Range alone is.
#include "protocol/http/byte_ranges.h"

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint64_t bytes = uint64_t{input.word()} << (input.byte() & 31);
    fuzz::Block block(input.rest());
    http::ByteRanges ranges;
    const http::RangeAnswer answer =
        http::read_ranges({block.span().data(), block.span().size()}, bytes, ranges);
    fuzz::require((answer == http::RangeAnswer::kPartial) == !ranges.empty(),
                  "there are ranges without a partial answer, or a partial answer without ranges");
    fuzz::require(ranges.size() <= http::kMostRanges, "more ranges than kMostRanges");
    // The same value as the field of a request whose If-Range holds.
    const std::string text = "rangeif-range\"tag\"" + std::string(input.rest().substr(0, 1000));
    const http::Field fields[] = {{{0, 5}, {18, static_cast<uint16_t>(text.size() - 18)}}, {{5, 8}, {13, 5}}};
    http::ByteRanges again;
    const http::RangeAnswer same = http::requested_ranges(fields, text.data(), "\"tag\"", "", bytes, again);
    fuzz::require(block.span().size() > 1000 || same == answer,
                  "the answer to the field differs from the answer to its value");
    std::vector<http::ByteRange> sorted(ranges.all().begin(), ranges.all().end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    uint64_t end = 0;
    for (const http::ByteRange& range : sorted) {
        fuzz::require(range.bytes > 0 && range.first >= end,
                      "a range is empty, or shares bytes with another");
        fuzz::require(range.first < bytes && range.bytes <= bytes - range.first,
                      "a range lies outside the representation");
        end = range.first + range.bytes;
    }
    return 0;
}
