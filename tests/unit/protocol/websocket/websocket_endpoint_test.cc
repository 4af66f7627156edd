#include "protocol/websocket/websocket_endpoint.h"

#include <gtest/gtest.h>
#include <vector>

namespace sluice::websocket {
namespace {

std::string server_frame(Opcode opcode, std::string_view payload, bool fin = true, bool compressed = false) {
    char header[kMaxFrameHeaderBytes];
    const size_t size = write_frame_header(header, opcode, fin, payload.size(), compressed);
    return std::string(header, size).append(payload);
}

std::vector<std::string> events(Endpoint& endpoint) {
    std::vector<std::string> told;
    for (;;) {
        const Event event = endpoint.next();
        const std::string payload(endpoint.receiver().message().data(), endpoint.receiver().message().size());
        switch (event) {
            case Event::kNeedInput: return told;
            case Event::kMessage: told.push_back("message " + payload); break;
            case Event::kPing: told.push_back("ping " + payload); break;
            case Event::kPong: told.push_back("pong " + payload); break;
            case Event::kClose:
                told.push_back("close " + std::to_string(endpoint.receiver().close_code()));
                return told;
            case Event::kError:
                told.push_back("error " + std::to_string(endpoint.receiver().error().close_code));
                return told;
            default: ADD_FAILURE() << "the endpoint shows an event that is not for its caller"; return told;
        }
    }
}

/// What a server makes of a client's frames.
std::string received(std::string_view bytes, bool deflate, Inflater* inflater = nullptr) {
    Receiver receiver({}, Role::kServer, deflate);
    std::string copy(bytes);
    std::span<char> input(copy);
    std::vector<char> room(1 << 20);
    for (;;) {
        switch (receiver.next(input)) {
            case Event::kNeedRoom: receiver.grant({room.data(), room.size()}); break;
            case Event::kNeedInflater: receiver.lend(inflater); break;
            case Event::kMessage: return {receiver.message().data(), receiver.message().size()};
            default: return "no message";
        }
    }
}

TEST(WebsocketEndpoint, TellsWhatTheServerSendsHoweverItIsCut) {
    const std::string long_text(70'000, 'l');
    const std::string bytes = server_frame(Opcode::kText, "one") + server_frame(Opcode::kPing, "p") +
                              server_frame(Opcode::kText, "fra", false) + server_frame(Opcode::kPong, "") +
                              server_frame(Opcode::kContinuation, "gment") +
                              server_frame(Opcode::kBinary, long_text) +
                              server_frame(Opcode::kClose, std::string("\x03\xe8", 2));
    const std::vector<std::string> expected = {
        "message one", "ping p", "pong ", "message fragment", "message " + long_text, "close 1000"};
    for (size_t piece : {bytes.size(), size_t{1}, size_t{2}, size_t{7}, size_t{4096}}) {
        Endpoint endpoint({});
        std::vector<std::string> told;
        for (size_t place = 0; place < bytes.size(); place += piece) {
            endpoint.feed(std::string_view(bytes).substr(place, piece));
            for (std::string& event : events(endpoint))
                told.push_back(std::move(event));
        }
        EXPECT_EQ(told, expected) << "in pieces of " << piece;
    }
}

TEST(WebsocketEndpoint, HoldsTheServerToItsLimits) {
    Endpoint::Options options;
    options.limits = {10, 2};
    const std::vector<std::string> too_big = {"error 1009"}, wrong = {"error 1002"};
    Endpoint big(options);
    big.feed(server_frame(Opcode::kText, "eleven byte"));
    EXPECT_EQ(events(big), too_big);
    Endpoint masked(options);
    masked.feed(std::string_view("\x81\x81\0\0\0\0x", 7));
    EXPECT_EQ(events(masked), wrong);
}

TEST(WebsocketEndpoint, MasksWhatItSends) {
    Endpoint endpoint({});
    const std::string_view frame = endpoint.frame(Opcode::kText, "Hello", {0x37, 0xfa, 0x21, 0x3d});
    EXPECT_EQ(frame, std::string_view("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"))
        << "RFC 6455 section 5.7";
    EXPECT_EQ(received(endpoint.frame(Opcode::kBinary, std::string(70'000, 'x'), {1, 2, 3, 4}), false),
              std::string(70'000, 'x'));
}

TEST(WebsocketEndpoint, CompressesAsAgreed) {
    for (bool takeover : {false, true}) {
        Endpoint::Options options;
        options.deflate = DeflateParameters{takeover, takeover, 12, 10};
        options.min_bytes = 20;
        Endpoint endpoint(options);
        const std::string text(5000, 't');
        Inflater server(10);
        size_t sizes[2];
        for (size_t& size : sizes) {
            const std::string_view frame = endpoint.frame(Opcode::kText, text, {1, 2, 3, 4});
            size = frame.size();
            EXPECT_EQ(received(frame, true, &server), text);
            if (!takeover) server.reset();
        }
        EXPECT_LT(sizes[0], 100u);
        EXPECT_EQ(sizes[1] < sizes[0], takeover)
            << "with context takeover the second message refers to the first";
        EXPECT_EQ(endpoint.frame(Opcode::kText, "short", {})[0], '\x81');

        Deflater deflater(12, 1);
        std::string compressed;
        for (int round = 0; round < 2; ++round) {
            deflater.compress(text, compressed);
            if (!takeover) deflater.reset();
            endpoint.feed(server_frame(Opcode::kText, compressed, true, true));
            EXPECT_EQ(events(endpoint), std::vector<std::string>{"message " + text});
        }
    }
}

TEST(WebsocketEndpoint, SendsUncompressedWhereZlibCannotUseTheWindow) {
    Endpoint::Options options;
    options.deflate = DeflateParameters{true, true, 15, 8};
    Endpoint endpoint(options);
    EXPECT_EQ(endpoint.frame(Opcode::kText, std::string(5000, 't'), {})[0], '\x81');
}

}  // namespace
}  // namespace sluice::websocket
