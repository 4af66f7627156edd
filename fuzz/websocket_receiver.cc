// Frames, compressed or not, make the same messages however their bytes are cut, and no message is longer
// than the limit.
#include "protocol/websocket/websocket_receiver.h"

#include "fuzz_receiver.h"

using namespace sluice;
using namespace sluice::websocket;

namespace {

constexpr Limits kLimits{5000, 20};

std::string run(std::string_view bytes, Role role, bool deflate, bool takeover, fuzz::Cuts cuts,
                bool use_window) {
    Receiver receiver(kLimits, role, deflate);
    Inflater inflater(15);
    const auto describe = [&](const Receiver& from, Event event) {
        const std::string payload(from.message().data(), from.message().size());
        switch (event) {
            case Event::kMessage:
                fuzz::require(payload.size() <= kLimits.max_message_bytes,
                              "a message is longer than the limit");
                fuzz::require(from.opcode() != Opcode::kText || is_utf8(payload),
                              "a text message is not UTF-8");
                if (!takeover) {
                    receiver.take_inflater();
                    inflater.reset();
                }
                return "message " + payload;
            case Event::kPing: return "ping " + payload;
            case Event::kPong: return "pong " + payload;
            case Event::kClose: return "close " + payload;
            case Event::kError:
                fuzz::require(check_close(from.error().close_code, from.error().sentence).empty(),
                              "a close frame cannot carry the error");
                return std::string();
            default: std::abort();
        }
    };
    const auto lend = [&](Receiver& to, Event event) {
        if (event != Event::kNeedInflater) return false;
        to.lend(&inflater);
        return true;
    };
    return fuzz::drive<Event>(receiver, bytes, cuts, use_window, describe, lend);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint32_t seed = input.word() | 1;
    const uint8_t choice = input.byte();
    const Role role = choice & 1 ? Role::kServer : Role::kClient;
    const bool deflate = choice & 2, takeover = choice & 4;
    const std::string expected = run(input.rest(), role, deflate, takeover, fuzz::Cuts(0), false);
    for (bool use_window : {false, true}) {
        fuzz::require(run(input.rest(), role, deflate, takeover, fuzz::Cuts(seed, 8), use_window) == expected,
                      "the messages depend on the cuts");
    }
    return 0;
}
