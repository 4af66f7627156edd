#include "protocol/websocket/websocket_answer.h"

#include <gtest/gtest.h>

namespace sluice::websocket {
namespace {

// The example of RFC 6455 section 1.3.
constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr std::string_view kAccept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";

std::string head(std::string_view more = {}, std::string_view upgrade = "Upgrade: websocket\r\n",
                 std::string_view connection = "Connection: Upgrade\r\n", std::string_view accept = kAccept) {
    std::string text = "HTTP/1.1 101 Switching Protocols\r\n";
    return text.append(upgrade).append(connection).append(accept).append(more).append("\r\n");
}

HandshakeAnswer read(const std::string& text, std::string_view protocols = {}, bool deflate = false) {
    return read_answer(text, {kKey, protocols, deflate});
}

TEST(WebsocketAnswer, OfTheRfcIsAccepted) {
    const HandshakeAnswer answer = read(head());
    EXPECT_EQ(answer.refusal, "");
    EXPECT_EQ(answer.status, 101);
    EXPECT_EQ(answer.protocol, "");
    EXPECT_FALSE(answer.deflate);
}

TEST(WebsocketAnswer, NamesOfFieldsAndTokensHaveNoCase) {
    EXPECT_EQ(read(head({}, "UPGRADE:WebSocket \r\n", "connection: keep-alive,\tupgrade\r\n")).refusal, "");
    EXPECT_EQ(
        read(head({}, "Upgrade: websocket\r\n", "Connection: keep-alive\r\nConnection: Upgrade\r\n")).refusal,
        "");
}

TEST(WebsocketAnswer, OnlyStatus101OfHttp11WillDo) {
    for (std::string_view line : {"HTTP/1.1 200 OK", "HTTP/1.1 404 ", "HTTP/1.1 301"}) {
        const HandshakeAnswer answer = read(std::string(line) + "\r\n\r\n");
        EXPECT_NE(answer.refusal.find("instead of 101"), std::string::npos) << line;
        EXPECT_EQ(answer.status, std::stoi(std::string(line.substr(9, 3))));
    }
    for (std::string_view line : {"HTTP/1.0 101 Switching", "HTTP/2 101", "101", "", "HTTP/1.1 1010",
                                  "HTTP/1.1 10x OK", "HTTP/1.1 001 OK", "http/1.1 101 OK"}) {
        std::string text = head();
        text.replace(0, text.find("\r\n"), line);
        const HandshakeAnswer answer = read(text);
        EXPECT_NE(answer.refusal, "") << line;
        EXPECT_EQ(answer.status, 0) << line;
    }
    EXPECT_NE(read("HTTP/1.1 101 Switching Protocols").refusal, "");
}

TEST(WebsocketAnswer, EachFieldIsNeeded) {
    EXPECT_NE(read(head({}, "")).refusal, "");
    EXPECT_NE(read(head({}, "Upgrade: h2c\r\n")).refusal, "");
    EXPECT_NE(read(head({}, "Upgrade: websocket, h2c\r\n")).refusal, "");
    EXPECT_NE(read(head({}, "Upgrade: websocket\r\n", "")).refusal, "");
    EXPECT_NE(read(head({}, "Upgrade: websocket\r\n", "Connection: close\r\n")).refusal, "");
    const std::string_view upgrade = "Upgrade: websocket\r\n", connection = "Connection: Upgrade\r\n";
    EXPECT_NE(read(head({}, upgrade, connection, "")).refusal, "");
    EXPECT_NE(
        read(head({}, upgrade, connection, "Sec-WebSocket-Accept: S3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")).refusal,
        "");
    EXPECT_NE(read(head(kAccept)).refusal, "") << "Sec-WebSocket-Accept came twice";
}

TEST(WebsocketAnswer, LinesMustBeFields) {
    for (std::string_view line :
         {"no field\r\n", "bad name: x\r\n", ": x\r\n", "a: \x01\r\n", " folded\r\n", "a: b\nc: d\r\n"})
        EXPECT_NE(read(head(line)).refusal, "") << line;
    std::string endless = head();
    endless.resize(endless.size() - 2);
    EXPECT_NE(read(endless).refusal, "");
}

TEST(WebsocketAnswer, OnlyWhatWasOfferedMayBeChosen) {
    const std::string chosen = head("Sec-WebSocket-Protocol: chat\r\n");
    EXPECT_EQ(read(chosen, "soap, chat").protocol, "chat");
    EXPECT_EQ(read(chosen, "soap, chat").refusal, "");
    EXPECT_NE(read(chosen, "soap, CHAT").refusal, "");
    EXPECT_NE(read(chosen, "").refusal, "");
    EXPECT_NE(read(head("Sec-WebSocket-Protocol: soap, chat\r\n"), "soap, chat").refusal, "");
    EXPECT_NE(
        read(head("Sec-WebSocket-Protocol: soap\r\nSec-WebSocket-Protocol: chat\r\n"), "soap, chat").refusal,
        "");
    EXPECT_NE(read(head("Sec-WebSocket-Protocol:\r\n"), "soap").refusal, "");
    EXPECT_EQ(read(head(), "soap").refusal, "") << "the server need not choose a sub-protocol";
}

TEST(WebsocketAnswer, CompressionOnlyAsOffered) {
    const std::string plain = head("Sec-WebSocket-Extensions: permessage-deflate\r\n");
    EXPECT_NE(read(plain).refusal, "") << "the client has not offered compression";
    const HandshakeAnswer answer = read(plain, {}, true);
    EXPECT_EQ(answer.refusal, "");
    EXPECT_EQ(answer.deflate, (DeflateParameters{true, true, 15, 15}));
    EXPECT_EQ(
        read(head("Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
                  "client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=\"9\"\r\n"),
             {}, true)
            .deflate,
        (DeflateParameters{false, false, 10, 9}));
    EXPECT_EQ(
        read(head("Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=8\r\n"), {}, true)
            .deflate,
        (DeflateParameters{true, true, 8, 15}));
    EXPECT_FALSE(read(head(), {}, true).deflate) << "the server need not compress";
    for (std::string_view bad :
         {"x-webkit-deflate-frame", "permessage-deflate, permessage-deflate", "permessage-deflate; unknown",
          "permessage-deflate; client_max_window_bits", "permessage-deflate; server_max_window_bits",
          "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=7",
          "permessage-deflate; server_no_context_takeover=1",
          "permessage-deflate; server_no_context_takeover; "
          "server_no_context_takeover",
          "", "permessage-deflate;", "Permessage-Deflate"}) {
        const std::string text = head("Sec-WebSocket-Extensions: " + std::string(bad) + "\r\n");
        EXPECT_NE(read(text, {}, true).refusal, "") << bad;
    }
}

}  // namespace
}  // namespace sluice::websocket
