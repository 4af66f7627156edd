// Any valid framing splits a stream into the same messages however its bytes are cut, and no message is
// longer than the limit.
#include "protocol/framing/tcp_framing.h"

#include "fuzz_receiver.h"

using namespace sluice;
using namespace sluice::tcp;

namespace {

std::string run(std::string_view bytes, const Framing& framing, fuzz::Cuts cuts, bool use_window) {
    Receiver receiver(framing);
    const auto describe = [&](const Receiver& from, Event event) {
        if (event == Event::kError) {
            fuzz::require(!from.error().empty(), "an error without a sentence");
            return std::string();
        }
        fuzz::require(from.message().size() <= framing.max_message_bytes,
                      "a message is longer than the limit");
        return "message " + std::string(from.message().data(), from.message().size());
    };
    return fuzz::drive<Event>(receiver, bytes, cuts, use_window, describe,
                              [](Receiver&, Event) { return false; });
}

/// Without framing, all bytes are delivered, in messages that depend on the cuts.
void run_without_framing(std::string_view bytes, uint64_t most_bytes, uint32_t seed) {
    const Framing framing = Framing::none(most_bytes);
    if (!framing.validate().empty()) return;
    std::string whole;
    const auto collect = [&](const Receiver& from, Event) {
        fuzz::require(from.message().size() <= most_bytes, "a message is longer than the limit");
        whole.append(from.message().data(), from.message().size());
        return std::string("piece");
    };
    Receiver receiver(framing);
    fuzz::drive<Event>(receiver, bytes, fuzz::Cuts(seed, 8), false, collect,
                       [](Receiver&, Event) { return false; });
    fuzz::require(whole == bytes, "not all bytes were delivered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint32_t seed = input.word() | 1;
    const uint8_t choice = input.byte();
    if (choice & 128) {
        const uint64_t most_bytes = choice & 127;
        run_without_framing(input.rest(), most_bytes, seed);
        return 0;
    }
    Framing framing;
    if (choice & 1) {
        framing = Framing::line(input.take(1 + (choice >> 1 & 7)), 100);
    } else {
        framing = Framing::length_prefix(choice >> 1 & 15, 100);
        framing.length_offset = input.byte() % 40;
        framing.length_adjust = static_cast<int8_t>(input.byte());
        framing.little_endian = choice & 32;
        framing.deliver_header = choice & 64;
    }
    if (!framing.validate().empty()) return 0;
    const std::string expected = run(input.rest(), framing, fuzz::Cuts(0), false);
    for (bool use_window : {false, true})
        fuzz::require(run(input.rest(), framing, fuzz::Cuts(seed, 8), use_window) == expected,
                      "the messages depend on the cuts");
    return 0;
}
