#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/reactor/compression.h"

namespace sluice {

struct EndpointSpec;

/// The fields that decide on a WebSocket handshake, gathered from a request's head.
class WebSocketOffer {
  public:
    /// Keeps views of all parameters.
    WebSocketOffer(const http::RequestHead& head, std::span<const http::Field> fields, std::string_view text);
    WebSocketOffer(const WebSocketOffer&) = delete;
    WebSocketOffer& operator=(const WebSocketOffer&) = delete;

    const websocket::HandshakeRequest& request() const { return request_; }
    std::string_view origin() const { return origin_; }

  private:
    websocket::HandshakeRequest request_;
    std::string joined_[6];
    std::string origin_;
};

/// What a route gives to a client whose handshake it accepts.
struct WebSocketGrant {
    std::unique_ptr<ConnectionCompression> compression;  ///< nullptr: no compression
    std::string protocol;                                ///< empty: none
    std::string fields;  ///< fields of the response: whole lines, without the sub-protocol's
};

/// `wanted`: the sub-protocol that the application has chosen; empty: the route's own list decides.
/// The memory for compression is reserved for `client` (Connection::client_key()).
WebSocketGrant grant_websocket(const EndpointSpec& route, const websocket::HandshakeRequest& request,
                               std::string_view wanted, CompressionContexts& contexts, uint64_t client);

}  // namespace sluice
