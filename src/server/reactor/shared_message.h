#pragma once

#include <mutex>
#include <string_view>
#include <vector>

#include "protocol/websocket/websocket_frame.h"
#include "server/seam/payload.h"

namespace sluice {

class CompressionContexts;

/// One message on its way to many connections of all reactors: framed once for WebSockets, compressed at most
/// once for each window and level, and written once as an event.
class SharedMessage final : public RefCounted {
  public:
    static Ref<SharedMessage> create(websocket::Opcode opcode, std::string_view body);

    size_t body_bytes() const { return body().size(); }
    const Ref<Payload>& plain_frame() const { return plain_; }
    /// The frame with the body compressed without context, so that every client with at least this window can
    /// inflate it; empty when the plain frame is not longer. `contexts`: the calling reactor's.
    Ref<Payload> compressed_frame(uint8_t window_bits, uint8_t level, CompressionContexts& contexts);

    /// As an event of a text/event-stream; empty for a binary message, which such a stream cannot carry.
    Ref<Payload> event();

  private:
    struct Compressed {
        uint8_t window_bits;
        uint8_t level;
        Ref<Payload> frame;
    };
    std::string_view body() const;

    websocket::Opcode opcode_ = websocket::Opcode::kText;
    size_t header_bytes_ = 0;
    Ref<Payload> plain_;
    /// Held while compressing and writing: another reactor waits for the result, and does not repeat the
    /// work.
    std::mutex mutex_;
    std::vector<Compressed> compressed_;
    Ref<Payload> event_;
};

}  // namespace sluice
