// For any fields of a request, what is taken over of its trace is valid and bounded, and is read again as it
// was when it is passed on.
#include "protocol/http/trace_context.h"

#include <algorithm>

#include "fuzz_input.h"
#include "protocol/http/http1_parser.h"

using namespace sluice;

namespace {

/// One field, as a head has it: its place in the text.
std::vector<http::Field> one_field(std::string& text, std::string_view name, std::string_view value) {
    text = std::string(name) + std::string(value);
    const auto at = static_cast<uint16_t>(name.size());
    return {{{0, at}, {at, static_cast<uint16_t>(value.size())}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    std::string text = "GET / HTTP/1.1\r\nHost: x\r\n";
    text += input.rest().substr(0, 30'000);
    text += "\r\n\r\n";
    fuzz::Block block(text);
    http1::HeadParser parser;
    if (parser.parse(block.span()) != http1::HeadParser::Status::kDone) return 0;
    const char* const head = block.span().data();

    const std::optional<http::TraceParent> parent = http::find_traceparent(parser.fields(), head);
    const TraceIds ids = http::ids_of_request({1, 2}, 3, 4, parent);
    fuzz::require((ids.high | ids.low) != 0 && ids.span != 0, "an id is zero");
    if (parent) {
        fuzz::require(ids.high == parent->ids.high && ids.low == parent->ids.low, "another trace goes on");
        std::string passed_on;
        http::append_traceparent(passed_on, parent->ids, parent->flags);
        const std::optional<http::TraceParent> again = http::read_traceparent(passed_on);
        fuzz::require(again && again->ids == parent->ids && again->flags == parent->flags,
                      "a traceparent is read otherwise when it is passed on");
    }

    std::string line;
    const std::string state = http::trace_state(parser.fields(), head);
    fuzz::require(http::trace_state(one_field(line, "tracestate", state), line.data()) == state,
                  "a tracestate is not valid when it is passed on");

    const std::string baggage = http::baggage(parser.fields(), head);
    fuzz::require(baggage.size() <= http::kMostBaggageBytes, "more baggage than may be passed on");
    fuzz::require(std::ranges::all_of(baggage, [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); }),
                  "baggage has a byte that no field may have");
    fuzz::require(http::baggage(one_field(line, "baggage", baggage), line.data()) == baggage,
                  "baggage is another one when it is passed on");
    const auto members = http::read_baggage(baggage);
    fuzz::require(members.size() <= http::kMostBaggageMembers, "more members than may be passed on");
    const auto commas = static_cast<size_t>(std::ranges::count(baggage, ','));
    fuzz::require(members.size() == (baggage.empty() ? 0 : commas + 1), "a member cannot be read");
    return 0;
}
