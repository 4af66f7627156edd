#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Why a stream ends before both sides have said that it does.
enum class StreamEnd : uint8_t {
    kCancelled,  ///< nobody wants to go on with it
    kBroken,     ///< what was begun cannot be completed
};

/// What makes a Connection a stream of another one: it has no socket, its bytes come and go by what carries
/// it. To everybody else, workers included, it is a connection like any other.
class Stream {
  public:
    virtual ~Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// Nothing comes or goes any more. Nothing below may be called then.
    virtual bool is_over() const = 0;
    /// There is more to be sent, or nothing will follow.
    virtual void wants_flush() = 0;
    /// Bytes that its session has taken may be replaced by the client.
    virtual void credit(size_t bytes) = 0;
    /// It is over; the client is told why, unless it knows.
    virtual void let_go(StreamEnd why) = 0;
    /// The client is told that it need not send the rest.
    virtual void want_no_more() = 0;

    const bool secure;
    bool input_ended = false;  ///< the client sends no more
    size_t held_bytes = 0;     ///< received, not credited to the client yet

  protected:
    explicit Stream(bool secure_) : secure(secure_) {}
};

}  // namespace sluice
