#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/websocket/websocket_deflate.h"
#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_receiver.h"

namespace sluice::websocket {

/// The client's end of one WebSocket, from the handshake on: bytes in and events out, messages in and bytes
/// out. Owns its memory. Does no I/O.
class Endpoint {
  public:
    struct Options {
        Limits limits;
        std::optional<DeflateParameters> deflate;
        int level = 1;
        size_t min_bytes = 256;  ///< shorter messages are not compressed
    };

    explicit Endpoint(const Options& options);

    /// Takes further bytes from the server.
    void feed(std::string_view bytes);

    /// What happens next: kNeedInput, or a message, a control frame or an error; `receiver()` has the
    /// details, until the following call. After kError and kClose nothing more happens.
    Event next();
    const Receiver& receiver() const { return receiver_; }

    /// The bytes of a frame, until the following call. `payload` must satisfy check_close(), the limit of
    /// control frames, and UTF-8; `key` must be new and unpredictable.
    std::string_view frame(Opcode opcode, std::string_view payload, MaskKey key);

  private:
    void enlarge_room();

    Options options_;
    Receiver receiver_;
    std::unique_ptr<Inflater> inflater_;
    std::unique_ptr<Deflater> deflater_;
    std::unique_ptr<char[]> room_;
    std::unique_ptr<char[]> told_;  ///< the room of the message reported last
    std::string input_;
    std::span<char> unread_;  ///< in input_
    std::string compressed_;
    std::string out_;
};

}  // namespace sluice::websocket
