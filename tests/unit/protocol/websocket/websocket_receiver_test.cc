#include "protocol/websocket/websocket_receiver.h"

#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>

#include "receiver_driver.h"

namespace sluice::websocket {
namespace {

using test::Trace;
using namespace std::string_literals;

// --- bytes for the receiver ---

constexpr uint8_t kText = 0x81, kBinary = 0x82, kClose = 0x88, kPing = 0x89, kPong = 0x8a;  // FIN set
constexpr uint8_t kTextBegin = 0x01, kBinaryBegin = 0x02, kMiddle = 0x00, kEnd = 0x80;

enum class Length { kShortest, k16, k64 };

std::string mask(std::string payload, std::string_view key) {
    for (size_t i = 0; i < payload.size(); ++i) {
        payload[i] ^= key[i % 4];
    }
    return payload;
}

std::string frame_header(uint8_t first, uint64_t size, bool masked, Length form = Length::kShortest) {
    std::string out(1, static_cast<char>(first));
    const int bit = masked ? 0x80 : 0;
    int width = 8;
    if (form == Length::kShortest && size <= 125) {
        out += static_cast<char>(bit | static_cast<int>(size));
        width = 0;
    } else if (form == Length::k16 || (form == Length::kShortest && size <= 0xffff)) {
        out += static_cast<char>(bit | 126);
        width = 2;
    } else {
        out += static_cast<char>(bit | 127);
    }
    for (int i = width - 1; i >= 0; --i) {
        out += static_cast<char>(size >> (8 * i));
    }
    return out;
}

/// A client's frame.
std::string frame(uint8_t first, std::string_view payload, Length form = Length::kShortest) {
    static const std::string key = "\x9c\x01\xfe\x55";
    return frame_header(first, payload.size(), true, form) + key + mask(std::string(payload), key);
}

/// A server's frame.
std::string bare_frame(uint8_t first, std::string_view payload, Length form = Length::kShortest) {
    return frame_header(first, payload.size(), false, form) + std::string(payload);
}

std::string close_payload(int code, std::string_view reason = "") {
    return std::string{static_cast<char>(code >> 8), static_cast<char>(code)} + std::string(reason);
}

// --- what the receiver makes of them ---

std::string describe(const Receiver& receiver, Event event) {
    const std::string payload(receiver.message().data(), receiver.message().size());
    switch (event) {
        case Event::kMessage: return (receiver.opcode() == Opcode::kText ? "text:" : "binary:") + payload;
        case Event::kPing: return "ping:" + payload;
        case Event::kPong: return "pong:" + payload;
        case Event::kClose:
            return "close:" + std::to_string(receiver.close_code()) + ":" +
                   std::string(receiver.close_reason());
        case Event::kError: {
            const Receiver::Error error = receiver.error();
            EXPECT_FALSE(error.sentence.empty());
            EXPECT_EQ(check_close(error.close_code, error.sentence), "")
                << "the sentence cannot be the reason of a close frame";
            return "error:" + std::to_string(error.close_code);
        }
        default: return "?";
    }
}

using Driver = test::ReceiverDriver<Receiver, Event>;

Driver driver(Limits limits = {}, Role role = Role::kServer, bool use_window = false) {
    return Driver(Receiver(limits, role), describe, use_window);
}

Trace trace_of(std::string_view bytes, Limits limits = {}) {
    Driver one = driver(limits);
    one.feed(bytes);
    return one.trace();
}

// --- a reference that has all the bytes and takes its time ---

bool may_become_utf8(const std::string& text) {
    static const char* const tails[] = {"", "\x80", "\x80\x80", "\x80\x80\x80", "\xa0\x80", "\x90\x80\x80"};
    for (const char* tail : tails) {
        if (is_utf8(text + tail)) return true;
    }
    return false;
}

Trace naive(std::string_view bytes, Limits limits, Role role = Role::kServer) {
    Trace trace;
    std::string message;
    int opcode = 0;  // of the message begun, 0 if none
    uint32_t fragments = 0;
    const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
    const auto failed = [&](int code) {
        trace.push_back("error:" + std::to_string(code));
        return trace;
    };
    while (bytes.size() >= 2) {
        const bool fin = at(0) >> 7, masked = at(1) >> 7;
        const int reserved = at(0) >> 4 & 7, op = at(0) & 15, seven = at(1) & 127;
        if (reserved != 0) return failed(1002);
        if (op > 10 || (op > 2 && op < 8)) return failed(1002);
        if (op >= 8 && (!fin || seven > 125)) return failed(1002);
        if (op == 0 && opcode == 0) return failed(1002);
        if ((op == 1 || op == 2) && opcode != 0) return failed(1002);
        if (masked != (role == Role::kServer)) return failed(1002);

        const size_t width = seven == 127 ? 8 : seven == 126 ? 2 : 0;
        const size_t head = 2 + width + (masked ? 4 : 0);
        if (bytes.size() < head) return trace;
        uint64_t size = width == 0 ? seven : 0;
        for (size_t i = 0; i < width; ++i) {
            size = size << 8 | at(2 + i);
        }
        if (size >= uint64_t{1} << 63) return failed(1002);
        if ((width == 2 && size < 126) || (width == 8 && size < 65536)) return failed(1002);
        if (op < 8) {
            if (op != 0) opcode = op;
            if (size > limits.max_message_bytes || message.size() + size > limits.max_message_bytes)
                return failed(1009);
            if (++fragments > limits.max_fragments) return failed(1008);
        }
        std::string payload(bytes.substr(head, size));
        if (masked) payload = mask(payload, bytes.substr(head - 4, 4));
        if (op < 8 && opcode == 1 && !may_become_utf8(message + payload)) return failed(1007);
        if (bytes.size() < head + size) return trace;
        bytes.remove_prefix(head + size);

        if (op == 9) trace.push_back("ping:" + payload);
        if (op == 10) trace.push_back("pong:" + payload);
        if (op == 8) {
            if (payload.empty()) {
                trace.push_back("close:1005:");
                return trace;
            }
            if (payload.size() == 1) return failed(1002);
            const int code = static_cast<uint8_t>(payload[0]) << 8 | static_cast<uint8_t>(payload[1]);
            if (!(code >= 1000 && code <= 1003) && !(code >= 1007 && code <= 1014) &&
                !(code >= 3000 && code < 5000)) {
                return failed(1002);
            }
            if (!is_utf8(payload.substr(2))) return failed(1007);
            trace.push_back("close:" + std::to_string(code) + ":" + payload.substr(2));
            return trace;
        }
        if (op < 8) {
            message += payload;
            if (fin) {
                if (opcode == 1 && !is_utf8(message)) return failed(1007);
                trace.push_back((opcode == 1 ? "text:" : "binary:") + message);
                message.clear();
                opcode = 0;
                fragments = 0;
            }
        }
    }
    return trace;
}

/// The receiver must make `expected` of `bytes` however they are cut, and so must the reference.
void expect(const std::string& bytes, const Trace& expected, Limits limits = {}, Role role = Role::kServer) {
    EXPECT_EQ(naive(bytes, limits, role), expected) << "the reference itself is wrong";
    test::expect_trace_however_cut(bytes, expected,
                                   [&](bool use_window) { return driver(limits, role, use_window); });
}

// --- RFC 6455 section 5.2: the frame (families 1, 3 and 4) ---

TEST(WebsocketReceiver, TextAndBinaryOfEverySizeForm) {
    for (size_t size : {0, 1, 4, 125, 126, 127, 128, 300}) {
        const std::string payload(size, 'x');
        expect(frame(kText, payload), {"text:" + payload});
        expect(frame(kBinary, payload), {"binary:" + payload});
    }
    expect(frame(kBinary, "\xfe\xff\0\x80"s), {"binary:\xfe\xff\0\x80"s});
}

TEST(WebsocketReceiver, LongPayloadsCutAroundTheirBorders) {
    for (size_t size : {65535, 65536, 70001}) {
        std::string payload(size, 'x');
        payload.replace(size / 2, 3, "\xe2\x82\xac");
        const std::string bytes = frame(kText, payload);
        const size_t head = bytes.size() - size;
        const size_t n = bytes.size();
        for (size_t cut : {size_t{1}, size_t{2}, size_t{5}, head - 1, head, head + 1, head + size / 2,
                           head + size / 2 + 1, head + size / 2 + 2, head + 4096, n - 1}) {
            for (bool use_window : {false, true}) {
                Driver one = driver({}, Role::kServer, use_window);
                one.feed(bytes.substr(0, cut));
                one.feed(bytes.substr(cut));
                ASSERT_EQ(one.trace(), Trace{"text:" + payload}) << size << " cut at " << cut;
            }
        }
    }
}

TEST(WebsocketReceiver, IsAtRestBetweenMessagesOnly) {
    Receiver receiver({1 << 20, 1024});
    const auto rests_after = [&](std::string bytes) {
        std::span<char> input(bytes);
        while (receiver.next(input) != Event::kNeedInput) {
        }
        return receiver.at_rest();
    };
    EXPECT_TRUE(receiver.at_rest());
    const std::string whole = frame(kText, "");
    EXPECT_TRUE(rests_after(whole));
    EXPECT_FALSE(rests_after(whole.substr(0, 1)));
    EXPECT_TRUE(rests_after(whole.substr(1)));
    EXPECT_FALSE(rests_after(frame(kTextBegin, "")));
    EXPECT_FALSE(rests_after(frame(kPing, "")));
    EXPECT_TRUE(rests_after(frame(kEnd, "")));
}

TEST(WebsocketReceiver, SeveralFramesInOneInput) {
    expect(frame(kText, "one") + frame(kPing, "p") + frame(kBinary, "") + frame(kText, "two"),
           {"text:one", "ping:p", "binary:", "text:two"});
}

TEST(WebsocketReceiver, FramesOfAClientMustBeMasked) {
    expect(bare_frame(kText, "hello"), {"error:1002"});
    expect(bare_frame(kPing, ""), {"error:1002"});
}

TEST(WebsocketReceiver, FramesOfAServerMustNotBeMasked) {
    expect(bare_frame(kText, "h\xc3\xa4llo") + bare_frame(kBinary, std::string(300, '\xff')) +
               bare_frame(kPing, "p") + bare_frame(kClose, close_payload(1000, "bye")),
           {"text:h\xc3\xa4llo", "binary:" + std::string(300, '\xff'), "ping:p", "close:1000:bye"}, {},
           Role::kClient);
    expect(bare_frame(kText, "\xff"), {"error:1007"}, {}, Role::kClient);
    expect(frame(kText, "hello"), {"error:1002"}, {}, Role::kClient);
}

TEST(WebsocketReceiver, ReservedBitsMustBeZero) {
    for (int bits = 0x10; bits <= 0x70; bits += 0x10) {
        for (uint8_t first : {kText, kBinary, kPing, kPong, kClose}) {
            expect(frame(kText, "before") + frame(static_cast<uint8_t>(first | bits), ""),
                   {"text:before", "error:1002"});
        }
        expect(frame(kTextBegin, "a") + frame(static_cast<uint8_t>(kEnd | bits), "b"), {"error:1002"});
    }
}

TEST(WebsocketReceiver, ReservedOpcodesAreRefused) {
    for (int opcode : {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
        expect(frame(static_cast<uint8_t>(0x80 | opcode), ""), {"error:1002"});
        expect(frame(kText, "ok") + frame(static_cast<uint8_t>(0x80 | opcode), "payload") + frame(kPing, ""),
               {"text:ok", "error:1002"});
    }
}

TEST(WebsocketReceiver, LengthMustHaveItsShortestForm) {
    expect(frame(kBinary, std::string(125, 'x'), Length::k16), {"error:1002"});
    expect(frame(kBinary, "", Length::k16), {"error:1002"});
    expect(frame(kBinary, std::string(126, 'x'), Length::k16), {"binary:" + std::string(126, 'x')});
    expect(frame(kBinary, std::string(5, 'x'), Length::k64), {"error:1002"});
    EXPECT_EQ(trace_of(frame(kBinary, std::string(65535, 'x'), Length::k64)), Trace{"error:1002"});
    EXPECT_EQ(trace_of(frame(kBinary, std::string(65536, 'x'), Length::k64)),
              Trace{"binary:" + std::string(65536, 'x')});
}

TEST(WebsocketReceiver, TopBitOfTheLengthMustBeZero) {
    const Limits no_limit = {~uint64_t{0}, 10};
    expect(frame_header(kBinary, uint64_t{1} << 63, true) + "kkkk", {"error:1002"}, no_limit);
    expect(frame_header(kBinary, ~uint64_t{0}, true) + "kkkk", {"error:1002"}, no_limit);
}

// --- sections 5.5.2 and 5.5.3: ping and pong (family 2) ---

TEST(WebsocketReceiver, PingAndPongCarryUpTo125Bytes) {
    for (size_t size : {0, 1, 124, 125}) {
        const std::string payload(size, '\xfe');
        expect(frame(kPing, payload) + frame(kPong, payload), {"ping:" + payload, "pong:" + payload});
    }
}

TEST(WebsocketReceiver, ControlFramesOfMoreThan125BytesAreRefused) {
    for (uint8_t first : {kPing, kPong, kClose}) {
        expect(frame(first, std::string(126, 'x')), {"error:1002"});
        EXPECT_EQ(trace_of(frame_header(first, 65536, true)), Trace{"error:1002"})
            << "a control frame that is too long is refused before its payload comes";
    }
}

TEST(WebsocketReceiver, ControlFramesMustNotBeFragmented) {
    for (uint8_t first : {kPing, kPong, kClose}) {
        expect(frame(first & 0x7f, "a") + frame(kEnd, "b"), {"error:1002"});
        expect(frame(first & 0x7f, ""), {"error:1002"});
    }
}

TEST(WebsocketReceiver, ManyPings) {
    std::string bytes;
    Trace expected;
    for (int i = 0; i < 10; ++i) {
        bytes += frame(kPing, "ping " + std::to_string(i));
        expected.push_back("ping:ping " + std::to_string(i));
    }
    expect(bytes, expected);
}

// --- section 5.4: fragmentation (family 5) ---

TEST(WebsocketReceiver, FragmentsAreJoined) {
    expect(frame(kTextBegin, "one ") + frame(kMiddle, "two ") + frame(kEnd, "three"), {"text:one two three"});
    expect(frame(kBinaryBegin, "\xff") + frame(kEnd, "\xfe"), {"binary:\xff\xfe"});
}

TEST(WebsocketReceiver, EmptyFragmentsAreAllowed) {
    expect(frame(kTextBegin, "") + frame(kMiddle, "") + frame(kEnd, ""), {"text:"});
    expect(frame(kTextBegin, "") + frame(kMiddle, "x") + frame(kEnd, ""), {"text:x"});
    expect(frame(kTextBegin, "") + frame(kMiddle, "") + frame(kEnd, "xyz"), {"text:xyz"});
    expect(frame(kTextBegin, "abc") + frame(kEnd, "") + frame(kText, "d"), {"text:abc", "text:d"});
}

TEST(WebsocketReceiver, ControlFramesMayComeBetweenFragments) {
    expect(frame(kTextBegin, "one ") + frame(kPing, "ping") + frame(kMiddle, "two ") + frame(kPong, "") +
               frame(kPing, std::string(125, 'p')) + frame(kEnd, "three") + frame(kPing, "last"),
           {"ping:ping", "pong:", "ping:" + std::string(125, 'p'), "text:one two three", "ping:last"});
}

TEST(WebsocketReceiver, APingMayComeBeforeTheFirstByteOfAFragmentedMessage) {
    expect(frame(kTextBegin, "") + frame(kPing, "ping") + frame(kEnd, ""), {"ping:ping", "text:"});
    expect(frame(kTextBegin, "") + frame(kPing, "ping") + frame(kEnd, "whole"), {"ping:ping", "text:whole"});
}

TEST(WebsocketReceiver, APingWhileTheRoomOfALargeMessageIsFilledToTheBrim) {
    // The room of the first fragment is exactly full, so that a ping cut in two needs more than the message
    // may have.
    const std::string first(2000, 'a'), last(48, 'b');
    const std::string bytes =
        frame(kBinaryBegin, first) + frame(kPing, std::string(125, 'p')) + frame(kEnd, last);
    expect(bytes, {"ping:" + std::string(125, 'p'), "binary:" + first + last}, {2048, 10});
    expect(frame(kBinaryBegin, first + last) + frame(kPing, std::string(125, 'p')) + frame(kEnd, ""),
           {"ping:" + std::string(125, 'p'), "binary:" + first + last}, {2048, 10});
}

TEST(WebsocketReceiver, CloseMayComeBetweenFragments) {
    expect(frame(kTextBegin, "half") + frame(kClose, close_payload(1001, "going")) + frame(kEnd, "ignored"),
           {"close:1001:going"});
}

TEST(WebsocketReceiver, ContinuationNeedsABeginning) {
    expect(frame(kEnd, "x"), {"error:1002"});
    expect(frame(kMiddle, "x"), {"error:1002"});
    expect(frame(kTextBegin, "a") + frame(kEnd, "b") + frame(kEnd, "c"), {"text:ab", "error:1002"});
    expect(frame(kText, "a") + frame(kMiddle, ""), {"text:a", "error:1002"});
}

TEST(WebsocketReceiver, AMessageMustNotBeginWithinAnother) {
    for (uint8_t first : {kText, kBinary, kTextBegin, kBinaryBegin}) {
        expect(frame(kTextBegin, "a") + frame(first, "b"), {"error:1002"});
        expect(frame(kBinaryBegin, "") + frame(kPing, "p") + frame(first, ""), {"ping:p", "error:1002"});
    }
}

// --- section 8.1: UTF-8 (family 6) ---

TEST(WebsocketReceiver, ValidTextCutIntoFragmentsAnywhere) {
    const std::string text = "\xce\xba\xe1\xbd\xb9 \xf0\x9f\x98\x80 \xef\xbf\xbf\xf4\x8f\xbf\xbf";
    for (size_t cut = 0; cut <= text.size(); ++cut) {
        expect(frame(kTextBegin, text.substr(0, cut)) + frame(kPing, "\xff") + frame(kEnd, text.substr(cut)),
               {"ping:\xff", "text:" + text});
    }
}

TEST(WebsocketReceiver, InvalidTextIsRefused) {
    for (const char* bad :
         {"\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xe0\x9f\xbf", "\xed\xa0\x80",
          "\xed\xbf\xbf", "\xf0\x80\x80\xaf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5", "\xfe", "\xff",
          "\xf8\x88\x80\x80\x80", "\xc3(", "\xe2\x82(", "\xf0\x9f\x98("}) {
        const std::string text = "valid \xc3\xa4"s + bad + " and more";
        expect(frame(kText, text), {"error:1007"});
        for (size_t cut = 0; cut < text.size(); cut += 3) {
            expect(frame(kTextBegin, text.substr(0, cut)) + frame(kEnd, text.substr(cut)), {"error:1007"});
        }
        expect(frame(kBinary, text), {"binary:" + text});
    }
}

TEST(WebsocketReceiver, TextMustNotEndWithinACharacter) {
    expect(frame(kText, "abc\xc3"), {"error:1007"});
    expect(frame(kText, "\xf0\x9f\x98"), {"error:1007"});
    expect(frame(kTextBegin, "abc\xe2") + frame(kEnd, "\x82"), {"error:1007"});
    expect(frame(kTextBegin, "abc\xe2\x82") + frame(kEnd, ""), {"error:1007"});
}

TEST(WebsocketReceiver, InvalidTextIsRefusedAtTheEarliestByte) {
    // Nothing after the bad byte ever arrives: neither the rest of the frame nor the end of the message.
    const std::string text = "\xce\xba\xe1\xbd\xb9\xed\xa0\x80" + std::string(1000, 'x');
    const std::string whole = frame(kTextBegin, text);
    const size_t bad = whole.size() - 1000 - 2;  // 0xa0, which makes it a surrogate
    for (bool use_window : {false, true}) {
        Driver one = driver({}, Role::kServer, use_window);
        one.feed(std::string_view(whole).substr(0, bad));
        EXPECT_EQ(one.trace(), Trace{});
        one.feed(std::string_view(whole).substr(bad, 1));
        EXPECT_EQ(one.trace(), Trace{"error:1007"});
    }
}

// --- section 5.5.1 and 7.4: close (family 7) ---

TEST(WebsocketReceiver, CloseWithoutPayloadHasNoCode) {
    expect(frame(kClose, ""), {"close:1005:"});
}

TEST(WebsocketReceiver, ClosePayloadOfOneByteIsRefused) {
    expect(frame(kClose, "x"), {"error:1002"});
}

TEST(WebsocketReceiver, CloseCodeAndReason) {
    expect(frame(kClose, close_payload(1000)), {"close:1000:"});
    expect(frame(kClose, close_payload(1000, "Hello World!")), {"close:1000:Hello World!"});
    const std::string longest(123, 'x');
    expect(frame(kClose, close_payload(4999, longest)), {"close:4999:" + longest});
}

TEST(WebsocketReceiver, CloseCodesAllowedOnTheWire) {
    for (int code :
         {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999}) {
        expect(frame(kClose, close_payload(code)), {"close:" + std::to_string(code) + ":"});
    }
    for (int code : {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535}) {
        expect(frame(kClose, close_payload(code)), {"error:1002"});
        EXPECT_EQ(trace_of(frame(kClose, close_payload(code, "why"))), Trace{"error:1002"}) << code;
    }
}

TEST(WebsocketReceiver, CloseReasonMustBeUtf8) {
    expect(frame(kClose, close_payload(1000, "\xce\xba\xe1\xbd\xb9")), {"close:1000:\xce\xba\xe1\xbd\xb9"});
    expect(frame(kClose, close_payload(1000, "\xce\xba\xff")), {"error:1007"});
    expect(frame(kClose, close_payload(1000, "cut \xe2\x82")), {"error:1007"});
}

TEST(WebsocketReceiver, WhateverFollowsTheCloseIsIgnored) {
    expect(frame(kClose, close_payload(1000)) + frame(kText, "late") + frame(kClose, "") + "\xff\xff\xff",
           {"close:1000:"});
}

// --- limits (family 9 and our own) ---

TEST(WebsocketReceiver, MessageOfTheLimitIsTakenAndOneByteMoreIsNot) {
    const Limits limits = {130, 10};
    expect(frame(kBinary, std::string(130, 'x')), {"binary:" + std::string(130, 'x')}, limits);
    expect(frame(kBinary, std::string(131, 'x')), {"error:1009"}, limits);
    expect(frame(kBinaryBegin, std::string(100, 'x')) + frame(kEnd, std::string(30, 'x')),
           {"binary:" + std::string(130, 'x')}, limits);
    expect(frame(kBinaryBegin, std::string(100, 'x')) + frame(kPing, "") + frame(kEnd, std::string(31, 'x')),
           {"ping:", "error:1009"}, limits);
    expect(frame(kPing, std::string(125, 'x')), {"ping:" + std::string(125, 'x')}, {1, 1});
}

TEST(WebsocketReceiver, TooBigIsRefusedByTheHeaderBeforeAnyRoomIsAskedFor) {
    for (uint64_t size : {uint64_t{1025}, uint64_t{1} << 40, (uint64_t{1} << 63) - 1}) {
        Driver one = driver({1024, 10});
        one.feed(frame_header(kBinary, size, true) + "kkkk");
        EXPECT_EQ(one.trace(), Trace{"error:1009"});
        EXPECT_EQ(one.rooms_given(), 0u);
        EXPECT_NE(one.receiver().error().sentence.find(std::to_string(size)), std::string::npos);
        EXPECT_NE(one.receiver().error().sentence.find("1024"), std::string::npos);
    }
}

TEST(WebsocketReceiver, FragmentsOfAMessageAreLimited) {
    const Limits limits = {1000, 3};
    const std::string three = frame(kTextBegin, "a") + frame(kMiddle, "") + frame(kEnd, "c");
    expect(three + three, {"text:ac", "text:ac"}, limits);
    expect(frame(kTextBegin, "a") + frame(kMiddle, "") + frame(kMiddle, "") + frame(kEnd, "c"),
           {"error:1008"}, limits);
}

TEST(WebsocketReceiver, ALargeMessageOfSmallFragmentsIsCopiedOnlyAFewTimes) {
    const size_t kFragments = 20000;
    const std::string piece(50, 'x');
    Driver one = driver({kFragments * piece.size(), kFragments});
    for (size_t i = 0; i < kFragments; ++i) {
        one.feed(frame(i == 0 ? kBinaryBegin : i + 1 == kFragments ? kEnd : kMiddle, piece));
    }
    ASSERT_EQ(one.trace().size(), 1u);
    EXPECT_EQ(one.trace()[0].size(), 7 + kFragments * piece.size());
    EXPECT_LE(one.bytes_copied(), 2 * kFragments * piece.size());
    EXPECT_LE(one.rooms_given(), 12u);
}

TEST(WebsocketReceiver, PingsNearTheLimitDoNotMakeTheRoomGrowByteByByte) {
    Driver one = driver({4096, 1000});
    one.feed(frame(kBinaryBegin, std::string(4000, 'x')));
    const std::string ping = frame(kPing, std::string(125, 'p'));
    for (int i = 0; i < 90; ++i) {
        one.feed(frame(kMiddle, "x"));
        one.feed(ping.substr(0, 50));
        one.feed(ping.substr(50));
    }
    EXPECT_EQ(one.trace().size(), 90u);
    EXPECT_LE(one.rooms_given(), 3u);
}

TEST(WebsocketReceiver, RoomGrowsWithoutALimitToo) {
    Driver one = driver({~uint64_t{0}, 1000});
    one.feed(frame(kBinaryBegin, std::string(2000, 'x')));
    one.feed(frame(kPing, std::string(125, 'p')).substr(0, 50));
    EXPECT_EQ(one.receiver().room().size, 4000u);
}

TEST(WebsocketReceiver, AnnouncedLengthsDoNotOverflow) {
    const Limits no_limit = {~uint64_t{0}, 10};
    Receiver receiver(no_limit);
    std::string bytes = frame_header(kBinaryBegin, (uint64_t{1} << 62), true) + "kkkk" + "x";
    std::span<char> input(bytes);
    EXPECT_EQ(receiver.next(input), Event::kNeedRoom);
    EXPECT_EQ(receiver.needed(), uint64_t{1} << 62);
    EXPECT_EQ(receiver.next(input), Event::kNeedRoom) << "the receiver asks for room again";
    EXPECT_EQ(input.size(), 1u) << "a receiver that waits for room consumes nothing";
}

// --- memory ---

TEST(WebsocketReceiver, AWholeMessageIsDeliveredInPlace) {
    Receiver receiver({});
    std::string bytes = frame(kText, "in place") + frame(kPing, "too");
    std::span<char> input(bytes);
    ASSERT_EQ(receiver.next(input), Event::kMessage);
    EXPECT_FALSE(receiver.in_room());
    EXPECT_EQ(receiver.message().data(), bytes.data() + 6);
    ASSERT_EQ(receiver.next(input), Event::kPing);
    EXPECT_FALSE(receiver.in_room());
    EXPECT_EQ(receiver.next(input), Event::kNeedInput);
}

TEST(WebsocketReceiver, AnUnfragmentedMessageAsksOnceForExactlyItsSize) {
    const std::string bytes = frame(kBinary, std::string(5000, 'x'));
    Receiver receiver({});
    std::string start = bytes.substr(0, 100);
    std::span<char> input(start);
    ASSERT_EQ(receiver.next(input), Event::kNeedRoom);
    EXPECT_EQ(receiver.needed(), 5000u);
    EXPECT_EQ(receiver.filled_bytes(), 0u);
    std::string memory(5000, 0);
    receiver.grant({memory.data(), memory.size()});
    ASSERT_EQ(receiver.next(input), Event::kNeedInput);
    ASSERT_EQ(receiver.window().size(), bytes.size() - 100);
    bytes.copy(receiver.window().data(), bytes.size() - 100, 100);
    receiver.filled(bytes.size() - 100);
    ASSERT_EQ(receiver.next(), Event::kMessage);
    EXPECT_TRUE(receiver.in_room());
    EXPECT_EQ(receiver.message().data(), memory.data());
    EXPECT_EQ(memory, std::string(5000, 'x'));
    EXPECT_EQ(receiver.take_room().data, memory.data());
    EXPECT_FALSE(receiver.room());
}

TEST(WebsocketReceiver, ASmallPayloadThatHasNotBegunWaitsForItsPlaceInTheInput) {
    const std::string bytes = frame(kText, "payload apart from its header");
    Driver one = driver();
    one.feed(bytes.substr(0, 6));
    one.feed(bytes.substr(6));
    EXPECT_EQ(one.in_place(), 1u);
    EXPECT_EQ(one.rooms_given(), 0u);
}

TEST(WebsocketReceiver, ALargePayloadAsksForRoomWithItsFirstByte) {
    Driver one = driver();
    one.feed(frame_header(kBinary, 500000, true) + "kkkk");
    EXPECT_EQ(one.rooms_given(), 0u) << "a length alone costs no room";
    one.feed("x");
    EXPECT_EQ(one.rooms_given(), 1u);
    EXPECT_EQ(one.receiver().window().size(), 499999u);
}

TEST(WebsocketReceiver, LessRoomThanItNeedsIsFilledFirst) {
    const std::string payload(5000, 'p');
    Driver one = driver();
    one.step = 1000;
    one.feed(frame(kBinary, payload).substr(0, 500));
    EXPECT_EQ(one.rooms_given(), 1u);
    EXPECT_EQ(one.receiver().window().size(), 1000u);
    one.feed(frame(kBinary, payload).substr(500));
    EXPECT_EQ(one.rooms_given(), 2u);
    EXPECT_EQ(one.trace().size(), 1u);
}

TEST(WebsocketReceiver, TheWindowEndsWithTheFrame) {
    Driver one = driver();
    const std::string first = frame(kBinaryBegin, std::string(3000, 'a'));
    one.feed(first.substr(0, 1000));
    EXPECT_EQ(one.receiver().window().size(), first.size() - 1000);
    one.feed(first.substr(1000));
    EXPECT_TRUE(one.receiver().window().empty())
        << "a header comes next, which is not received into the room";
    EXPECT_TRUE(one.receiver().in_message());
}

TEST(WebsocketReceiver, MayBeMovedInTheMiddleOfAMessage) {
    const std::string bytes = frame(kText, "moved \xe2\x82\xac");
    for (size_t cut = 1; cut < bytes.size(); ++cut) {
        std::string memory(100, 0), start = bytes.substr(0, cut), rest = bytes.substr(cut);
        Receiver first({});
        std::span<char> input(start);
        if (first.next(input) == Event::kNeedRoom) {
            first.grant({memory.data(), memory.size()});
            EXPECT_EQ(first.next(input), Event::kNeedInput);
        }
        Receiver second = std::move(first);
        input = rest;
        ASSERT_EQ(second.next(input), Event::kMessage);
        EXPECT_EQ(std::string(second.message().data(), second.message().size()), "moved \xe2\x82\xac");
    }
}

// --- against the reference ---

std::string random_frame(std::mt19937& random, bool& in_message) {
    static const std::string texts[] = {"",         "ascii", "\xc3\xa4\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                        "\xe2\x82", "\xac"};
    const auto chance = [&](unsigned one_in) { return random() % one_in == 0; };
    std::string payload;
    for (size_t parts = random() % 4; parts != 0; --parts) {
        payload += texts[random() % (chance(10) ? 6 : 4)];
    }
    if (chance(8)) payload.append(random() % 400, 'x');
    if (chance(4)) {
        const uint8_t control = chance(12) ? kClose : chance(2) ? kPing : kPong;
        if (control == kClose)
            payload = close_payload(chance(3) ? static_cast<int>(random() % 5100) : 1000, payload);
        return frame(control, payload.substr(0, chance(20) ? 200 : 125));
    }
    const bool fin = chance(2);
    const uint8_t opcode = in_message != chance(30) ? 0 : 1 + random() % 2;
    in_message = !fin;
    return frame(static_cast<uint8_t>((fin ? 0x80 : 0) | opcode), payload);
}

TEST(WebsocketReceiver, RandomFramesRandomlyCutAsTheNaiveReference) {
    std::mt19937 random(3);
    size_t messages = 0, errors = 0;
    for (int round = 0; round < 6000; ++round) {
        std::string bytes;
        bool in_message = false;
        for (size_t frames = 1 + random() % 8; frames != 0; --frames) {
            bytes += random_frame(random, in_message);
        }
        if (random() % 3 == 0) bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
        if (random() % 5 == 0) bytes.resize(random() % bytes.size() + 1);
        const Limits limits = {300 + random() % 500, static_cast<uint32_t>(2 + random() % 6)};

        const Trace expected = naive(bytes, limits);
        for (bool use_window : {false, true}) {
            Driver one = driver(limits, Role::kServer, use_window);
            if (random() % 2) one.step = kMaxControlPayloadBytes;
            std::string_view rest = bytes;
            while (!rest.empty()) {
                const size_t piece = std::min<size_t>(rest.size(), 1 + random() % (random() % 2 ? 8 : 300));
                one.feed(rest.substr(0, piece));
                rest.remove_prefix(piece);
            }
            ASSERT_EQ(one.trace(), expected) << "round " << round << (use_window ? ", window" : ", input");
        }
        for (const std::string& line : expected) {
            (line.starts_with("error") ? errors : messages) += 1;
        }
    }
    EXPECT_GT(messages, 6000u) << "the reference was hardly put to use";
    EXPECT_GT(errors, 600u);
}

TEST(WebsocketReceiver, RandomBytesAsTheNaiveReference) {
    std::mt19937 random(4);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes(1 + random() % 40, 0);
        for (char& c : bytes) {
            c = static_cast<char>(random());
        }
        bytes[0] &= static_cast<char>(0x8f);
        const Limits limits = {1 << 20, 4};
        Driver one = driver(limits, Role::kServer, round % 2);
        const size_t cut = random() % bytes.size();
        one.feed(std::string_view(bytes).substr(0, cut));
        one.feed(std::string_view(bytes).substr(cut));
        ASSERT_EQ(one.trace(), naive(bytes, limits)) << testing::PrintToString(bytes);
    }
}

// --- RFC 7692: compressed messages (families 12 and 13) ---

constexpr uint8_t kRsv1 = 0x40;
const std::string kHello = "\xf2\x48\xcd\xc9\xc9\x07\x00"s;  // RFC 7692 section 7.2.3.1

/// A driver that lends its inflater, and resets or keeps its context between messages.
class DeflateDriver {
  public:
    explicit DeflateDriver(Limits limits = {}, bool use_window = false, bool takeover = true)
        : driver_(
              Receiver(limits, Role::kServer, true),
              [](const Receiver& receiver, Event event) { return describe(receiver, event); }, use_window),
          inflater_(15) {
        driver_.lend = [this](Receiver& receiver) { receiver.lend(&inflater_); };
        if (!takeover) {
            driver_.after_message = [this](Receiver& receiver) {
                receiver.take_inflater();
                inflater_.reset();
            };
        }
    }
    DeflateDriver(const DeflateDriver&) = delete;

    void feed(std::string_view bytes) { driver_.feed(bytes); }
    const Trace& trace() const { return driver_.trace(); }
    Driver& driver() { return driver_; }

  private:
    Driver driver_;
    Inflater inflater_;
};

/// The trace of `bytes`, which must not depend on how they are cut.
Trace inflated(std::string_view bytes, Limits limits = {}, bool takeover = true) {
    DeflateDriver whole(limits, false, takeover);
    whole.feed(bytes);
    for (bool use_window : {false, true}) {
        for (size_t cut = 1; cut < std::min<size_t>(bytes.size(), 300); ++cut) {
            DeflateDriver one(limits, use_window, takeover);
            one.feed(bytes.substr(0, cut));
            one.feed(bytes.substr(cut));
            EXPECT_EQ(one.trace(), whole.trace()) << "cut at " << cut;
        }
        DeflateDriver slow(limits, use_window, takeover);
        for (size_t i = 0; i < bytes.size(); ++i)
            slow.feed(bytes.substr(i, 1));
        EXPECT_EQ(slow.trace(), whole.trace()) << "byte by byte";
    }
    return whole.trace();
}

std::string deflated(std::string_view message, Deflater* deflater = nullptr) {
    Deflater own(15, 6);
    std::string out;
    (deflater ? deflater : &own)->compress(message, out);
    return out;
}

TEST(WebsocketReceiver, Rfc7692Section7_2_3_1ACompressedMessage) {
    EXPECT_EQ(inflated(frame(kText | kRsv1, kHello)), Trace{"text:Hello"});
    EXPECT_EQ(inflated(frame(kBinary | kRsv1, kHello)), Trace{"binary:Hello"});
}

TEST(WebsocketReceiver, Rfc7692Section7_2_3_1AFragmentedCompressedMessage) {
    EXPECT_EQ(inflated(frame(kTextBegin | kRsv1, kHello.substr(0, 3)) + frame(kEnd, kHello.substr(3))),
              Trace{"text:Hello"});
    std::string bytes = frame(kTextBegin | kRsv1, "") + frame(kMiddle, kHello) + frame(kMiddle, "");
    EXPECT_EQ(inflated(bytes + frame(kEnd, "")), Trace{"text:Hello"});
}

TEST(WebsocketReceiver, Rfc7692Section6_1ControlFramesBetweenCompressedFragments) {
    EXPECT_EQ(inflated(frame(kTextBegin | kRsv1, kHello.substr(0, 4)) + frame(kPing, "are you there") +
                       frame(kMiddle, "") + frame(kPong, "") + frame(kEnd, kHello.substr(4)) +
                       frame(kPing, "again")),
              (Trace{"ping:are you there", "pong:", "text:Hello", "ping:again"}));
}

TEST(WebsocketReceiver, Rfc7692Section7_2_3_2SharingTheWindow) {
    const std::string bytes = frame(kText | kRsv1, kHello) + frame(kText | kRsv1, "\xf2\x00\x11\x00\x00"s);
    EXPECT_EQ(inflated(bytes), (Trace{"text:Hello", "text:Hello"}));
    EXPECT_EQ(inflated(bytes, {}, false), (Trace{"text:Hello", "error:1007"}));
}

TEST(WebsocketReceiver, Rfc7692Section7_2_3_4ABlockMarkedAsTheLast) {
    EXPECT_EQ(inflated(frame(kText | kRsv1, "\xf3\x48\xcd\xc9\xc9\x07\x00\x00"s) +
                       frame(kText | kRsv1, "\xf2\x00\x11\x00\x00"s)),
              (Trace{"text:Hello", "text:Hello"}));
}

TEST(WebsocketReceiver, Rfc7692Section7_2_3_6EmptyMessages) {
    EXPECT_EQ(inflated(frame(kText | kRsv1, "\0"s) + frame(kBinary | kRsv1, "") +
                       frame(kBinaryBegin | kRsv1, "") + frame(kEnd, "") + frame(kText | kRsv1, kHello)),
              (Trace{"text:", "binary:", "binary:", "text:Hello"}));
}

TEST(WebsocketReceiver, Rfc7692Section6UncompressedMessagesMayComeBetween) {
    EXPECT_EQ(inflated(frame(kText, "plain") + frame(kText | kRsv1, kHello) + frame(kBinaryBegin, "pla") +
                       frame(kEnd, "in") + frame(kText | kRsv1, "\xf2\x00\x11\x00\x00"s)),
              (Trace{"text:plain", "text:Hello", "binary:plain", "text:Hello"}));
}

TEST(WebsocketReceiver, Rfc7692Section6_1Rsv1StandsOnlyWhereAMessageBegins) {
    EXPECT_EQ(inflated(frame(kTextBegin | kRsv1, kHello) + frame(kEnd | kRsv1, "")), Trace{"error:1002"});
    EXPECT_EQ(inflated(frame(kTextBegin, "a") + frame(kMiddle | kRsv1, "b")), Trace{"error:1002"});
    for (uint8_t control : {kPing, kPong, kClose})
        EXPECT_EQ(inflated(frame(control | kRsv1, "")), Trace{"error:1002"});
    for (uint8_t other : {0x20, 0x10, 0x30, 0x70})
        EXPECT_EQ(inflated(frame(kText | other, kHello)), Trace{"error:1002"});
}

TEST(WebsocketReceiver, Rfc7692Section6Rsv1WithoutAnAgreementIsRefused) {
    expect(frame(kText | kRsv1, kHello), {"error:1002"});
}

TEST(WebsocketReceiver, Rfc7692Section7_2_2WhatCannotBeInflatedIs1007) {
    EXPECT_EQ(inflated(frame(kText | kRsv1, "\x07")), Trace{"error:1007"});
    EXPECT_EQ(inflated(frame(kBinary | kRsv1, "hello")), Trace{"error:1007"});
    EXPECT_EQ(inflated(frame(kText | kRsv1, kHello.substr(0, 5))), Trace{"error:1007"});
    EXPECT_EQ(inflated(frame(kTextBegin | kRsv1, kHello) + frame(kEnd, "\xff\xff\xff\xff")),
              Trace{"error:1007"});
}

TEST(WebsocketReceiver, InflatedTextMustBeUtf8) {
    EXPECT_EQ(inflated(frame(kText | kRsv1, deflated("\xe2\x82\xac"))), Trace{"text:\xe2\x82\xac"});
    EXPECT_EQ(inflated(frame(kText | kRsv1, deflated("\xe2\x82"))), Trace{"error:1007"});
    EXPECT_EQ(inflated(frame(kText | kRsv1, deflated("a\xff"))), Trace{"error:1007"});
    EXPECT_EQ(inflated(frame(kBinary | kRsv1, deflated("a\xff"))), Trace{"binary:a\xff"});
}

TEST(WebsocketReceiver, TheLimitIsOnTheInflatedSize) {
    for (uint64_t most : {1, 5, 1000, 1024, 4096, 5000, 100000}) {
        const std::string just(most, 'x'), over(most + 1, 'x');
        const Limits limits{most, 1024};
        EXPECT_EQ(inflated(frame(kText | kRsv1, deflated(just)), limits), Trace{"text:" + just}) << most;
        EXPECT_EQ(inflated(frame(kText | kRsv1, deflated(over)), limits), Trace{"error:1009"}) << most;
    }
    EXPECT_EQ(inflated(frame(kText | kRsv1, deflated("")), {0, 9}), Trace{"text:"});
    EXPECT_EQ(inflated(frame(kText | kRsv1, deflated("x")), {0, 9}), Trace{"error:1009"});
    // The limit counts over all fragments of a message, with a ping between them.
    const std::string payload = deflated(std::string(1001, 'x'));
    EXPECT_EQ(inflated(frame(kTextBegin | kRsv1, payload.substr(0, 5)) + frame(kPing, std::string(100, 'p')) +
                           frame(kEnd, payload.substr(5)),
                       {1000, 9}),
              (Trace{"ping:" + std::string(100, 'p'), "error:1009"}));
}

TEST(WebsocketReceiver, AFrameLongerThanAnyCompressedMessageIsRefusedByItsHeader) {
    DeflateDriver one({1000, 9});
    one.feed(frame_header(kText | kRsv1, 1190, true) + "\1\2\3\4");
    EXPECT_EQ(one.trace(), Trace{"error:1009"});
    EXPECT_EQ(one.driver().rooms_given(), 0u);
}

TEST(WebsocketReceiver, WhatDoesNotCompressMayBeAsLongAsTheLimit) {
    std::mt19937 random(3);
    std::string noise(100000, '\0');
    for (char& byte : noise)
        byte = static_cast<char>(random());
    const std::string payload = deflated(noise);
    ASSERT_GT(payload.size(), noise.size());
    DeflateDriver one({noise.size(), 9});
    one.feed(frame(kBinary | kRsv1, payload));
    EXPECT_EQ(one.trace(), Trace{"binary:" + noise});
}

TEST(WebsocketReceiver, RoomForABombGrowsOnlyAsItInflates) {
    const std::string payload = deflated(std::string(1 << 20, '\0'));
    const std::string bytes = frame(kBinary | kRsv1, payload);
    DeflateDriver one({1 << 20, 9});
    one.feed(bytes.substr(0, 40));
    EXPECT_LE(one.driver().receiver().room().size, 65536u);
    one.feed(bytes.substr(40));
    ASSERT_EQ(one.trace().size(), 1u);
    EXPECT_EQ(one.trace()[0].size(), 7u + (1 << 20));
    EXPECT_LE(one.driver().rooms_given(), 12u);
    EXPECT_LE(one.driver().bytes_copied(), 2u << 20);
}

TEST(WebsocketReceiver, ACompressedMessageHasNoWindow) {
    DeflateDriver one({}, true);
    const std::string payload = deflated(std::string(100000, 'x') + "y");
    const std::string bytes = frame(kBinary | kRsv1, payload);
    one.feed(bytes.substr(0, 20));
    EXPECT_TRUE(one.driver().receiver().window().empty());
    EXPECT_TRUE(one.driver().receiver().inflates());
    one.feed(bytes.substr(20));
    EXPECT_FALSE(one.driver().receiver().inflates());
    EXPECT_EQ(one.trace().size(), 1u);
}

TEST(WebsocketReceiver, RandomCompressedMessagesRandomlyCut) {
    std::mt19937 random(11);
    const auto below = [&](size_t bound) { return random() % bound; };
    for (int round = 0; round < 150; ++round) {
        Deflater deflater(static_cast<uint8_t>(9 + below(7)), static_cast<int>(1 + below(9)));
        std::string bytes;
        Trace expected;
        for (size_t messages = 1 + below(5); messages != 0; --messages) {
            std::string message(below(2) ? below(100) : below(20000), '\0');
            const size_t kinds = 1 + below(255);
            for (char& byte : message)
                byte = static_cast<char>(below(kinds));
            const bool compressed = below(4) != 0;
            std::string payload = compressed ? deflated(message, &deflater) : message;
            uint8_t first = 0x02 | (compressed ? kRsv1 : 0);
            std::string_view rest = payload;
            do {
                const size_t size = below(3) ? rest.size() : below(rest.size() + 1);
                const bool last = size == rest.size();
                bytes += frame(first | (last ? 0x80 : 0), rest.substr(0, size));
                rest.remove_prefix(size);
                first = 0;
                if (last) break;
                if (below(3) == 0) {
                    bytes += frame(kPing, "p");
                    expected.push_back("ping:p");
                }
            } while (true);
            expected.push_back("binary:" + message);
        }
        DeflateDriver one({1 << 20, 100000}, round % 2 != 0);
        for (std::string_view rest = bytes; !rest.empty();) {
            const size_t size = std::min(rest.size(), 1 + below(below(2) ? 10 : 5000));
            one.feed(rest.substr(0, size));
            rest.remove_prefix(size);
        }
        ASSERT_EQ(one.trace(), expected) << "round " << round;
    }
}

}  // namespace
}  // namespace sluice::websocket
