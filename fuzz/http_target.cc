// For any target of a request, path and query lie within it and have only bytes that are allowed there.
#include "protocol/http/http_target.h"

#include "fuzz_input.h"
#include "protocol/http/http1_parser.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static constexpr const char* kMethods[] = {"GET", "CONNECT", "OPTIONS", "POST"};
    fuzz::Input input(data, size);
    std::string text = kMethods[input.byte() & 3];
    text += ' ';
    text += input.rest().substr(0, 8000);
    text += " HTTP/1.1\r\nHost: example\r\n\r\n";
    fuzz::Block block(text);
    http1::HeadParser parser;
    if (parser.parse(block.span()) != http1::HeadParser::Status::kDone) return 0;
    const http::RequestHead& head = parser.head();
    const char* base = block.span().data();
    const std::string_view target = head.target.in(base);
    for (const http::Span16& part : {head.path, head.query}) {
        fuzz::require(part.empty() || (part.in(base).data() >= target.data() &&
                                       part.in(base).data() + part.length <= target.data() + target.size()),
                      "a part of the target lies outside it");
    }
    for (char c : head.path.in(base))
        fuzz::require(http::is_path_byte(c), "the path has a byte that is not allowed there");
    for (char c : head.query.in(base))
        fuzz::require(http::is_query_byte(c), "the query has a byte that is not allowed there");
    return 0;
}
