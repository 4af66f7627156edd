#include "protocol/http/http1_body.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::http1 {
namespace {

using Event = BodyReceiver::Event;

http::RequestHead with_length(uint64_t length) {
    http::RequestHead head;
    head.content_length = length;
    head.has_body = length != 0;
    return head;
}

http::RequestHead with_chunks() {
    http::RequestHead head;
    head.chunked = head.has_body = true;
    return head;
}

/// A caller as the contract describes one. It gives bytes to next(), or receives them into the window if that
/// may be used.
class Driver {
  public:
    Driver(const http::RequestHead& head, uint64_t max_body_bytes, bool use_window)
        : use_window_(use_window) {
        receiver.begin(head, max_body_bytes);
    }

    /// Receives `text` at once; returns the event that stays.
    Event feed(std::string_view text) {
        Event event = Event::kNeedInput;
        while (use_window_ && !text.empty() && !receiver.window().empty()) {
            const std::span<char> window = receiver.window();
            const size_t size = std::min(window.size(), text.size());
            memcpy(window.data(), text.data(), size);
            receiver.filled(size);
            windowed_bytes += size;
            text.remove_prefix(size);
            event = next({});
            if (event != Event::kNeedInput) break;
        }
        if (event != Event::kNeedInput) {
            rest += text;
            return event;
        }
        // The input is a heap block of exactly its size, so that the sanitiser sees a read past the end.
        inputs_.push_back(std::make_unique<std::vector<char>>(text.begin(), text.end()));
        event = next(*inputs_.back());
        return event;
    }

    Event next(std::span<char> input) {
        while (true) {
            const Event event = receiver.next(input);
            EXPECT_TRUE(event != Event::kNeedInput || input.empty());
            if (event == Event::kMessage) rest.assign(input.begin(), input.end());
            if (event != Event::kNeedRoom) return event;
            if (++rooms > 64) {
                ADD_FAILURE() << "the receiver asks for room for ever";
                return Event::kError;
            }
            // A receiver that gets no room repeats its wish and takes nothing.
            const size_t left = input.size();
            EXPECT_EQ(receiver.next(input), Event::kNeedRoom);
            EXPECT_EQ(input.size(), left);
            EXPECT_TRUE(left != 0 || (room_ && room_->size() == receiver.filled_bytes()));
            needed.push_back(receiver.needed());
            const size_t enough = step == SIZE_MAX ? step : receiver.filled_bytes() + step;
            auto memory = std::make_unique<std::vector<char>>(std::min(receiver.needed(), enough));
            if (receiver.filled_bytes() != 0) {
                memcpy(memory->data(), receiver.room().data, receiver.filled_bytes());
            }
            room_ = std::move(memory);
            receiver.grant({room_->data(), room_->size()});
        }
    }

    std::string message() const { return {receiver.message().begin(), receiver.message().end()}; }

    BodyReceiver receiver;
    std::string rest;
    std::vector<size_t> needed;
    size_t windowed_bytes = 0;
    size_t step = SIZE_MAX;  ///< how much longer than what it has a room may be
    int rooms = 0;

