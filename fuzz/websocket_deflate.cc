// Any field is negotiated without a slip, any bytes are inflated alike however cut, any message comes back.
#include "protocol/websocket/websocket_deflate.h"

#include "fuzz_input.h"

using namespace sluice;
using namespace sluice::websocket;

namespace {

/// "bad", "unfinished", or what the payload inflates to, at most 64 KiB of it.
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
        fuzz::require(*written <= room && input.size() <= piece.size(), "more than there is room for");
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
            "read an impossible window");
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
                  "agreed to an impossible window");
    fuzz::require(extensions_are_well_formed(agreed->field), "the answer is malformed");
    const auto read = read_deflate_answer(agreed->field);
    fuzz::require(read && read->server_window_bits == agreed->parameters.server_window_bits &&
                      read->client_window_bits == agreed->parameters.client_window_bits,
                  "the answer says something else");
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
                          "something was left of what came before");
            // Small pieces check references against the window, one big piece has all that came before.
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
                    "a message did not come back");
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
