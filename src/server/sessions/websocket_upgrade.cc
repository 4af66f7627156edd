#include "server/sessions/websocket_upgrade.h"

#include <algorithm>

#include "server/config/endpoint_spec.h"

namespace sluice {

namespace {

void join(std::string& joined, std::string_view value) {
    if (!joined.empty()) joined += ", ";
    joined += value;
}

/// The first of the route's sub-protocols that the client offers.
std::string_view choose_protocol(const WebSocketRules& rules, std::string_view offered) {
    const auto chosen = std::find_if(
        rules.protocols.begin(), rules.protocols.end(),
        [&](const std::string& protocol) { return websocket::offers_protocol(offered, protocol); });
    return chosen == rules.protocols.end() ? std::string_view() : std::string_view(*chosen);
}

}  // namespace

WebSocketOffer::WebSocketOffer(const http::RequestHead& head, std::span<const http::Field> fields,
                               std::string_view text) {
    request_.method = head.method_text.in(text.data());
    request_.http_major = head.version_major;
    request_.http_minor = head.version_minor;
    request_.host = head.host.in(text.data());
    request_.has_content = head.has_body;
    // Repeated fields are joined, so that a second key, version or origin is refused.
    static constexpr std::string_view kNames[6] = {"upgrade",
                                                   "connection",
                                                   "sec-websocket-key",
                                                   "sec-websocket-version",
                                                   "sec-websocket-protocol",
                                                   "sec-websocket-extensions"};
    for (const http::Field& field : fields) {
        const std::string_view name = field.name.in(text.data());
        if (name == "origin") join(origin_, field.value.in(text.data()));
        for (size_t i = 0; i < 6; ++i) {
            if (name == kNames[i]) join(joined_[i], field.value.in(text.data()));
        }
    }
    request_.upgrade = joined_[0];
    request_.connection = joined_[1];
    request_.key = joined_[2];
    request_.version = joined_[3];
    request_.protocols = joined_[4];
    request_.extensions = joined_[5];
}

WebSocketGrant grant_websocket(const EndpointSpec& route, const websocket::HandshakeRequest& request,
                               std::string_view wanted, CompressionContexts& contexts, uint64_t client) {
    WebSocketGrant grant;
    // A client must drop a connection whose sub-protocol it has not offered (RFC 6455 section 4.1).
    grant.protocol = websocket::offers_protocol(request.protocols, wanted)
                         ? wanted
                         : choose_protocol(route.websocket, request.protocols);
    const websocket::DeflatePolicy policy = contexts.affordable(route.compression, client);
    if (auto agreed = websocket::agree_on_deflate(request.extensions, policy)) {
        contexts.reserve(agreed->parameters, client);
        grant.compression = std::make_unique<ConnectionCompression>();
        grant.compression->parameters = agreed->parameters;
        grant.compression->client = client;
        grant.compression->level = policy.level;
        grant.compression->min_bytes = policy.min_bytes;
        grant.fields = "Sec-WebSocket-Extensions: " + agreed->field + "\r\n";
    }
    return grant;
}

}  // namespace sluice
