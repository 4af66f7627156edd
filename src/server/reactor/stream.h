#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Why a stream ends before both sides have ended it.
enum class StreamEnd : uint8_t {
    kCancelled,  ///< no longer wanted
    kBroken,     ///< what was begun cannot be completed
};

/// Makes a Connection a stream of another connection, which carries its bytes in place of a socket. For all
/// other code, workers included, it is a connection like any other.
class Stream {
  public:
    virtual ~Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// The stream has ended. Then only awaits_server() may be called.
    virtual bool is_over() const = 0;
    /// What the client has sent for the stream may be unread in the connection that carries it, which waits
    /// for the server.
    virtual bool awaits_server() const = 0;
    /// More bytes are queued, or the queue is complete.
    virtual void wants_flush() = 0;
    /// The session has taken `bytes`: the client may send as many more (flow control).
    virtual void credit(size_t bytes) = 0;
    /// Ends the stream; tells the client why, unless it knows.
    virtual void let_go(StreamEnd why) = 0;
    /// Tells the client that it need not send the rest.
    virtual void want_no_more() = 0;

    const bool secure;
    bool input_ended = false;  ///< the client sends no more
    size_t held_bytes = 0;     ///< received, not credited to the client yet

  protected:
    explicit Stream(bool secure_) : secure(secure_) {}
};

}  // namespace sluice
