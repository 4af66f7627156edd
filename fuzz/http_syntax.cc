// Queries, cookies, lists and percent-encoding: each part that is found lies within the text, and decoded
// text is never longer than encoded text.
#include "protocol/http/http_syntax.h"

#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    fuzz::Block block(input.rest());
    const std::string_view text(block.span().data(), block.span().size());
    const auto within = [&](std::string_view part) {
        return part.empty() ||
               (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
    };
    size_t pairs = 0;
    const auto visit = [&](std::string_view name, std::string_view value) {
        fuzz::require(within(name) && within(value), "a pair lies outside the text");
        fuzz::require(++pairs <= 2 * text.size() + 2, "more pairs than bytes");
    };
    http::for_each_query_pair(text, visit);
    http::for_each_cookie(text, visit);
    (void)http::is_authority(text);
    fuzz::require(!http::is_token(text) || http::is_field_value(text), "a token with a control character");
    const char* const control = http::find_field_control(text.data(), text.data() + text.size());
    fuzz::require(control >= text.data() && control <= text.data() + text.size(),
                  "a control character was found outside the text");
    (void)http::list_has_token(text, "chunked");
    if (http::are_field_lines(text)) {
        fuzz::require(text.empty() || text.ends_with("\r\n"), "a field line has no end");
        fuzz::require(!http::has_field_line(text, ""), "a field line has no name");
    }
    fuzz::require(!http::has_field_line(text, "content-length") || text.find("\r\n") != text.npos,
                  "a field was found in what is no line");
    for (http::Plus plus : {http::Plus::kLiteral, http::Plus::kSpace}) {
        std::string out(text.size(), '\0');
        out.resize(http::percent_decode(text, plus, out.data()));
        fuzz::require(http::needs_decoding(text, plus) || out == text,
                      "decoding changed a text that needs none");
        std::string own(text);
        own.resize(http::percent_decode(own, plus, own.data()));
        fuzz::require(own == out, "decoding in place gives another text");
    }
    return 0;
}
