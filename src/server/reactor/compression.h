#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/websocket/websocket_deflate.h"

namespace sluice {

/// What one WebSocket connection that negotiated permessage-deflate has beside its session. Its own contexts
/// are made when they are first used; their memory was reserved in the handshake.
struct ConnectionCompression {
    websocket::DeflateParameters parameters;
    uint8_t level = 1;
    /// What was sent last is not in the deflater's window: it has to forget before it goes on.
    bool deflater_is_behind = false;
    uint32_t min_bytes = 0;
    std::unique_ptr<websocket::Inflater> inflater;  ///< client takeover
    std::unique_ptr<websocket::Deflater> deflater;  ///< server takeover
};

/// The compression contexts of one reactor, and the bound on their memory:
/// - Connections that keep a context between messages may have half of it; when that is spent, new ones are
///   given permessage-deflate without takeover.
/// - A message without takeover borrows an inflater while it arrives; when there is no memory for one, its
///   connection waits. One is always there, so that something goes on.
/// - All messages sent without takeover share a deflater for each window and level; when there is no memory
///   for another one, they are sent uncompressed.
class CompressionContexts {
  public:
    explicit CompressionContexts(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
    CompressionContexts(const CompressionContexts&) = delete;
    CompressionContexts& operator=(const CompressionContexts&) = delete;

    /// The policy with as much takeover as there is memory for.
    websocket::DeflatePolicy affordable(websocket::DeflatePolicy policy) const;
    /// Takes the memory of a new connection; only with what affordable() allowed.
    void reserve(const websocket::DeflateParameters& parameters);
    void unreserve(const websocket::DeflateParameters& parameters);

    /// nullptr: none can be had now. For any window; it remembers nothing.
    std::unique_ptr<websocket::Inflater> borrow_inflater();
    void give_back(std::unique_ptr<websocket::Inflater> inflater);

    /// The message compressed for everybody who inflates with this window or a larger one; empty when that
    /// does not make it smaller or memory is short. Valid until the next call of a function named compress….
    std::string_view compress(std::string_view message, uint8_t window_bits, uint8_t level);
    /// compress() for one connection, with its own context if it has one.
    std::string_view compress_for(ConnectionCompression& connection, std::string_view message);

    /// Of all contexts, those reserved but not yet made included.
    size_t used_bytes() const { return reserved_bytes_ + shared_bytes_; }

  private:
    struct Shared {
        uint8_t window_bits;
        uint8_t level;
        std::unique_ptr<websocket::Deflater> deflater;
    };
    static size_t takeover_bytes(const websocket::DeflateParameters& parameters);
    std::string_view compress_with(websocket::Deflater& deflater, std::string_view message);

    uint64_t limit_bytes_;
    size_t reserved_bytes_ = 0;  ///< of the connections with takeover
    size_t shared_bytes_ = 0;    ///< of `shared_`, of spare inflaters and of those borrowed
    size_t borrowed_ = 0;
    std::vector<std::unique_ptr<websocket::Inflater>> spare_;
    std::vector<Shared> shared_;
    std::string output_;
};

}  // namespace sluice
