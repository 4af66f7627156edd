// What RFC 9112 and RFC 9110 demand of a whole connection rather than of one parser; docs/conformance.md
// names each rule.
#include <gtest/gtest.h>
#include <string>

#include "reactor_driver.h"

namespace sluice {
namespace {

using test::Client;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

class Http1Conformance : public test::ReactorTest {
  protected:
    /// All bytes that come until the server closes the connection.
    std::string rest_of(Client& client) {
        EXPECT_TRUE(ends(client)) << client.received();
        return client.take();
    }
    /// The head of an answer after which the connection stays open.
    std::string head_of(Client& client) {
        EXPECT_TRUE(until([&] { return client.received().find("\r\n\r\n") != std::string::npos; }));
        const std::string text = client.received();
        return client.take(text.find("\r\n\r\n") + 4);
    }
    Command status(const test::FakeTransport::Delivered& request, uint16_t code,
                   std::string_view fields = {}) {
        const command::Respond response{.request = request.request, .status = code, .fields = fields};
        return {.what = response, .connection = request.connection};
    }
};

TEST_F(Http1Conformance, Rfc9112_2_1_ABodyIsBytesAndNotText) {
    start();
    Client client(address_);
    std::string body;
    for (int i = 0; i < 256; ++i)
        body += static_cast<char>(i);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 256\r\n\r\n" + body);
    EXPECT_EQ(next().payload, body);
}

TEST_F(Http1Conformance, Rfc9112_2_2_AnEmptyLineBeforeARequestIsPassedOver) {
    start();
    Client client(address_);
    send(client, "\r\n" + std::string(kGet));
    respond(next(), "one");
    send(client, "\r\n" + std::string(kGet));
    respond(next(), "two");
    expect_received(client, "HTTP/1.1 200 OK\r\n");
}

TEST_F(Http1Conformance, Rfc9112_2_3_AnswersHaveTheServersVersion) {
    start();
    for (const char* version : {"1.0", "1.1", "1.7"}) {
        Client client(address_);
        send(client, std::string("GET / HTTP/") + version + "\r\nHost: x\r\n\r\n");
        respond(next(), "");
        EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200 ")) << version;
    }
}

TEST_F(Http1Conformance, Rfc9112_3_2_ARequestWithoutHostGets400) {
    start();
    for (const char* fields : {"", "Host: x\r\nHost: x\r\n", "Host: x y\r\n"}) {
        Client client(address_);
        send(client, std::string("GET / HTTP/1.1\r\n") + fields + "\r\n");
        EXPECT_TRUE(rest_of(client).starts_with("HTTP/1.1 400 ")) << fields;
    }
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Conformance, Rfc9112_6_1_AnErrorOfFramingEndsTheConnection) {
    start();
    for (const char* fields :
         {"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "Content-Length: 3, 4\r\n",
          "Transfer-Encoding: chunked, chunked\r\n", "Content-Length: x\r\n"}) {
        Client client(address_);
        send(client,
             std::string("POST / HTTP/1.1\r\nHost: x\r\n") + fields + "\r\n0\r\n\r\n" + std::string(kGet));
        const std::string answer = rest_of(client);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << fields;
        EXPECT_NE(answer.find("\r\nConnection: close\r\n"), std::string::npos) << fields;
        EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << "more than one answer came: " << answer;
    }
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Conformance, Rfc9112_6_3_WithoutLengthAndCodingThereIsNoBody) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(kGet));
    const auto first = next();
    EXPECT_EQ(first.payload, "");
    respond(first, "");
    EXPECT_EQ(next().head.substr(0, 5), "GET /");
}

TEST_F(Http1Conformance, Rfc9112_6_3_AnIncompleteBodyReachesNobody) {
    start();
    for (const char* request :
         {"Content-Length: 10\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
          "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"}) {
        Client client(address_);
        send(client, std::string("POST / HTTP/1.1\r\nHost: x\r\n") + request);
        client.shut();
        rest_of(client);
        EXPECT_TRUE(nothing_comes()) << request;
    }
}

