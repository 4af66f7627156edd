// Whatever a client sends, its entry in the access log is one line of at most kAccessLineBound bytes, without
// control characters, and its strings end where the server ends them.
#include "protocol/http/access_line.h"

#include "core/utf8.h"
#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    http::AccessEntry entry;
    const uint8_t choice = input.byte();
    entry.at_us = uint64_t{input.word()} * 1'000'000;
    entry.status = 200;
    for (std::string_view* piece :
         {&entry.peer, &entry.method, &entry.host, &entry.referer, &entry.user_agent, &entry.request_id}) {
        *piece = input.take(std::min<size_t>(input.byte() * (choice >> 4), input.rest().size()));
    }
    fuzz::Block block(input.rest());
    entry.target = {block.span().data(), block.span().size()};
    entry.protocol = "HTTP/1.1";
    const auto format = static_cast<http::AccessFormat>(choice % 3);
    std::string line;
    http::append_access_line(line, format, entry);
    fuzz::require(line.size() <= http::kAccessLineBound, "the line is too long");
    fuzz::require(line.find('\n') == line.size() - 1, "the line's only line end is not at its end");
    size_t quotes = 0;
    for (size_t i = 0; i + 1 < line.size(); ++i) {
        const uint8_t byte = static_cast<uint8_t>(line[i]);
        fuzz::require(byte >= 0x20 && byte != 0x7f, "the line has a control character");
        if (format == http::AccessFormat::kJson && byte == '\\') {
            ++i;
        } else {
            quotes += byte == '"';
        }
        if (format != http::AccessFormat::kJson)
            fuzz::require(byte < 0x80, "the line has a byte that is not ASCII");
    }
    fuzz::require(quotes % 2 == 0, "a string of the line does not end");
    if (format == http::AccessFormat::kJson) {
        fuzz::require(is_utf8(line), "the line is not UTF-8");
    } else {
        fuzz::require(quotes == (format == http::AccessFormat::kCommon ? 2u : 6u),
                      "a quote that a client sent is not escaped");
    }
    return 0;
}
