#include "server/reactor/compression.h"

#include <algorithm>

namespace sluice {

using websocket::DeflateParameters;
using websocket::DeflatePolicy;
using websocket::Deflater;
using websocket::deflater_bytes;
using websocket::Inflater;
using websocket::inflater_bytes;

namespace {
constexpr size_t kMostSpare = 4;
/// A longer output buffer is freed after a long message.
constexpr size_t kOutputBytesKept = size_t{1} << 20;
}  // namespace

CompressionContexts::CompressionContexts(uint64_t limit_bytes)
    : limit_bytes_(limit_bytes),
      reserved_(limit_bytes / 2,
                deflater_bytes(websocket::kMaxWindowBits) + inflater_bytes(websocket::kMaxWindowBits)) {}

size_t CompressionContexts::takeover_bytes(const DeflateParameters& parameters) {
    return (parameters.server_takeover ? deflater_bytes(parameters.server_window_bits) : 0) +
           (parameters.client_takeover ? inflater_bytes(parameters.client_window_bits) : 0);
}

DeflatePolicy CompressionContexts::affordable(DeflatePolicy policy, uint64_t client) const {
    // The client may not support a smaller window.
    size_t bytes = inflater_bytes(websocket::kMaxWindowBits);
    if (policy.client_takeover && !reserved_.may_have(client, bytes)) policy.client_takeover = false;
    if (!policy.client_takeover) bytes = 0;
    bytes += deflater_bytes(policy.server_window_bits);
    if (policy.server_takeover && !reserved_.may_have(client, bytes)) policy.server_takeover = false;
    return policy;
}

void CompressionContexts::reserve(const DeflateParameters& parameters, uint64_t client) {
    reserved_.charge(client, takeover_bytes(parameters));
}

void CompressionContexts::unreserve(const ConnectionCompression& connection) {
    reserved_.give_back(connection.client, takeover_bytes(connection.parameters));
}

std::unique_ptr<Inflater> CompressionContexts::borrow_inflater() {
    std::unique_ptr<Inflater> inflater;
    if (!spare_.empty()) {
        inflater = std::move(spare_.back());
        spare_.pop_back();
    } else {
        const size_t bytes = inflater_bytes(websocket::kMaxWindowBits);
        if (borrowed_ > 0 && used_bytes() + bytes > limit_bytes_) return nullptr;
        inflater = std::make_unique<Inflater>(websocket::kMaxWindowBits);
        shared_bytes_ += bytes;
    }
    ++borrowed_;
    return inflater;
}

void CompressionContexts::give_back(std::unique_ptr<Inflater> inflater) {
    --borrowed_;
    if (spare_.size() < kMostSpare && used_bytes() <= limit_bytes_) {
        inflater->reset();
        spare_.push_back(std::move(inflater));
        return;
    }
    shared_bytes_ -= inflater_bytes(websocket::kMaxWindowBits);
}

std::string_view CompressionContexts::compress_with(Deflater& deflater, std::string_view message) {
    if (output_.capacity() > kOutputBytesKept) output_ = {};
    deflater.compress(message, output_);
    return output_.size() < message.size() ? std::string_view(output_) : std::string_view();
}

std::string_view CompressionContexts::compress(std::string_view message, uint8_t window_bits, uint8_t level) {
    auto found = std::find_if(shared_.begin(), shared_.end(), [&](const Shared& shared) {
        return shared.window_bits == window_bits && shared.level == level;
    });
    if (found == shared_.end()) {
        const size_t bytes = deflater_bytes(window_bits);
        if (used_bytes() + bytes > limit_bytes_) return {};
        shared_bytes_ += bytes;
        shared_.push_back({window_bits, level, std::make_unique<Deflater>(window_bits, level)});
        found = shared_.end() - 1;
    }
    const std::string_view compressed = compress_with(*found->deflater, message);
    found->deflater->reset();
    return compressed;
}

std::string_view CompressionContexts::compress_for(ConnectionCompression& connection,
                                                   std::string_view message) {
    const DeflateParameters& parameters = connection.parameters;
    if (!parameters.server_takeover) {
        return compress(message, parameters.server_window_bits, connection.level);
    }
    if (!connection.deflater) {
        connection.deflater = std::make_unique<Deflater>(parameters.server_window_bits, connection.level);
    } else if (connection.deflater_is_behind) {
        connection.deflater->reset();
    }
    const std::string_view compressed = compress_with(*connection.deflater, message);
    // A message sent uncompressed is not in the client's window.
    connection.deflater_is_behind = compressed.empty();
    return compressed;
}

}  // namespace sluice
