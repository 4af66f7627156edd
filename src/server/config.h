#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/tls_context.h"
#include "protocol/tcp_framing.h"
#include "protocol/websocket_deflate.h"

namespace sluice {

enum class Mode : uint8_t { kProcess, kBase };
enum class Dispatch : uint8_t { kLeastBusy, kSticky };
enum class EndpointKind : uint8_t { kHttp, kWebSocket, kTcp };

/// Every bound of a server; the same names, defaults and ranges as PHP's `Sluice\Limits`, which has checked
/// them.
struct Limits {
    uint32_t connections = 65536;
    uint64_t arena_bytes = 256u << 20;
    uint64_t ring_bytes = 1u << 20;
    uint64_t out_bytes = 64u << 20;
    uint64_t lent_bytes = 32u << 20;
    uint64_t message_bytes = 16u << 20;
    uint64_t body_bytes = 16u << 20;
    uint32_t head_bytes = 16384;
    uint32_t header_fields = 100;
    uint64_t queued_bytes = 16u << 20;
    uint32_t form_fields = 1000;
    uint32_t part_head_bytes = 8192;
    uint64_t compression_bytes = 64u << 20;
    uint32_t handshake_ms = 10'000;
    uint32_t head_ms = 10'000;
    uint32_t body_ms = 30'000;
    uint32_t write_ms = 30'000;
    uint32_t keep_alive_ms = 75'000;
    uint32_t close_ms = 5'000;
    uint32_t shutdown_ms = 10'000;

    bool operator==(const Limits&) const = default;
};

/// A listener (HTTP, TCP), or a WebSocket route on the HTTP listener of the same address.
struct EndpointSpec {
    EndpointKind kind = EndpointKind::kHttp;
    std::string address;
    std::string path;      ///< kWebSocket
    tcp::Framing framing;  ///< kTcp
    Dispatch dispatch = Dispatch::kLeastBusy;
    websocket::DeflatePolicy compression = {};     ///< kWebSocket
    std::optional<TlsOptions> tls = std::nullopt;  ///< of a listener
};

/// What one boot of the script asks for.
struct ServerConfig {
    Mode mode = Mode::kProcess;
    unsigned workers = 1;
    unsigned reactors = 1;
    Limits limits;
    std::string pid_file;
    std::string log_file;
    std::string script;  ///< for process titles and the banner
    std::vector<EndpointSpec> endpoints;
};

}  // namespace sluice
