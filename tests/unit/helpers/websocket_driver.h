#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_handshake.h"
#include "protocol/websocket/websocket_mask.h"
#include "reactor_driver.h"

namespace sluice::test {

using websocket::Opcode;

inline constexpr std::string_view kUpgrade =
    "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
    "13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A frame of a client.
inline std::string masked(Opcode opcode, std::string payload, bool fin = true) {
    const websocket::MaskKey key{1, 2, 3, 4};
    char header[websocket::kMaxFrameHeaderBytes];
    const size_t size = websocket::write_masked_frame_header(header, opcode, fin, payload.size(), key);
    websocket::unmask(payload.data(), payload.size(), key);
    return std::string(header, size) + payload;
}
/// A frame of the server.
inline std::string plain(Opcode opcode, std::string_view payload) {
    char header[websocket::kMaxFrameHeaderBytes];
    const size_t size = websocket::write_frame_header(header, opcode, true, payload.size());
    return std::string(header, size) + std::string(payload);
}
inline std::string close_payload(uint16_t code, std::string_view reason) {
    char payload[websocket::kMaxControlPayloadBytes];
    return {payload, websocket::write_close_payload(payload, code, reason)};
}

/// A reactor whose client is a WebSocket's.
class WebSocketTest : public ReactorTest {
  protected:
    ConnectionId upgrade(Client& client, std::string_view behind = {}) {
        send(client, std::string(kUpgrade) + std::string(behind));
        const auto open = next();
        EXPECT_EQ(open.kind, InboundKind::kOpen);
        EXPECT_EQ(open.endpoint, 1) << "the route, not the listener";
        finish(open);
        EXPECT_TRUE(until([&] { return client.received().find("\r\n\r\n") != std::string::npos; }));
        const std::string head = client.take(client.received().find("\r\n\r\n") + 4);
        EXPECT_EQ(head.substr(0, 12), "HTTP/1.1 101");
        EXPECT_NE(head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos);
        return open.connection;
    }
    void subscribe(ConnectionId id, std::string_view topic) {
        transport_.order(0, for_connection(id, command::Subscribe{topic}));
    }
    void publish(std::string_view topic, std::string_view body, ConnectionId except = kNoConnection) {
        transport_.order(0, {.what = command::Publish{topic, except}, .payload = body});
    }
    void expect_close(std::initializer_list<uint16_t> codes, std::string_view reason = {}) {
        auto message = next();
        while (message.kind == InboundKind::kMessage) {
            finish(message);
            message = next();
        }
        EXPECT_EQ(message.kind, InboundKind::kClose);
        EXPECT_NE(std::find(codes.begin(), codes.end(), message.close_code), codes.end())
            << message.close_code;
        if (!reason.empty()) {
            EXPECT_EQ(message.payload, reason);
        }
        finish(message);
    }
};

}  // namespace sluice::test
