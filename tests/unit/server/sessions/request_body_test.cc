#include "server/sessions/request_body.h"

#include "request_body_driver.h"

namespace sluice::test {
namespace {

// -- Into memory and files

TEST_F(RequestBodyTest, UpToTheThresholdItStaysInMemory) {
    start();
    Client client(address_);
    const std::string body = some_bytes(100'000);
    for (const std::string& text :
         {head(body.size()) + body, std::string(kChunkedHead) + chunked(body, 777)}) {
        send(client, text);
        auto request = next();
        EXPECT_FALSE(request.file);
        EXPECT_TRUE(request.payload == body);
        respond(request, "");
        ASSERT_TRUE(answered(client, "200 OK"));
        client.take();
    }
}

TEST_F(RequestBodyTest, AboveItItGoesToAFile) {
    start();
    Client client(address_);
    const std::string body = some_bytes(100'001);
    for (const std::string& text : {head(body.size()) + body, std::string(kChunkedHead) + chunked(body, 777),
                                    std::string(kChunkedHead) + chunked(body, 1u << 20)}) {
        send(client, text);
        auto request = next();
        ASSERT_TRUE(request.file);
        EXPECT_EQ(request.payload, "");
        EXPECT_TRUE(contents(*request.file) == body);
        EXPECT_EQ(transport_.rooms(), 0u);
        respond(request, "");
        ASSERT_TRUE(answered(client, "200 OK"));
        client.take();
    }
    EXPECT_EQ(reactor_->host().temporary_files().used_bytes(), 0u);
}

TEST_F(RequestBodyTest, AFileMayBeLongerThanATurnTakes) {
    start();
    Client client(address_);
    const std::string body = some_bytes(18u << 20);
    send(client, head(body.size()) + body + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
    auto request = next();
    ASSERT_TRUE(request.file);
    EXPECT_TRUE(contents(*request.file) == body);
    respond(request, "");
    EXPECT_EQ(next().head.substr(0, 9), "GET /next");
}

TEST_F(RequestBodyTest, AFileWaitsForAWorkerThatCanTakeIt) {
    start();
    transport_.taking_files = false;
    Client client(address_);
    const std::string body = some_bytes(200'000);
    send(client, head(body.size()) + body);
    EXPECT_TRUE(nothing_comes());
    transport_.taking_files = true;
    auto request = next();
    ASSERT_TRUE(request.file);
    EXPECT_EQ(request.request, 1u);
    respond(request, "");
    EXPECT_TRUE(answered(client, "200 OK"));
}

TEST_F(RequestBodyTest, WithoutFilesItStaysInMemory) {
    limits_.temporary_file_bytes = 0;
    start();
    Client client(address_);
    const std::string body = some_bytes(200'000);
    send(client, head(body.size()) + body);
    const auto request = next();
    EXPECT_FALSE(request.file);
    EXPECT_TRUE(request.payload == body);
}

TEST_F(RequestBodyTest, FullFilesAreAnsweredWith503) {
    limits_.temporary_file_bytes = 8u << 20;
    start();
    Client first(address_), second(address_), third(address_);
    send(first, head(7u << 20) + some_bytes(6'500'000));
    EXPECT_TRUE(until([&] { return reactor_->host().temporary_files().used_bytes() >= 6'500'000; }));
    send(second, head(2u << 20) + "x");
    EXPECT_TRUE(answered(second, "503 Service Unavailable"));
    EXPECT_TRUE(answered(second, "temporaryFileBytes"));
    send(third, head((7u << 20) + 1) + "x");
    EXPECT_TRUE(answered(third, "413 ")) << "a body that could never fit is refused for good";
    first.reset();
    EXPECT_TRUE(until([&] { return reactor_->host().temporary_files().used_bytes() == 0; }))
        << "a client that leaves takes its file with it";
    Client fourth(address_);
    const std::string body = some_bytes(7u << 20);
    send(fourth, head(body.size()) + body);
    EXPECT_TRUE(next().file);
}

TEST_F(RequestBodyTest, AChunkedBodyThatFindsNoMoreRoomIsAnsweredWith503) {
    limits_.temporary_file_bytes = 1u << 20;
    start();
    Client client(address_);
    send(client, std::string(kChunkedHead) + chunked(some_bytes(1'100'000), 5000));
    EXPECT_TRUE(answered(client, "503 Service Unavailable"));
    EXPECT_TRUE(until([&] { return reactor_->host().temporary_files().used_bytes() == 0; }));
}

TEST_F(RequestBodyTest, OverTheLimitItIsRefused) {
    protocols_.http.body_bytes = 200'000;
    start();
    Client known(address_), unknown(address_);
    send(known, head(200'001) + "x");
    EXPECT_TRUE(answered(known, "413 "));
    send(unknown, std::string(kChunkedHead) + chunked(some_bytes(200'001), 5000));
    EXPECT_TRUE(answered(unknown, "413 "));
}

TEST_F(RequestBodyTest, ADrippingBodyIsAnsweredWith408) {
    protocols_.http.body_ms = 300;
    protocols_.http.body_bytes_per_second = 1u << 30;
    start();
    Client client(address_);
    send(client, head(200'000));
    int turns = 0;
    EXPECT_TRUE(until([&] {
        // Each event moves the deadline by a millisecond at least: a client that sends every tenth turn is
        // behind.
        if (++turns % 10 == 0) client.send_some("x");
        return !client.received().empty();
    }));
    EXPECT_TRUE(answered(client, "408 Request Timeout"));
}

TEST_F(RequestBodyTest, WithoutALeastRateItMayDrip) {
    protocols_.http.body_ms = 4000;
    protocols_.http.body_bytes_per_second = 0;
    start();
    Client client(address_);
    std::string body = some_bytes(40);
    send(client, head(body.size()));
    for (const char& c : body) {
        send(client, {&c, 1});
        settle();
    }
    EXPECT_EQ(next().payload, body);
}

// -- By append(), for a protocol whose bytes come in pieces

TEST_F(RequestBodyTest, PiecesOfUnknownLengthMoveFromTheHeapToAnExtentToAFile) {
    start();
    settle();  // each turn allows some bytes to be written to files
    const std::string body = some_bytes(150'000);
    for (size_t end : {size_t{4000}, size_t{90'000}, body.size()}) {
        RequestBody taken;
        taken.begin(http::kNoLength, protocols_.http, 7);
        for (size_t at = 0; at < end; at += 1000) {
            std::span<const char> piece = std::string_view(body).substr(at, 1000);
            ASSERT_EQ(taken.append(reactor_->host(), kNoConnection, piece), RequestBody::Taken::kAll);
            ASSERT_TRUE(piece.empty());
        }
        if (end == body.size()) {
            ASSERT_TRUE(taken.file());
            EXPECT_TRUE(contents(*taken.file()) == body);
        } else {
            ASSERT_EQ(taken.room_bytes(), end);
            EXPECT_EQ(std::string(taken.room().room().data, end), body.substr(0, end));
            EXPECT_EQ(static_cast<bool>(taken.room().deliverable()), end >= kExtentThreshold);
        }
        taken.release(reactor_->host());
    }
}

TEST_F(RequestBodyTest, PiecesOfKnownLengthGetTheirRoomAtOnce) {
    start();
    RequestBody taken;
    taken.begin(50'000, protocols_.http, 7);
    const std::string body = some_bytes(50'000);
    for (size_t at = 0; at < body.size(); at += 10'000) {
        std::span<const char> piece = std::string_view(body).substr(at, 10'000);
        ASSERT_EQ(taken.append(reactor_->host(), kNoConnection, piece), RequestBody::Taken::kAll);
        EXPECT_EQ(taken.room().room().size, 50'000u);
    }
    taken.release(reactor_->host());
    RequestBody waiting;
    waiting.begin(50'000, protocols_.http, 7);
    transport_.room_limit = 0;
    std::span<const char> piece = std::string_view(body).substr(0, 10'000);
    EXPECT_EQ(waiting.append(reactor_->host(), kNoConnection, piece), RequestBody::Taken::kWait);
    EXPECT_EQ(piece.size(), 10'000u);
    waiting.release(reactor_->host());
}

}  // namespace
}  // namespace sluice::test
