#include "protocol/websocket/websocket_frame.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::websocket {
namespace {

std::string header(Opcode opcode, bool fin, uint64_t length) {
    char out[kMaxFrameHeaderBytes];
    return {out, write_frame_header(out, opcode, fin, length)};
}

std::string bytes(std::initializer_list<int> values) {
    std::string out;
    for (int value : values) {
        out += static_cast<char>(value);
    }
    return out;
}

std::string close_payload(uint16_t code, std::string_view reason) {
    char out[kMaxControlPayloadBytes];
    return {out, write_close_payload(out, code, reason)};
}

TEST(WebsocketFrame, ExamplesOfRfc6455Section5_7) {
    EXPECT_EQ(header(Opcode::kText, true, 5), bytes({0x81, 0x05}));
    EXPECT_EQ(header(Opcode::kText, false, 3), bytes({0x01, 0x03}));
    EXPECT_EQ(header(Opcode::kContinuation, true, 2), bytes({0x80, 0x02}));
    EXPECT_EQ(header(Opcode::kPing, true, 5), bytes({0x89, 0x05}));
    EXPECT_EQ(header(Opcode::kBinary, true, 256), bytes({0x82, 0x7e, 0x01, 0x00}));
    EXPECT_EQ(header(Opcode::kBinary, true, 65536), bytes({0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(WebsocketFrame, LengthHasItsShortestForm) {
    EXPECT_EQ(header(Opcode::kBinary, true, 0), bytes({0x82, 0}));
    EXPECT_EQ(header(Opcode::kBinary, true, 125), bytes({0x82, 125}));
    EXPECT_EQ(header(Opcode::kBinary, true, 126), bytes({0x82, 126, 0, 126}));
    EXPECT_EQ(header(Opcode::kBinary, true, 65535), bytes({0x82, 126, 0xff, 0xff}));
    EXPECT_EQ(header(Opcode::kBinary, true, (uint64_t{1} << 63) - 1),
              bytes({0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}));
}

TEST(WebsocketFrame, MaskedHeaderCarriesTheKey) {
    char out[kMaxFrameHeaderBytes];
    const MaskKey key = {1, 2, 3, 4};
    EXPECT_EQ(std::string(out, write_masked_frame_header(out, Opcode::kText, true, 5, key)),
              bytes({0x81, 0x85, 1, 2, 3, 4}));
    EXPECT_EQ(write_masked_frame_header(out, Opcode::kText, true, 126, key), 8u);
    EXPECT_EQ(write_masked_frame_header(out, Opcode::kText, true, 65536, key), kMaxFrameHeaderBytes);
}

TEST(WebsocketFrame, CloseCodesOnTheWire) {
    for (int code = 0; code <= 0xffff; ++code) {
        const bool allowed = code == 1000 || code == 1001 || code == 1002 || code == 1003 || code == 1007 ||
                             code == 1008 || code == 1009 || code == 1010 || code == 1011 || code == 1012 ||
                             code == 1013 || code == 1014 || (code >= 3000 && code < 5000);
        EXPECT_EQ(close_code_allowed_on_wire(static_cast<uint16_t>(code)), allowed) << code;
        EXPECT_EQ(check_close(static_cast<uint16_t>(code), "").empty(), allowed && code != 1010) << code;
    }
}

TEST(WebsocketFrame, RefusedCloseSaysCodeAndWhatIsAllowed) {
    const std::string sentence = check_close(1005, "");
    EXPECT_NE(sentence.find("1005"), std::string::npos);
    EXPECT_NE(sentence.find("3000 to 4999"), std::string::npos);
}

TEST(WebsocketFrame, CloseReasonIsLimitedAndUtf8) {
    EXPECT_EQ(check_close(1000, std::string(123, 'x')), "");
    EXPECT_NE(check_close(1000, std::string(124, 'x')).find("124"), std::string::npos);
    EXPECT_NE(check_close(1000, "\xff"), "");
}

TEST(WebsocketFrame, ClosePayloadIsCodeAndReason) {
    EXPECT_EQ(close_payload(1000, ""), bytes({0x03, 0xe8}));
    EXPECT_EQ(close_payload(4999, "bye"), bytes({0x13, 0x87, 'b', 'y', 'e'}));
    EXPECT_EQ(close_payload(1000, std::string(123, 'x')).size(), 125u);
}

TEST(WebsocketFrame, ALongReasonIsCutBetweenCharacters) {
    for (size_t before = 118; before <= 123; ++before) {
        const std::string reason = std::string(before, 'x') + "\xf0\x9f\x98\x80 and more";
        const std::string payload = close_payload(1000, reason);
        EXPECT_LE(payload.size(), kMaxControlPayloadBytes);
        EXPECT_TRUE(is_utf8(std::string_view(payload).substr(2))) << before;
        EXPECT_GE(payload.size(), 2 + std::min<size_t>(before, 123));
    }
}

}  // namespace
}  // namespace sluice::websocket
