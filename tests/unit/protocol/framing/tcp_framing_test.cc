#include "protocol/framing/tcp_framing.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

#include "receiver_driver.h"

namespace sluice::tcp {
namespace {

using test::Trace;
using namespace std::string_literals;
using Driver = test::ReceiverDriver<Receiver, Event>;

std::string describe(const Receiver& receiver, Event event) {
    if (event == Event::kMessage)
        return "message:" + std::string(receiver.message().data(), receiver.message().size());
    EXPECT_EQ(event, Event::kError);
    EXPECT_FALSE(receiver.error().empty());
    return "error";
}

Driver driver(const Framing& framing, bool use_window = false) {
    return Driver(Receiver(framing), describe, use_window);
}

std::string length_bytes(uint64_t length, uint32_t width, bool little_endian) {
    std::string out;
    for (uint32_t i = 0; i < width; ++i) {
        out += static_cast<char>(length >> 8 * (little_endian ? i : width - 1 - i));
    }
    return out;
}

/// A reference that has all the bytes, and looks for the end of each message from its beginning.
Trace naive(std::string_view bytes, const Framing& framing) {
    Trace trace;
    const auto failed = [&] {
        trace.push_back("error");
        return trace;
    };
    const uint64_t max_bytes = framing.max_message_bytes;
    if (framing.kind == Framing::Kind::kLine) {
        const std::string_view delimiter = framing.delimiter();
        for (;;) {
            size_t end = 0;
            while (end + delimiter.size() <= bytes.size() &&
                   bytes.substr(end, delimiter.size()) != delimiter) {
                ++end;
            }
            if (end > max_bytes) return failed();
            if (end + delimiter.size() > bytes.size()) return trace;
            trace.push_back("message:" + std::string(bytes.substr(0, end)));
            bytes.remove_prefix(end + delimiter.size());
        }
    }
    while (bytes.size() >= framing.header_bytes()) {
        unsigned __int128 length = 0;
        for (uint32_t i = 0; i < framing.length_width; ++i) {
            const uint32_t at = framing.little_endian ? framing.length_width - 1 - i : i;
            length = length << 8 | static_cast<uint8_t>(bytes[framing.length_offset + at]);
        }
        const __int128 body = static_cast<__int128>(length) + framing.length_adjust;
        if (body < 0) return failed();
        const __int128 delivered = body + (framing.deliver_header ? framing.header_bytes() : 0);
        if (delivered > static_cast<__int128>(max_bytes)) return failed();
        const size_t whole = framing.header_bytes() + static_cast<size_t>(body);
        if (bytes.size() < whole) return trace;
        trace.push_back("message:" + std::string(bytes.substr(whole - static_cast<size_t>(delivered),
                                                              static_cast<size_t>(delivered))));
        bytes.remove_prefix(whole);
    }
    return trace;
}

void expect(const std::string& bytes, const Trace& expected, const Framing& framing) {
    ASSERT_EQ(framing.validate(), "");
    EXPECT_EQ(naive(bytes, framing), expected) << "the reference itself is wrong";
    test::expect_trace_however_cut(bytes, expected,
                                   [&](bool use_window) { return driver(framing, use_window); });
}

// --- no framing ---

TEST(TcpFraming, WithoutFramingEveryPieceIsAMessageInPlace) {
    const Framing framing = Framing::none();
    Receiver receiver(framing);
    std::string bytes = "whatever came";
    std::span<char> input(bytes);
    ASSERT_EQ(receiver.next(input), Event::kMessage);
    EXPECT_EQ(receiver.message().data(), bytes.data());
    EXPECT_EQ(receiver.message().size(), bytes.size());
    EXPECT_FALSE(receiver.in_room());
    EXPECT_EQ(receiver.next(input), Event::kNeedInput);
    EXPECT_FALSE(receiver.in_message());
}

TEST(TcpFraming, WithoutFramingALongPieceIsCutAtTheLimit) {
    const Framing framing = Framing::none(4);
    Driver one = driver(framing);
    one.feed("0123456789");
    EXPECT_EQ(one.trace(), (Trace{"message:0123", "message:4567", "message:89"}));
}

// --- lines ---

TEST(TcpFraming, LinesWithADelimiterOfAnySize) {
    for (const char* delimiter : {"\n", "\r\n", "\r\n\r\n", "--end--", "12345678"}) {
        const std::string d = delimiter;
        expect("first" + d + d + "third line" + d + "unfinished",
               {"message:first", "message:", "message:third line"}, Framing::line(d));
    }
}

TEST(TcpFraming, ADelimiterMayHoldAnyByte) {
    expect("one\0\xff\0two\0\xff\0"s, {"message:one", "message:two"}, Framing::line("\0\xff\0"s));
}

TEST(TcpFraming, TheBeginningOfADelimiterIsNotADelimiter) {
    expect("a\rb\nc\r\r\nd\r\n", {"message:a\rb\nc\r", "message:d"}, Framing::line("\r\n"));
}

TEST(TcpFraming, OfDelimitersThatOverlapTheFirstCounts) {
    expect(
        "xaaay"
        "aaa"
        "aa",
        {"message:x", "message:ay", "message:"}, Framing::line("aa"));
    expect(
        "ababababac"
        "abac",
        {"message:ababab", "message:"}, Framing::line("abac"));
    expect("aabaaabaab", {"message:", "message:a", "message:"}, Framing::line("aab"));
}

TEST(TcpFraming, ALineOfTheLimitIsTakenAndOneByteMoreIsNot) {
    for (const char* delimiter : {"\n", "\r\n", "--end--"}) {
        const std::string d = delimiter;
        const Framing framing = Framing::line(d, 10);
        expect("0123456789" + d + "ok" + d, {"message:0123456789", "message:ok"}, framing);
        expect("ok" + d + "0123456789x" + d, {"message:ok", "error"}, framing);
        expect(std::string(300, 'x'), {"error"}, framing);
        expect("0123456789" + d.substr(0, d.size() - 1), {}, framing);
    }
}

TEST(TcpFraming, TooLongALineSaysTheLimit) {
    const Framing framing = Framing::line("\n", 10);
    Driver one = driver(framing);
    one.feed("0123456789x");
    ASSERT_EQ(one.trace(), Trace{"error"});
    EXPECT_NE(one.receiver().error().find("10 bytes"), std::string::npos);
}

TEST(TcpFraming, ALongLineInSmallPiecesIsCopiedOnlyAFewTimes) {
    const Framing framing = Framing::line("\r\n", 1 << 20);
    Driver one = driver(framing);
    for (int i = 0; i < 20000; ++i) {
        one.feed("0123456789012345678901234567890123456789");
    }
    one.feed("\r\n");
    ASSERT_EQ(one.trace().size(), 1u);
    EXPECT_EQ(one.trace()[0].size(), 8 + 800000u);
    EXPECT_LE(one.bytes_copied(), 2 * 800000u);
}

TEST(TcpFraming, AWholeLineIsDeliveredInPlace) {
    const Framing framing = Framing::line("\r\n");
    Driver one = driver(framing);
    one.feed("one\r\ntwo\r\n");
    EXPECT_EQ(one.in_place(), 2u);
    EXPECT_EQ(one.rooms_given(), 0u);
}

// --- length prefix ---

TEST(TcpFraming, LengthOfEveryWidthAndByteOrder) {
    for (uint32_t width : {1, 2, 3, 4, 8}) {
        for (bool little_endian : {false, true}) {
            Framing framing = Framing::length_prefix(width, 300);
            framing.little_endian = little_endian;
            const uint64_t longest = width == 1 ? 255 : 300;
            expect(length_bytes(5, width, little_endian) + "hello" + length_bytes(0, width, little_endian) +
                       length_bytes(longest, width, little_endian) + std::string(longest, 'x') +
                       length_bytes(9, width, little_endian) + "unfinishe",
                   {"message:hello", "message:", "message:" + std::string(longest, 'x'), "message:unfinishe"},
                   framing);
            if (width > 1) expect(length_bytes(301, width, little_endian) + "x", {"error"}, framing);
        }
    }
}

TEST(TcpFraming, LengthMayStandBehindOtherFields) {
    Framing framing = Framing::length_prefix(2);
    framing.length_offset = 3;
    expect("AAA\0\5hello"s + "BBB\0\0"s + "CCC\0\1x"s, {"message:hello", "message:", "message:x"}, framing);
    framing.deliver_header = true;
    expect("AAA\0\5hello"s + "BBB\0\0"s + "CCC\0\1x"s,
           {"message:AAA\0\5hello"s, "message:BBB\0\0"s, "message:CCC\0\1x"s}, framing);
}

TEST(TcpFraming, LengthMayCountTheHeader) {
    Framing framing = Framing::length_prefix(4);
    framing.length_counts_header();
    expect("\0\0\0\11hello\0\0\0\4\0\0\0\5x"s, {"message:hello", "message:", "message:x"}, framing);
    framing.deliver_header = true;
    expect("\0\0\0\11hello\0\0\0\4"s, {"message:\0\0\0\11hello"s, "message:\0\0\0\4"s}, framing);
}

TEST(TcpFraming, LengthSmallerThanTheHeaderThatItCountsIsRefused) {
    Framing framing = Framing::length_prefix(4);
    framing.length_counts_header();
    for (bool deliver_header : {false, true}) {
        framing.deliver_header = deliver_header;
        expect("\0\0\0\5a\0\0\0\3"s, {deliver_header ? "message:\0\0\0\5a"s : "message:a", "error"}, framing);
        expect("\0\0\0\0"s, {"error"}, framing);
    }
}

TEST(TcpFraming, FieldsBehindTheLengthThatItDoesNotCount) {
    Framing framing = Framing::length_prefix(2);
    framing.length_adjust = 3;
    expect("\0\5abchello\0\0abc"s, {"message:abchello", "message:abc"}, framing);
    framing.deliver_header = true;
    expect("\0\5abchello\0\0abc"s, {"message:\0\5abchello"s, "message:\0\0abc"s}, framing);
}

TEST(TcpFraming, TheLimitCountsWhatIsDelivered) {
    Framing framing = Framing::length_prefix(2, 10);
    expect("\0\12"s + "0123456789", {"message:0123456789"}, framing);
    expect("\0\13"s + "0123456789x", {"error"}, framing);
    framing.deliver_header = true;
    expect("\0\10"s + "01234567", {"message:\0\10"s + "01234567"}, framing);
    expect("\0\11"s + "012345678", {"error"}, framing);
    framing.length_adjust = 2;
    expect("\0\6"s + "01234567", {"message:\0\6"s + "01234567"}, framing);
    expect("\0\7"s + "012345678", {"error"}, framing);
}

TEST(TcpFraming, HugeLengthsDoNotOverflow) {
    for (int64_t adjust : {int64_t{0}, int64_t{7}, int64_t{-7}}) {
        for (bool deliver_header : {false, true}) {
            Framing framing = Framing::length_prefix(8, 1000);
            framing.length_adjust = adjust;
            framing.deliver_header = deliver_header;
            for (uint64_t back = 0; back < 20; ++back) {
                expect(length_bytes(~uint64_t{0} - back, 8, false) + "x", {"error"}, framing);
                expect(length_bytes((uint64_t{1} << 63) + 10 - back, 8, false) + "x", {"error"}, framing);
            }
        }
    }
}

TEST(TcpFraming, TooBigIsRefusedByTheHeaderBeforeAnyRoomIsAskedFor) {
    const Framing framing = Framing::length_prefix(4, 1000);
    Driver one = driver(framing);
    one.feed(length_bytes(1001, 4, false));
    EXPECT_EQ(one.trace(), Trace{"error"});
    EXPECT_EQ(one.rooms_given(), 0u);
    EXPECT_NE(one.receiver().error().find("1001"), std::string::npos);
    EXPECT_NE(one.receiver().error().find("1000"), std::string::npos);
}

TEST(TcpFraming, ALengthPrefixedMessageAsksOnceForExactlyItsSize) {
    for (bool deliver_header : {false, true}) {
        Framing framing = Framing::length_prefix(4);
        framing.deliver_header = deliver_header;
        Receiver receiver(framing);
        std::string start = length_bytes(5000, 4, false) + "abc", memory(5004, 0);
        const size_t whole = deliver_header ? 5004 : 5000;
        std::span<char> input(start);
        ASSERT_EQ(receiver.next(input), Event::kNeedRoom);
        ASSERT_EQ(receiver.next(input), Event::kNeedRoom) << "the receiver asks for room again";
        EXPECT_EQ(receiver.needed(), whole);
        EXPECT_EQ(receiver.filled_bytes(), 0u);
        receiver.grant({memory.data(), whole});
        ASSERT_EQ(receiver.next(input), Event::kNeedInput);
        ASSERT_EQ(receiver.window().size(), 4997u);
        std::fill_n(receiver.window().data(), 4997, 'x');
        receiver.filled(4997);
        ASSERT_EQ(receiver.next(), Event::kMessage);
        EXPECT_TRUE(receiver.in_room());
        EXPECT_EQ(std::string(receiver.message().data(), receiver.message().size()),
                  (deliver_header ? length_bytes(5000, 4, false) : "") + "abc" + std::string(4997, 'x'));
        EXPECT_EQ(receiver.take_room().data, memory.data());
        EXPECT_FALSE(receiver.room());
        EXPECT_FALSE(receiver.in_message());
    }
}

TEST(TcpFraming, AWholeLengthPrefixedMessageIsDeliveredInPlace) {
    for (bool deliver_header : {false, true}) {
        Framing framing = Framing::length_prefix(1);
        framing.deliver_header = deliver_header;
        Driver one = driver(framing);
        one.feed("\5hello\1x\0"s);
        EXPECT_EQ(one.in_place(), 3u);
        EXPECT_EQ(one.rooms_given(), 0u);
    }
}

// --- against the reference ---

TEST(TcpFraming, RandomStreamsRandomlyCutAsTheNaiveReference) {
    std::mt19937 random(5);
    const auto chance = [&](unsigned one_in) { return random() % one_in == 0; };
    size_t messages = 0, errors = 0;
    for (int round = 0; round < 12000; ++round) {
        Framing framing;
        std::string bytes;
        if (chance(2)) {
            std::string delimiter(1 + random() % 8, 0);
            for (char& c : delimiter) {
                c = chance(2) ? 'a' : 'b';
            }
            framing = Framing::line(delimiter, 1 + random() % 60);
            for (size_t size = random() % 400; size != 0; --size) {
                bytes += chance(12) ? delimiter : chance(2) ? "a" : "b";
            }
        } else {
            static constexpr uint32_t kWidths[] = {1, 2, 3, 4, 8};
            framing = Framing::length_prefix(kWidths[random() % 5], 60 + random() % 60);
            framing.length_offset = random() % 6;
            framing.little_endian = chance(2);
            framing.deliver_header = chance(2);
            framing.length_adjust = static_cast<int64_t>(random() % 30) - 15;
            for (size_t count = random() % 8; count != 0; --count) {
                bytes += std::string(framing.length_offset, 'o');
                const uint64_t length = random() % (chance(10) ? 200 : 50);
                bytes += length_bytes(length, framing.length_width, framing.little_endian);
                const int64_t body = static_cast<int64_t>(length) + framing.length_adjust;
                if (body > 0) bytes += std::string(static_cast<size_t>(body), 'b');
            }
            if (!bytes.empty() && chance(4)) bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        ASSERT_EQ(framing.validate(), "");
        const Trace expected = naive(bytes, framing);
        for (bool use_window : {false, true}) {
            Driver one = driver(framing, use_window);
            if (chance(2)) one.step = Framing::kMaxHeaderBytes + 1;
            std::string_view rest = bytes;
            while (!rest.empty()) {
                const size_t piece = std::min<size_t>(rest.size(), 1 + random() % (chance(2) ? 5 : 100));
                one.feed(rest.substr(0, piece));
                rest.remove_prefix(piece);
            }
            ASSERT_EQ(one.trace(), expected) << "round " << round << (use_window ? ", window" : ", input");
        }
        for (const std::string& line : expected) {
            (line == "error" ? errors : messages) += 1;
        }
    }
    EXPECT_GT(messages, 12000u) << "the reference was hardly put to use";
    EXPECT_GT(errors, 1000u);
}

// --- validation ---

TEST(TcpFraming, ValidFramings) {
    EXPECT_EQ(Framing::none().validate(), "");
    EXPECT_EQ(Framing::line("\r\n").validate(), "");
    EXPECT_EQ(Framing::line("12345678", 1).validate(), "");
    EXPECT_EQ(Framing::length_prefix(4, Framing::kMaxMessageBytes).validate(), "");
    Framing framing = Framing::length_prefix(8);
    framing.length_offset = 24;
    EXPECT_EQ(framing.validate(), "");
}

void expect_refused(const Framing& framing, std::string_view value, std::string_view allowed) {
    const std::string sentence = framing.validate();
    EXPECT_NE(sentence.find(value), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(allowed), std::string::npos) << sentence;
}

TEST(TcpFraming, IsAtRestBetweenMessagesOnly) {
    const Framing framing = Framing::length_prefix(2);
    Receiver receiver(framing);
    const auto next_after = [&](std::string bytes) {
        std::span<char> input(bytes);
        return receiver.next(input);
    };
    EXPECT_TRUE(receiver.at_rest());
    EXPECT_EQ(next_after("\0"s), Event::kNeedInput);
    EXPECT_FALSE(receiver.at_rest());
    EXPECT_EQ(next_after("\1x"s), Event::kMessage);
    EXPECT_EQ(next_after({}), Event::kNeedInput);
    EXPECT_TRUE(receiver.at_rest());
    EXPECT_EQ(next_after("\0\4x"s), Event::kNeedRoom);
    EXPECT_FALSE(receiver.at_rest());
}

TEST(TcpFraming, RefusedFramingsSayTheValueAndWhatIsAllowed) {
    expect_refused(Framing::none(0), "is 0 bytes", "1 to ");
    expect_refused(Framing::none(Framing::kMaxMessageBytes + 1), "1099511627777", "1 to 1099511627776");
    expect_refused(Framing::line(""), "has 0 bytes", "1 to 8");
    expect_refused(Framing::line("123456789"), "has 9 bytes", "1 to 8");
    for (uint32_t width : {0, 5, 6, 7, 9, 16}) {
        expect_refused(Framing::length_prefix(width), std::to_string(width) + " bytes wide",
                       "1, 2, 3, 4 and 8");
    }
    Framing framing = Framing::length_prefix(8);
    framing.length_offset = 25;
    expect_refused(framing, "byte 33", "at most 32");
    framing.length_offset = ~uint32_t{0};
    expect_refused(framing, "byte 4294967303", "at most 32");
    framing = Framing::length_prefix(4);
    framing.length_adjust = INT64_MIN;
    expect_refused(framing, "-9223372036854775808", "-1099511627776 to 1099511627776");
    framing.length_adjust = 100;
    framing.max_message_bytes = 99;
    expect_refused(framing, "has 100 bytes", "is 99");
    framing.max_message_bytes = 103;
    framing.deliver_header = true;
    expect_refused(framing, "has 104 bytes", "is 103");
}

}  // namespace
}  // namespace sluice::tcp
