#pragma once

#include <string>

#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_mask.h"
#include "socket.h"

/// WebSocket clients for the programs of this directory.
namespace sluice::bench {

inline std::string masked_frame(websocket::Opcode opcode, std::string payload) {
    constexpr websocket::MaskKey kKey = {0x37, 0xfa, 0x21, 0x3d};
    char header[websocket::kMaxFrameHeaderBytes];
    const size_t header_bytes =
        websocket::write_masked_frame_header(header, opcode, true, payload.size(), kKey);
    websocket::unmask(payload.data(), payload.size(), kKey);
    return std::string(header, header_bytes) + payload;
}

inline UniqueFd open_websocket(const char* address, const std::string& target) {
    UniqueFd fd = connect_to(address);
    send_all(fd.get(),
             "GET " + target + " HTTP/1.1\r\nHost: " + address +
                 "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    std::string rest;
    const std::string head = receive_head(fd.get(), rest);
    if (head.rfind("HTTP/1.1 101 ", 0) != 0) fail("The server refused the handshake:\n" + head + rest);
    if (!rest.empty()) fail("The server spoke before it was asked to.");
    return fd;
}

}  // namespace sluice::bench
