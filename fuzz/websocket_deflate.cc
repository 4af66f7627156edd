// The first choice negotiates compression by any field; what is agreed on is possible, and is what the answer
// says. The second inflates any bytes, with the same result however they are cut. The third compresses
// messages, and inflates them to what they were.
#include "protocol/websocket/websocket_deflate.h"

#include "fuzz_input.h"

using namespace sluice;
using namespace sluice::websocket;

namespace {

/// Inflates a payload: "whole " and the message, "unfinished", "bad", or "long" when it exceeds 64 KiB.
std::string inflate(Inflater& inflater, std::string_view payload, fuzz::Cuts cuts, size_t room) {
    std::string whole(payload), out;
    whole += kMessageTail;
    std::string_view left = whole;
    while (out.size() < 65536) {
        const std::string_view piece = left.substr(0, cuts.next(left.size()));
        fuzz::Block block(piece);
        std::string_view input(block.span().data(), piece.size());
        std::unique_ptr<char[]> place(new char[room]);
        const auto written = inflater.inflate(input, {place.get(), room});
        if (!written) return "bad";
        fuzz::require(*written <= room && input.size() <= piece.size(),
                      "inflate() wrote more than it had room for, or read more than there was");
        left.remove_prefix(piece.size() - input.size());
        out.append(place.get(), *written);
        if (left.empty() && *written < room) return inflater.at_boundary() ? "whole " + out : "unfinished";
    }
    return "long";
}

void negotiate(std::string_view field, uint32_t seed) {
    fuzz::Block block(field);
    const std::string_view text(block.span().data(), block.span().size());
    if (!extensions_are_well_formed(text)) return;
    if (const auto answer = read_deflate_answer(text)) {
        fuzz::require(
            answer->server_window_bits <= kMaxWindowBits && answer->client_window_bits <= kMaxWindowBits,
            "a window was read that is too large");
    }
    DeflatePolicy policy;
    policy.enabled = true;
    policy.server_takeover = seed & 2;
    policy.client_takeover = seed & 4;
    const auto agreed = agree_on_deflate(text, policy);
    if (!agreed) return;
    fuzz::require(agreed->parameters.server_window_bits >= kMinWindowBits &&
                      agreed->parameters.server_window_bits <= kMaxWindowBits &&
                      agreed->parameters.client_window_bits >= 8 &&
                      agreed->parameters.client_window_bits <= kMaxWindowBits,
                  "a window was agreed on that is not possible");
    fuzz::require(extensions_are_well_formed(agreed->field), "the field of the answer is malformed");
    const auto read = read_deflate_answer(agreed->field);
    fuzz::require(read && read->server_window_bits == agreed->parameters.server_window_bits &&
                      read->client_window_bits == agreed->parameters.client_window_bits,
                  "the field of the answer differs from what was agreed on");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint32_t seed = input.word() | 1;
    const uint8_t choice = input.byte();
    const uint8_t bits = 9 + choice % 7;
    switch (choice >> 6) {
        case 0: negotiate(input.rest(), seed); break;
        case 1: {
            Inflater at_once(bits), bit_by_bit(bits);
            const std::string expected = inflate(at_once, input.rest(), fuzz::Cuts(0), 65536);
            const std::string result = inflate(bit_by_bit, input.rest(), fuzz::Cuts(seed, 8), 1 + seed % 100);
            at_once.reset();
            fuzz::require(inflate(at_once, input.rest(), fuzz::Cuts(0), 65536) == expected,
                          "reset() leaves something of the message before");
            // zlib takes a reference beyond the window as long as all output stands in one piece of memory:
            // in small pieces, a message may be "bad" that is whole at once.
            if (expected.starts_with("whole") && result != "bad")
                fuzz::require(result == expected || result == "long", "what is inflated depends on the cuts");
            break;
        }
        default: {
            Deflater deflater(bits, 1 + choice % 9);
            Inflater inflater(bits);
            std::string payload;
            fuzz::Cuts cuts(seed);
            for (std::string_view rest = input.rest();;) {
                const std::string message(rest.substr(0, cuts.next(rest.size())));
                deflater.compress(message, payload);
                fuzz::require(
                    inflate(inflater, payload, fuzz::Cuts(seed), 1 + seed % 100) == "whole " + message,
                    "a message was not inflated to what it was");
                if (seed & 16) {
                    deflater.reset();
                    inflater.reset();
                }
                if (rest.empty()) break;
                rest.remove_prefix(message.size());
            }
        }
    }
    return 0;
}
