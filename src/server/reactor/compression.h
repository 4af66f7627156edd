#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/websocket/websocket_deflate.h"
#include "server/sharing/budget.h"

namespace sluice {

/// The state of permessage-deflate of one WebSocket. Contexts of its own are made at their first use; the
/// handshake has reserved their memory.
struct ConnectionCompression {
    websocket::DeflateParameters parameters;
    uint8_t level = 1;
    /// The last message is not in the deflater's window: reset it before its next use.
    bool deflater_is_behind = false;
    uint32_t min_bytes = 0;
    uint64_t client = 0;                            ///< whose contexts these are; see Budget
    std::unique_ptr<websocket::Inflater> inflater;  ///< client takeover
    std::unique_ptr<websocket::Deflater> deflater;  ///< server takeover
};

/// The compression contexts of one reactor, and the bound on their memory:
/// - Contexts kept between messages may take half of it, which clients share (Budget); beyond, new
///   connections get permessage-deflate without takeover.
/// - A message without takeover borrows an inflater while it arrives; when there is no memory for one, its
///   connection waits. There is always memory for one, so that some connection progresses.
/// - All messages sent without takeover share a deflater for each window and level; when there is no memory
///   for another deflater, they are sent uncompressed.
class CompressionContexts {
  public:
    explicit CompressionContexts(uint64_t limit_bytes);
    CompressionContexts(const CompressionContexts&) = delete;
    CompressionContexts& operator=(const CompressionContexts&) = delete;

    /// The policy, reduced to the takeover that there is memory for, and that the client
    /// (Connection::client_key()) may have.
    websocket::DeflatePolicy affordable(websocket::DeflatePolicy policy, uint64_t client) const;
    /// Reserves a new connection's memory; `parameters` must come from an affordable() policy.
    void reserve(const websocket::DeflateParameters& parameters, uint64_t client);
    void unreserve(const ConnectionCompression& connection);

    /// An inflater for any window, without history; nullptr: no memory now.
    std::unique_ptr<websocket::Inflater> borrow_inflater();
    void give_back(std::unique_ptr<websocket::Inflater> inflater);

    /// The message compressed for clients with this window or a larger one; empty when it does not get
    /// smaller or memory is short. Valid until the next call of compress() or compress_for().
    std::string_view compress(std::string_view message, uint8_t window_bits, uint8_t level);
    /// compress() for one connection, with its own context if it has one.
    std::string_view compress_for(ConnectionCompression& connection, std::string_view message);

    /// The memory of all contexts, including reserved ones that are not yet made.
    size_t used_bytes() const { return reserved_.used() + shared_bytes_; }

  private:
    struct Shared {
        uint8_t window_bits;
        uint8_t level;
        std::unique_ptr<websocket::Deflater> deflater;
    };
    static size_t takeover_bytes(const websocket::DeflateParameters& parameters);
    std::string_view compress_with(websocket::Deflater& deflater, std::string_view message);

    uint64_t limit_bytes_;
    Budget reserved_;          ///< bytes of the connections with takeover
    size_t shared_bytes_ = 0;  ///< of `shared_`, of spare inflaters and of those borrowed
    size_t borrowed_ = 0;
    std::vector<std::unique_ptr<websocket::Inflater>> spare_;
    std::vector<Shared> shared_;
    std::string output_;
};

}  // namespace sluice
