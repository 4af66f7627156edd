// A request's head is parsed with the same result however its bytes are cut. Its fields lie within it, and it
// exceeds no limit.
#include "protocol/http/http1_parser.h"

#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    fuzz::Cuts cuts(input.word() | 1, 8);
    http1::HeadLimits limits;
    if (input.byte() & 1) limits = {300, 5, 60};
    const std::string_view bytes = input.rest().substr(0, 40000);

    fuzz::Block whole(bytes), pieces(bytes);
    http1::HeadParser at_once(limits), bit_by_bit(limits);
    const auto expected = at_once.parse(whole.span());
    auto status = http1::HeadParser::Status::kNeedMore;
    for (size_t seen = 0; seen < bytes.size() && status == http1::HeadParser::Status::kNeedMore;) {
        seen += cuts.next(bytes.size() - seen);
        status = bit_by_bit.parse(pieces.span().first(seen));
    }
    fuzz::require(status == expected, "the verdict depends on the cuts");
    if (status == http1::HeadParser::Status::kError) {
        fuzz::require(at_once.error().status == bit_by_bit.error().status, "the error depends on the cuts");
        fuzz::require(at_once.error().status >= 400, "an error has a status below 400");
    }
    if (status == http1::HeadParser::Status::kDone) {
        fuzz::require(at_once.head_bytes() == bit_by_bit.head_bytes(), "the end depends on the cuts");
        fuzz::require(at_once.head_bytes() <= limits.max_head_bytes, "longer than the limit");
        fuzz::require(at_once.fields().size() <= limits.max_fields, "more fields than the limit");
        for (const http::Field& field : at_once.fields()) {
            fuzz::require(size_t{field.name.offset} + field.name.length < at_once.head_bytes() &&
                              size_t{field.value.offset} + field.value.length < at_once.head_bytes(),
                          "a field lies outside the head");
            for (char c : field.value.in(whole.span().data()))
                fuzz::require(c != '\r' && c != '\n' && c != '\0', "a value holds a line end");
        }
    }
    return 0;
}