TEST_F(Http1Conformance, Rfc9112_8_AnIncompleteHeadReachesNobody) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n");
    client.shut();
    rest_of(client);
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Conformance, Rfc9112_9_3_TheWholeBodyIsReadBeforeTheNextRequest) {
    start();
    Client client(address_);
    const std::string inner(kGet);
    send(client, "GET /outer HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(inner.size()) +
                     "\r\n\r\n" + inner + "GET /second HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto outer = next();
    EXPECT_EQ(outer.payload, inner);
    respond(outer, "");
    EXPECT_EQ(next().head.substr(0, 11), "GET /second");
}

TEST_F(Http1Conformance, Rfc9112_9_3_2_AnswersComeInTheOrderOfTheRequests) {
    start();
    Client client(address_);
    send(client, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto first = next();
    EXPECT_TRUE(nothing_comes()) << "the second request is begun before the first is answered";
    respond(first, "first");
    respond(next(), "second");
    until([&] { return client.received().ends_with("second"); });
    EXPECT_LT(client.received().find("first"), client.received().find("second"));
}

TEST_F(Http1Conformance, Rfc9112_9_6_AfterCloseNoFurtherRequestIsRead) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + std::string(kGet));
    respond(next(), "last");
    const std::string answer = rest_of(client);
    EXPECT_NE(answer.find("\r\nConnection: close\r\n"), std::string::npos);
    EXPECT_TRUE(answer.ends_with("last"));
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Conformance, Rfc9112_9_6_ItLingersSoThatTheLastAnswerArrives) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const auto request = next();
    const std::string body(1'000'000, 'x');
    respond(request, body);
    // Bytes that the client sends meanwhile are thrown away; they do not reset the connection.
    send(client, std::string(100'000, 'y'));
    EXPECT_TRUE(rest_of(client).ends_with(body));
}

TEST_F(Http1Conformance, Rfc9112_9_3_KeepAliveEndsWithTheLastPermittedRequest) {
    protocols_.http.keep_alive_requests = 2;
    start();
    Client client(address_);
    send(client, std::string(kGet) + std::string(kGet) + std::string(kGet));
    respond(next(), "");
    EXPECT_EQ(head_of(client).find("Connection: close"), std::string::npos);
    respond(next(), "");
    EXPECT_NE(rest_of(client).find("Connection: close"), std::string::npos);
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Conformance, Rfc9110_6_6_1_AnswersHaveADate) {
    start();
    Client client(address_);
    for (uint16_t code : {200, 204, 304, 404, 500}) {
        send(client, kGet);
        const auto request = next();
        transport_.order(request.worker, status(request, code));
        finish(request);
        EXPECT_NE(head_of(client).find("\r\nDate: "), std::string::npos) << code;
    }
    send(client, "nonsense\r\n\r\n");
    EXPECT_NE(rest_of(client).find("\r\nDate: "), std::string::npos)
        << "an answer of the server's own has a date, too";
}

TEST_F(Http1Conformance, Rfc9110_7_8_AnUpgradeThatIsNotWantedIsPassedOver) {
    start();
    for (const char* fields :
         {"Upgrade: coffee\r\nConnection: upgrade\r\n", "Upgrade: websocket\r\n",
          "Upgrade: h2c\r\nConnection: upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n"}) {
        Client client(address_);
        send(client, std::string("GET /ws HTTP/1.1\r\nHost: x\r\n") + fields + "\r\n");
        const auto request = next();
        EXPECT_EQ(request.kind, InboundKind::kRequest);
        respond(request, "plain");
        EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200 ")) << fields;
    }
}

TEST_F(Http1Conformance, Rfc9110_7_8_NoUpgradeForHttp10) {
    start();
    Client client(address_);
    send(client,
         "GET /ws HTTP/1.0\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    const auto request = next();
    EXPECT_EQ(request.kind, InboundKind::kRequest);
    respond(request, "plain");
    EXPECT_TRUE(rest_of(client).starts_with("HTTP/1.1 200 "));
}

TEST_F(Http1Conformance, Rfc9110_8_6_NoLengthIn204) {
    start();
    Client client(address_);
    send(client, kGet);
    const auto request = next();
    transport_.order(request.worker, status(request, 204));
    finish(request);
    const std::string head = head_of(client);
    EXPECT_EQ(head.find("Content-Length"), std::string::npos);
    EXPECT_EQ(head.find("Transfer-Encoding"), std::string::npos);
}

TEST_F(Http1Conformance, Rfc9110_9_3_2_HeadIsAnsweredAsGetWithoutTheBody) {
    start();
    Client client(address_);
    send(client, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(kGet));
    respond(next(), "twelve bytes");
    const std::string head = head_of(client);
    EXPECT_NE(head.find("\r\nContent-Length: 12\r\n"), std::string::npos);
    respond(next(), "!");
    EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200 ")) << "an answer to HEAD has no body";
}

TEST_F(Http1Conformance, Rfc9110_10_1_1_ContinueIsSaidOnceAndOnlyToThoseWhoWait) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    expect_received(client, "HTTP/1.1 100 Continue\r\n\r\n");
    send(client, "he");
    send(client, "llo");
    respond(next(), "");
    EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200 "));
    // The body is there already, so no 100 is sent.
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello");
    respond(next(), "");
    EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200 "));
    // A body of no bytes needs no 100.
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n");
    respond(next(), "");
    EXPECT_TRUE(head_of(client).starts_with("HTTP/1.1 200 "));
}

TEST_F(Http1Conformance, Rfc9110_10_1_1_NoContinueForHttp10) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.0\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(nothing_comes());
    EXPECT_EQ(client.received(), "");
    send(client, "hello");
    respond(next(), "");
    EXPECT_TRUE(rest_of(client).starts_with("HTTP/1.1 200 "));
}

TEST_F(Http1Conformance, Rfc9110_15_2_NoInterimAnswersForHttp10) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.0\r\n\r\n");
    const auto request = next();
    const Command hints{.what = command::Inform{request.request, "Link: </x>\r\n"},
                        .connection = request.connection};
    transport_.order(request.worker, hints);
    respond(request, "final");
    EXPECT_TRUE(rest_of(client).starts_with("HTTP/1.1 200 "));
}

TEST_F(Http1Conformance, Rfc9110_15_5_9_AHeadThatDoesNotComeGets408AndAClose) {
    protocols_.http.head_ms = 1;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\n");
    const std::string answer = rest_of(client);
    if (!answer.empty()) {
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << answer;
        EXPECT_NE(answer.find("\r\nConnection: close\r\n"), std::string::npos);
    }
}

}  // namespace
}  // namespace sluice