  private:
    bool use_window_;
    std::unique_ptr<std::vector<char>> room_;
    std::vector<std::unique_ptr<std::vector<char>>> inputs_;
};

struct Result {
    Event event = Event::kNeedInput;
    uint16_t status = 0;
    std::string reason;
    std::string message;
    std::string rest;
    bool operator==(const Result&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Result& r) {
    return out << "event " << static_cast<int>(r.event) << ", " << r.status << ' ' << r.reason
               << ", message '" << r.message << "', rest '" << r.rest << "'";
}

Result run(const http::RequestHead& head, uint64_t max, bool use_window, std::string_view text,
           std::vector<size_t> ends) {
    Driver driver(head, max, use_window);
    Result result;
    ends.push_back(text.size());
    size_t start = 0;
    for (size_t end : ends) {
        result.event = driver.feed(text.substr(start, end - start));
        start = end;
        if (result.event != Event::kNeedInput) break;
    }
    if (result.event == Event::kMessage) {
        result.message = driver.message();
        result.rest = driver.rest + std::string(text.substr(start));
        EXPECT_EQ(driver.receiver.received_bytes(), result.message.size());
        std::span<char> nothing;
        EXPECT_EQ(driver.receiver.next(nothing), Event::kMessage);
        EXPECT_TRUE(driver.receiver.window().empty());
    }
    result.status = driver.receiver.error().status;
    result.reason = driver.receiver.error().reason;
    return result;
}

/// Receives `text` in one piece, in two and three pieces cut at every place, and byte by byte; with and
/// without the window.
Result receive(const http::RequestHead& head, std::string_view text, uint64_t max = 1 << 20) {
    const Result whole = run(head, max, false, text, {});
    std::vector<size_t> every;
    for (size_t i = 1; i < text.size(); ++i)
        every.push_back(i);
    for (bool use_window : {false, true}) {
        EXPECT_EQ(run(head, max, use_window, text, every), whole) << text.substr(0, 200);
        if (text.size() > 2000) continue;
        for (size_t at = 0; at <= text.size(); ++at) {
            const Result split = run(head, max, use_window, text, {at});
            EXPECT_EQ(split, whole) << text << " split at " << at;
            if (split != whole) return whole;
            if (text.size() > 80) continue;
            for (size_t second = at; second <= text.size(); ++second) {
                EXPECT_EQ(run(head, max, use_window, text, {at, second}), whole)
                    << text << at << ' ' << second;
            }
        }
    }
    return whole;
}

void accept_chunks(std::string_view text, std::string_view body, std::string_view rest = "") {
    const Result r = receive(with_chunks(), std::string(text) + std::string(rest));
    EXPECT_EQ(r.event, Event::kMessage) << text << r;
    EXPECT_EQ(r.message, body);
    EXPECT_EQ(r.rest, rest);
    // Without its last byte the body is not complete.
    EXPECT_EQ(run(with_chunks(), 1 << 20, true, text.substr(0, text.size() - 1), {}).event,
              Event::kNeedInput);
}

void refuse_chunks(std::string_view text, uint16_t status = 400, uint64_t max = 1 << 20) {
    const Result r = receive(with_chunks(), text, max);
    EXPECT_EQ(r.event, Event::kError) << text.substr(0, 200) << r;
    EXPECT_EQ(r.status, status) << text.substr(0, 200) << r;
}

TEST(Http1Body, Rfc9112_6_3_NoBodyIsAnEmptyMessage) {
    EXPECT_EQ(receive(with_length(0), "GET /").rest, "GET /");
    http::RequestHead none;
    const Result r = receive(none, "GET /");
    EXPECT_EQ(r.event, Event::kMessage);
    EXPECT_EQ(r.message, "");
    EXPECT_EQ(r.rest, "GET /");
}

TEST(Http1Body, Rfc9112_6_3_ContentLengthSaysWhereTheBodyEnds) {
    for (const char* rest : {"", "GET / HTTP/1.1"}) {
        const Result r = receive(with_length(10), std::string("helloworld") + rest);
        EXPECT_EQ(r.event, Event::kMessage);
        EXPECT_EQ(r.message, "helloworld");
        EXPECT_EQ(r.rest, rest);
    }
    EXPECT_EQ(receive(with_length(11), "helloworld").event, Event::kNeedInput);
}

TEST(Http1Body, WholeBodyInTheInputIsDeliveredInPlace) {
    std::string text = "hello+next";
    BodyReceiver receiver;
    receiver.begin(with_length(5), 5);
    std::span<char> input = text;
    ASSERT_EQ(receiver.next(input), Event::kMessage);
    EXPECT_FALSE(receiver.in_room());
    EXPECT_EQ(receiver.message().data(), text.data());
    EXPECT_EQ(receiver.message().size(), 5u);
    EXPECT_EQ(input.data(), text.data() + 5);
    EXPECT_FALSE(receiver.room());
}

TEST(Http1Body, RoomForAKnownLengthIsAskedForOnceAndExactly) {
    Driver driver(with_length(10), 10, true);
    // An announced length alone costs no memory.
    EXPECT_EQ(driver.feed(""), Event::kNeedInput);
    EXPECT_TRUE(driver.receiver.window().empty());
    EXPECT_EQ(driver.feed("he"), Event::kNeedInput);
    EXPECT_EQ(driver.needed, std::vector<size_t>{10});
    EXPECT_EQ(driver.receiver.filled_bytes(), 2u);
    EXPECT_EQ(driver.receiver.received_bytes(), 2u);
    EXPECT_EQ(driver.receiver.window().size(), 8u);
    EXPECT_EQ(driver.feed("llo"), Event::kNeedInput);
    EXPECT_EQ(driver.receiver.window().size(), 5u);
    EXPECT_EQ(driver.feed("worldGET"), Event::kMessage);
    EXPECT_EQ(driver.windowed_bytes, 8u);
    EXPECT_EQ(driver.rooms, 1);
    EXPECT_TRUE(driver.receiver.in_room());
    EXPECT_EQ(driver.message(), "helloworld");
    EXPECT_EQ(driver.rest, "GET");
}

TEST(Http1Body, ALargerRoomThanWantedDoesNotWidenTheWindow) {
    std::vector<char> memory(100);
    BodyReceiver receiver;
    std::string text = "he";
    std::span<char> input = text;
    receiver.begin(with_length(10), 10);
    ASSERT_EQ(receiver.next(input), Event::kNeedRoom);
    receiver.grant({memory.data(), memory.size()});
    ASSERT_EQ(receiver.next(input), Event::kNeedInput);
    EXPECT_EQ(receiver.window().data(), memory.data() + 2);
    EXPECT_EQ(receiver.window().size(), 8u);
}

TEST(Http1Body, BeginForgetsTheBodyBefore) {
    Driver driver(with_length(4), 10, false);
    EXPECT_EQ(driver.feed("ab"), Event::kNeedInput);
    EXPECT_EQ(driver.feed("cd"), Event::kMessage);
    driver.receiver.begin(with_chunks(), 10);
    EXPECT_FALSE(driver.receiver.room());
    EXPECT_EQ(driver.receiver.received_bytes(), 0u);
    EXPECT_EQ(driver.feed("3\r\nxyz\r\n0\r\n\r\n"), Event::kMessage);
    EXPECT_EQ(driver.message(), "xyz");
    driver.receiver.begin(with_length(11), 10);
    EXPECT_EQ(driver.feed("x"), Event::kError);
    driver.receiver.begin(with_length(1), 10);
    EXPECT_FALSE(driver.receiver.error());
    EXPECT_EQ(driver.feed("x"), Event::kMessage);
}

TEST(Http1Body, Rfc9110_15_5_14_LimitOfAKnownLength) {
    EXPECT_EQ(receive(with_length(5), "hello", 5).event, Event::kMessage);
    const Result r = receive(with_length(6), "hello!", 5);
    EXPECT_EQ(r.event, Event::kError);
    EXPECT_EQ(r.status, 413);
    BodyReceiver receiver;
    receiver.begin(with_length(INT64_MAX), 5);
    EXPECT_EQ(receiver.next(), Event::kError) << "the length alone is refused, before any byte of the body";
    EXPECT_TRUE(receiver.window().empty());
    EXPECT_EQ(receiver.error().status, 413);
}

TEST(Http1Body, Rfc9110_15_5_14_LimitOfAChunkedBody) {
    EXPECT_EQ(receive(with_chunks(), "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", 5).message, "abcde");
    refuse_chunks("3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n", 413, 5);
    refuse_chunks("6\r\n", 413, 5);
    refuse_chunks("1\r\n", 413, 0);
    refuse_chunks("FFFFFFFFFFFFFFFF\r\n", 413);
    refuse_chunks("1\r\na\r\nFFFFFFFFFFFFFFFF\r\n", 413);
    EXPECT_EQ(receive(with_chunks(), "0\r\n\r\n", 0).event, Event::kMessage);
}

TEST(Http1Body, Rfc9112_7_1_Chunks) {
    accept_chunks("0\r\n\r\n", "");
    accept_chunks("5\r\nhello\r\n0\r\n\r\n", "hello", "GET / HTTP/1.1\r\n");
    accept_chunks("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world", "x");
    accept_chunks("a\r\n0123456789\r\nA\r\n0123456789\r\n000\r\n\r\n", "01234567890123456789");
    accept_chunks("0000000000000001\r\nx\r\n0\r\n\r\n", "x");
    accept_chunks("4\r\n\r\n0\r\r\n0\r\n\r\n", "\r\n0\r");
}

TEST(Http1Body, Rfc9112_7_1_ChunkSizeIsHexadecimalAlone) {
    for (const char* size : {"", "0x5", "+5", "-5", " 5", "\t5", "5 ", "5\t", "1_0", "g", "5h", "5,5",
                             "\"5\"", "5\v", "00000000000000005", "FFFFFFFFFFFFFFFF0", "\xd9\xa5"}) {
        refuse_chunks(std::string(size) + "\r\nhello\r\n0\r\n\r\n");
    }
}

TEST(Http1Body, Rfc9112_7_1_ChunkLinesEndWithCrLf) {
    refuse_chunks("5\nhello\r\n0\r\n\r\n");
    refuse_chunks("5\rhello\r\n0\r\n\r\n");
    refuse_chunks("5\r\r\nhello\r\n0\r\n\r\n");
    refuse_chunks("5\r\nhello\n0\r\n\r\n");
    refuse_chunks("5\r\nhello\r0\r\n\r\n");
    refuse_chunks("5\r\nhello0\r\n\r\n");
    refuse_chunks("5\r\nhello!!\r\n0\r\n\r\n");
    refuse_chunks("5\r\nhello\r\n0\n\r\n");
    refuse_chunks("5\r\nhello\r\n0\r\n\n");
    refuse_chunks("5\r\nhello\r\n0\r\n\rx");
    refuse_chunks("5\r\nhello\r\n\r\n0\r\n\r\n");
}

TEST(Http1Body, Rfc9112_7_1_1_Extensions) {
    for (const char* extension : {";a", ";a=b", ";a=\"b\"", ";a=\"\"", ";a=\"x\\\"y;,\"", ";a;b;c=d",
                                  " ; a = b ; c", "\t;a", ";a=\"\xc3\xa9\t\" ;b"}) {
        accept_chunks("2" + std::string(extension) + "\r\nhi\r\n0\r\n\r\n", "hi");
        accept_chunks("2\r\nhi\r\n0" + std::string(extension) + "\r\n\r\n", "hi");
    }
    for (const char* extension : {";",           ";;a",    ";a;",  ";=b",    ";a=",         ";a= ",
                                  ";a ",         ";a=b ",  " a",   ";a b",   ";a=b c",      ";a=b =c",
                                  ";a=\"b\" =c", ";[",     ";a=[", ";a=\"b", ";a=\"b\"c",   ";a=\"b\\",
                                  ";a=\"\x01\"", ";a\x7f", ";a\n", ";a\rb",  ";a=\"\r\n\"", ";\xc3\xa9"}) {
        refuse_chunks("2" + std::string(extension) + "\r\nhi\r\n0\r\n\r\n");
    }
    refuse_chunks(std::string("2;a\0b\r\nhi\r\n0\r\n\r\n", 16));
}

TEST(Http1Body, LimitOfExtensionBytesInAllChunks) {
    const std::string half = "1;" + std::string(BodyReceiver::kMaxExtensionBytes / 2 - 1, 'e') + "\r\nx\r\n";
    accept_chunks(half + half + "0\r\n\r\n", "xx");
    refuse_chunks(half + half + "0;\r\n\r\n");
    refuse_chunks("1;" + std::string(BodyReceiver::kMaxExtensionBytes, 'e'));
}

TEST(Http1Body, Rfc9112_7_1_2_TrailersAreCheckedAndDropped) {
    accept_chunks("2\r\nhi\r\n0\r\nX-Sum: abc\r\nServer-Timing:\r\n\r\n", "hi", "GET");
    accept_chunks("0\r\nX: \xc3\xa9\t \r\n\r\n", "");
    accept_chunks("0\r\nA-Name-Longer-Than-What-Is-Kept-Of-It: x\r\n\r\n", "");
    for (const char* line :
         {"X : a", " X: a", ": a", "X", "X\r", "X: a\rb", "X: \x01", "X[: a", "X: a\r\n b"}) {
        refuse_chunks("0\r\n" + std::string(line) + "\r\n\r\n");
    }
    refuse_chunks("0\r\nX: a\n\r\n");
    refuse_chunks("0\r\nX: a\r\n\n");
}

TEST(Http1Body, Rfc9110_6_5_1_TrailersCannotFrameOrRoute) {
    for (const char* name :
         {"Content-Length", "transfer-encoding", "HOST", "Authorization", "Content-Type"}) {
        refuse_chunks("0\r\n" + std::string(name) + ": 1\r\n\r\n");
        accept_chunks("0\r\n" + std::string(name) + "s: 1\r\n\r\n", "");
    }
}

TEST(Http1Body, LimitsOfTrailers) {
    std::string lines;
    for (int i = 0; i < BodyReceiver::kMaxTrailerFields; ++i)
        lines += "X: y\r\n";
    accept_chunks("0\r\n" + lines + "\r\n", "");
    refuse_chunks("0\r\n" + lines + "X: y\r\n\r\n", 431);
    const std::string longest = "X:" + std::string(BodyReceiver::kMaxTrailerBytes - 4, 'v') + "\r\n";
    accept_chunks("0\r\n" + longest + "\r\n", "");
    refuse_chunks("0\r\nX" + longest + "\r\n", 431);
}

TEST(Http1Body, RoomForChunksGrowsGeometrically) {
    std::string text;
    std::string body;
    for (int i = 0; i < 2000; ++i) {
        const std::string piece(100, static_cast<char>('a' + i % 26));
        text += "64\r\n" + piece + "\r\n";
        body += piece;
    }
    text += "0\r\n\r\n";
    Driver driver(with_chunks(), 300000, true);
    EXPECT_EQ(driver.feed(text), Event::kMessage);
    EXPECT_EQ(driver.message(), body);
    EXPECT_EQ(driver.needed, (std::vector<size_t>{4096, 8192, 16384, 32768, 65536, 131072, 262144}));
    accept_chunks(text, body);
    // The receiver never asks for more than a body may have.
    Driver tight(with_chunks(), body.size(), true);
    EXPECT_EQ(tight.feed(text), Event::kMessage);
    EXPECT_EQ(tight.needed.back(), body.size());
    Driver tiny(with_chunks(), 10, true);
    EXPECT_EQ(tiny.feed("1\r\nx\r\n0\r\n\r\n"), Event::kMessage);
    EXPECT_EQ(tiny.needed, std::vector<size_t>{10});
}

TEST(Http1Body, TheWindowCoversTheRestOfTheChunkOnly) {
    Driver driver(with_chunks(), 1 << 20, true);
    EXPECT_EQ(driver.feed("a\r\n"), Event::kNeedInput);
    EXPECT_TRUE(driver.receiver.window().empty());
    EXPECT_TRUE(driver.needed.empty());
    EXPECT_EQ(driver.feed("hel"), Event::kNeedInput);
    EXPECT_EQ(driver.receiver.window().size(), 7u);
    EXPECT_EQ(driver.feed("loworld"), Event::kNeedInput);
    EXPECT_EQ(driver.windowed_bytes, 7u);
    EXPECT_TRUE(driver.receiver.window().empty());
    EXPECT_EQ(driver.feed("\r\n5\r\n"), Event::kNeedInput);
    EXPECT_EQ(driver.receiver.window().size(), 5u);
    EXPECT_EQ(driver.feed("12345\r\n1000"), Event::kNeedInput);
    EXPECT_EQ(driver.windowed_bytes, 12u);
    // The room that is left is smaller than this chunk, and is filled first.
    EXPECT_EQ(driver.feed("\r\n"), Event::kNeedInput);
    EXPECT_EQ(driver.receiver.window().size(), 4081u);
    EXPECT_EQ(driver.feed("x"), Event::kNeedInput);
    EXPECT_EQ(driver.needed, (std::vector<size_t>{4096}));
    EXPECT_EQ(driver.feed(std::string(4080, 'y')), Event::kNeedInput);
    EXPECT_EQ(driver.needed, (std::vector<size_t>{4096, 8192}));
    EXPECT_EQ(driver.receiver.window().size(), 15u);
    EXPECT_EQ(driver.feed(std::string(15, 'y') + "\r\n0\r\n\r\n"), Event::kMessage);
    EXPECT_EQ(driver.message(), "helloworld12345x" + std::string(4095, 'y'));
}

TEST(Http1Body, LessRoomThanItNeedsIsFilledFirst) {
    const std::string body(1000, 'b');
    for (const bool use_window : {false, true}) {
        http::RequestHead head;
        head.has_body = true;
        head.content_length = body.size();
        Driver driver(head, 1 << 20, use_window);
        driver.step = 100;
        EXPECT_EQ(driver.feed("b"), Event::kNeedInput);
        EXPECT_EQ(driver.receiver.window().size(), 99u);
        EXPECT_EQ(driver.feed(std::string(99, 'b')), Event::kNeedInput)
            << "the room was full, and more was given";
        EXPECT_EQ(driver.receiver.window().size(), 100u);
        EXPECT_EQ(driver.feed(std::string(900, 'b') + "next"), Event::kMessage);
        EXPECT_EQ(driver.message(), body);
        EXPECT_EQ(driver.rest, "next");
        EXPECT_EQ(driver.rooms, 10);
    }
}

TEST(Http1Body, AnErrorStays) {
    Driver driver(with_chunks(), 100, false);
    EXPECT_EQ(driver.feed("x"), Event::kError);
    EXPECT_EQ(driver.feed("5\r\nhello\r\n0\r\n\r\n"), Event::kError);
    EXPECT_EQ(driver.receiver.error().status, 400);
}

}  // namespace
}  // namespace sluice::http1
