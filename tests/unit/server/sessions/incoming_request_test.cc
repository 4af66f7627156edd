#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>

#include "http_driver.h"

namespace sluice {
namespace {

using test::Client;
using test::without_date;

using IncomingRequestTest = test::HttpTest;

TEST_F(IncomingRequestTest, ABigBodyIsReceivedIntoItsRoom) {
    start();
    Client client(address_);
    std::string body(1'000'000, '\0');
    for (size_t i = 0; i < body.size(); ++i)
        body[i] = static_cast<char>(i * 7 + i / 251);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + body +
                     "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    EXPECT_TRUE(request.in_extent);
    EXPECT_TRUE(request.payload == body);
    respond(request, body, true);
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + body);
    EXPECT_EQ(next().head.substr(0, 9), "GET /next");
}

TEST_F(IncomingRequestTest, AChunkedBody) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    settle();
    std::string body;
    for (int i = 0; i < 30; ++i) {
        const std::string chunk(1000, static_cast<char>('a' + i % 26));
        send(client, "3e8\r\n" + chunk + "\r\n");
        body += chunk;
        settle();
    }
    send(client, "0\r\n\r\n");
    const auto request = next();
    EXPECT_TRUE(request.payload == body);
    respond(request, "ok");
    answer(client);
}

TEST_F(IncomingRequestTest, WithoutRoomItWaitsAndGoesOn) {
    start();
    Client client(address_);
    transport_.room_limit = 0;
    const std::string body(200'000, 'x');
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + body.substr(0, 1000));
    EXPECT_TRUE(nothing_comes());
    transport_.room_limit = 2;  // the body is moved from one room to the next
    send(client, body.substr(1000));
    const auto request = next();
    EXPECT_TRUE(request.payload == body);
    respond(request, "ok");
    answer(client);
}

TEST_F(IncomingRequestTest, WithoutRoomABodyThatCameWholeIsNotMixedUp) {
    // The body comes in one piece after its head: it stands in place in what was received, which does not
    // stay.
    start();
    Client first(address_), second(address_);
    transport_.room_limit = 0;
    const std::string body(20'000, 'x');
    send(first, "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
    settle();
    send(first, body);
    EXPECT_TRUE(nothing_comes());
    send(second, "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n" + std::string(5000, 'y'));
    EXPECT_EQ(next().payload, std::string(5000, 'y'));
    transport_.room_limit = SIZE_MAX;
    const auto request = next();
    EXPECT_EQ(request.payload.size(), body.size());
    EXPECT_TRUE(request.payload == body);
}

TEST_F(IncomingRequestTest, WithoutAWorkerABodyThatCameWholeIsNotMixedUp) {
    for (size_t size : {500, 20'000}) {
        SCOPED_TRACE(size);
        transport_.accepting = true;
        start();
        Client first(address_), second(address_);
        const std::string body(size, 'x');
        send(first,
             "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n");
        settle();
        transport_.accepting = false;
        send(first, body);
        EXPECT_TRUE(nothing_comes());
        send(second,
             "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n" + std::string(30'000, 'y'));
        settle();
        transport_.accepting = true;
        std::string payloads[2];
        for (int i = 0; i < 2; ++i) {
            const auto request = next();
            payloads[request.head.find("/second") != std::string::npos] = request.payload;
        }
        EXPECT_TRUE(payloads[0] == body);
        EXPECT_TRUE(payloads[1] == std::string(30'000, 'y'));
    }
}

TEST_F(IncomingRequestTest, ABodyOverTheLimitIsRefused) {
    protocols_.http.body_bytes = 100;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n");
    EXPECT_TRUE(ends(client)) << "the announced length alone is refused";
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 413");
}

TEST_F(IncomingRequestTest, ABodyOverTheLimitIsRefusedToThoseWhoAsk) {
    protocols_.http.body_bytes = 100;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 413");
}

TEST_F(IncomingRequestTest, ContinueIsSaidToThoseWhoWait) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    expect_received(client, "HTTP/1.1 100 Continue\r\n\r\n");
    send(client, "ab");
    EXPECT_EQ(next().payload, "ab");
}

TEST_F(IncomingRequestTest, ABodyThatStopsIsAnsweredWith408) {
    protocols_.http.body_ms = 30;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 408");
    client.shut();
    EXPECT_TRUE(is_empty());
    EXPECT_EQ(transport_.rooms(), 0u);
}

TEST_F(IncomingRequestTest, ABodyThatComesSlowlyIsReceived) {
    // The deadline is for the next bytes, not for the whole body.
    protocols_.http.body_ms = 200;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
    const uint64_t began_ms = monotonic_ms();
    size_t sent = 0;
    until([&] {
        const size_t due = std::min<size_t>((monotonic_ms() - began_ms) * 20'000 / 700, 20'000);
        if (due > sent) sent += client.send_some(std::string(due - sent, 'x'));
        return sent == 20'000 || client.ended();
    });
    EXPECT_EQ(client.take(), "");
    EXPECT_EQ(next().payload, std::string(20'000, 'x'));
}

}  // namespace
}  // namespace sluice
