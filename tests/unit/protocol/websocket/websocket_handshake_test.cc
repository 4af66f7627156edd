#include "protocol/websocket/websocket_handshake.h"

#include <gtest/gtest.h>

namespace sluice::websocket {
namespace {

HandshakeRequest valid() {
    HandshakeRequest request;
    request.method = "GET";
    request.host = "server.example.com";
    request.upgrade = "websocket";
    request.connection = "Upgrade";
    request.key = "dGhlIHNhbXBsZSBub25jZQ==";
    request.version = "13";
    return request;
}

int status(const HandshakeRequest& request) {
    const auto refusal = check_handshake(request);
    if (refusal) {
        EXPECT_FALSE(refusal->sentence.empty());
    }
    return refusal ? refusal->status : 101;
}

TEST(WebsocketHandshake, AcceptKeyOfRfc6455Section1_3) {
    EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebsocketHandshake, ValidRequestIsAccepted) {
    EXPECT_EQ(status(valid()), 101);
}

TEST(WebsocketHandshake, MethodMustBeGet) {
    for (const char* method : {"POST", "HEAD", "get", ""}) {
        HandshakeRequest request = valid();
        request.method = method;
        EXPECT_EQ(status(request), 400) << method;
    }
}

TEST(WebsocketHandshake, VersionOfHttpMustBeAtLeast1_1) {
    HandshakeRequest request = valid();
    request.http_minor = 0;
    EXPECT_EQ(status(request), 400);
    request.http_major = 3;
    EXPECT_EQ(status(request), 400);
}

TEST(WebsocketHandshake, OnAStreamOfHttp2NeitherMethodNorUpgradeNorKeyCount) {
    HandshakeRequest request = valid();
    request.http_major = 2;
    request.http_minor = 0;
    request.method = "CONNECT";
    request.upgrade = request.connection = request.key = {};
    EXPECT_FALSE(check_handshake(request));
    request.version = "12";
    EXPECT_EQ(status(request), 426);
}

TEST(WebsocketHandshake, BodyIsRefusedForItWouldBeTakenForFrames) {
    HandshakeRequest request = valid();
    request.has_content = true;
    EXPECT_EQ(status(request), 400);
}

TEST(WebsocketHandshake, HostMustBeThere) {
    HandshakeRequest request = valid();
    request.host = "";
    EXPECT_EQ(status(request), 400);
}

TEST(WebsocketHandshake, UpgradeMustNameWebsocketInAnyCase) {
    for (const char* upgrade : {"websocket", "WebSocket", "h2c, WEBSOCKET", " websocket\t", "a,,websocket"}) {
        HandshakeRequest request = valid();
        request.upgrade = upgrade;
        EXPECT_EQ(status(request), 101) << upgrade;
        EXPECT_TRUE(asks_for_websocket(upgrade)) << upgrade;
    }
    for (const char* upgrade : {"", "h2c", "websockets", "web socket", "websocket/13", ","}) {
        HandshakeRequest request = valid();
        request.upgrade = upgrade;
        EXPECT_EQ(status(request), 400) << upgrade;
        EXPECT_FALSE(asks_for_websocket(upgrade)) << upgrade;
    }
}

TEST(WebsocketHandshake, ConnectionMustNameUpgradeInAnyCase) {
    for (const char* connection : {"upgrade", "keep-alive, Upgrade", "UPGRADE , close"}) {
        HandshakeRequest request = valid();
        request.connection = connection;
        EXPECT_EQ(status(request), 101) << connection;
    }
    for (const char* connection : {"", "keep-alive", "upgrades", "upgrade-me"}) {
        HandshakeRequest request = valid();
        request.connection = connection;
        EXPECT_EQ(status(request), 400) << connection;
    }
}

TEST(WebsocketHandshake, KeyMustBe16BytesInBase64) {
    const char* const bad[] = {"",
                               "dGhlIHNhbXBsZSBub25jZQ=",
                               "dGhlIHNhbXBsZSBub25jZQ===",
                               "dGhlIHNhbXBsZSBub25jZQAA",
                               "dGhlIHNhbXBsZSBub25jZ===",
                               "dGhlIHNhbXBsZSBub25jZ-==",
                               "dGhlIHNhbXBsZSBub2 jZQ==",
                               "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ=="};
    for (const char* key : bad) {
        HandshakeRequest request = valid();
        request.key = key;
        EXPECT_EQ(status(request), 400) << key;
    }
}

TEST(WebsocketHandshake, VersionMustBe13) {
    for (const char* version : {"0", "7", "8", "12", "14", "130", "255"}) {
        HandshakeRequest request = valid();
        request.version = version;
        EXPECT_EQ(status(request), 426) << version;
    }
    for (const char* version : {"", "013", "13, 13", "13, 8", "x", "-13", "1300", "13 "}) {
        HandshakeRequest request = valid();
        request.version = version;
        EXPECT_EQ(status(request), 400) << version;
    }
}

TEST(WebsocketHandshake, ProtocolsMustBeTokens) {
    HandshakeRequest request = valid();
    request.protocols = "chat, super.chat-v2";
    EXPECT_EQ(status(request), 101);
    request.protocols = "chat, super chat";
    EXPECT_EQ(status(request), 400);
    request.protocols = "chat;q=1";
    EXPECT_EQ(status(request), 400);
}

TEST(WebsocketHandshake, OnlyAnOfferedProtocolIsFound) {
    EXPECT_TRUE(offers_protocol("chat, superchat", "chat"));
    EXPECT_TRUE(offers_protocol("chat,superchat ", "superchat"));
    EXPECT_FALSE(offers_protocol("chat, superchat", "super"));
    EXPECT_FALSE(offers_protocol("chat", "Chat"));
    EXPECT_FALSE(offers_protocol("", "chat"));
    EXPECT_FALSE(offers_protocol("chat,,x", ""));
}

TEST(WebsocketHandshake, ResponseOfRfc6455Section1_3) {
    EXPECT_EQ(switching_protocols_response("dGhlIHNhbXBsZSBub25jZQ==", "chat"),
              "HTTP/1.1 101 Switching Protocols\r\n"
              "Upgrade: websocket\r\n"
              "Connection: Upgrade\r\n"
              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
              "Sec-WebSocket-Protocol: chat\r\n"
              "\r\n");
    EXPECT_EQ(switching_protocols_response("dGhlIHNhbXBsZSBub25jZQ==", "", "Set-Cookie: a=b\r\n"),
              "HTTP/1.1 101 Switching Protocols\r\n"
              "Upgrade: websocket\r\n"
              "Connection: Upgrade\r\n"
              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
              "Set-Cookie: a=b\r\n"
              "\r\n");
}

TEST(WebsocketHandshake, Rfc6455Section9_1AMalformedExtensionFieldFails) {
    HandshakeRequest request;
    request.method = "GET";
    request.host = "example";
    request.upgrade = "websocket";
    request.connection = "Upgrade";
    request.key = "dGhlIHNhbXBsZSBub25jZQ==";
    request.version = "13";
    for (const char* right : {"", "x", "permessage-deflate; client_max_window_bits, x; y=\"z\""}) {
        request.extensions = right;
        EXPECT_FALSE(check_handshake(request)) << right;
    }
    for (const char* wrong : {";", "x;", "x y", "x; y=", "x; y=\"z"}) {
        request.extensions = wrong;
        const auto refusal = check_handshake(request);
        ASSERT_TRUE(refusal) << wrong;
        EXPECT_EQ(refusal->status, 400);
    }
}

}  // namespace
}  // namespace sluice::websocket
