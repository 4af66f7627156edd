// A body of HTTP/1.1 is received with the same result however its bytes are cut, and never exceeds its limit.
#include "protocol/http/http1_body.h"

#include "fuzz_receiver.h"

using namespace sluice;
using http1::BodyReceiver;

namespace {

std::string run(std::string_view bytes, const http::RequestHead& head, uint64_t limit, fuzz::Cuts cuts,
                bool use_window, size_t pieces_after) {
    BodyReceiver receiver;
    receiver.begin(head, limit);
    std::string trace;
    std::unique_ptr<char[]> room;
    std::string taken;  // the body so far, when it is longer than `pieces_after` and comes in pieces
    bool in_pieces = false;
    for (bool ended = false; !ended;) {
        const std::string_view piece = bytes.substr(0, cuts.next(bytes.size()));
        const std::span<char> window = receiver.window();
        size_t direct = 0;
        if (use_window && !window.empty()) {
            direct = std::min(window.size(), piece.size());
            std::memcpy(window.data(), piece.data(), direct);
            receiver.filled(direct);
        }
        fuzz::Block block(direct ? std::string_view() : piece);
        bytes.remove_prefix(direct ? direct : piece.size());
        std::span<char> input = block.span();
        for (bool more = true; more && !ended;) {
            switch (receiver.next(input)) {
                case BodyReceiver::Event::kNeedInput:
                    fuzz::require(input.empty(), "the receiver asks for more input, but has left some");
                    more = false;
                    break;
                case BodyReceiver::Event::kNeedRoom: {
                    fuzz::require(receiver.needed() <= limit,
                                  "the receiver asks for more room than the limit");
                    if (receiver.needed() > pieces_after) {
                        taken.assign(room.get(), receiver.filled_bytes());
                        receiver.take_pieces();
                        in_pieces = true;
                        break;
                    }
                    auto bigger = std::make_unique<char[]>(receiver.needed());
                    if (size_t kept = receiver.filled_bytes())
                        std::memcpy(bigger.get(), receiver.room().data, kept);
                    const size_t size = receiver.needed();
                    room = std::move(bigger);
                    receiver.grant({room.get(), size});
                    break;
                }
                case BodyReceiver::Event::kData: {
                    fuzz::require(in_pieces && !receiver.piece().empty(),
                                  "a piece came before take_pieces(), or it is empty");
                    const size_t used = (receiver.piece().size() + 1) / 2;
                    taken.append(receiver.piece().data(), used);
                    receiver.put_back(receiver.piece().size() - used, input);
                    break;
                }
                case BodyReceiver::Event::kMessage:
                    fuzz::require(receiver.message().size() <= limit, "the body is longer than its limit");
                    fuzz::require(!in_pieces || receiver.message().empty(),
                                  "bytes came as pieces and once more as the whole body");
                    trace.assign(receiver.message().data(), receiver.message().size());
                    if (in_pieces) trace = taken;
                    trace += " left " + std::to_string(input.size() + bytes.size());
                    ended = true;
                    break;
                case BodyReceiver::Event::kError:
                    trace = "error " + std::to_string(receiver.error().status);
                    ended = true;
                    break;
            }
        }
        if (bytes.empty()) break;
    }
    return trace;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint32_t seed = input.word() | 1;
    const uint8_t choice = input.byte();
    http::RequestHead head;
    head.has_body = true;
    head.chunked = choice & 1;
    if (!head.chunked) head.content_length = choice >> 2;
    const uint64_t limit = choice & 2 ? 100 : 1 << 20;
    const std::string expected = run(input.rest(), head, limit, fuzz::Cuts(0), false, SIZE_MAX);
    for (bool use_window : {false, true})
        for (size_t pieces_after : {size_t{0}, size_t{40}, SIZE_MAX})
            fuzz::require(
                run(input.rest(), head, limit, fuzz::Cuts(seed, 8), use_window, pieces_after) == expected,
                "the body depends on the cuts");
    return 0;
}
