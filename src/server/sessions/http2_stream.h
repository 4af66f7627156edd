#pragma once

#include <optional>
#include <string_view>

#include "protocol/http2/http2_server.h"
#include "server/reactor/connection.h"
#include "server/reactor/stream.h"

namespace sluice {

/// What an HTTP/2 connection provides to its streams.
class Http2StreamOwner {
  public:
    virtual http2::Server& server() = 0;
    virtual Connection& connection() = 0;
    /// A stream has frames for the client.
    virtual void wants_flush() = 0;
    /// The stream is over.
    virtual void forget(int32_t number) = 0;

  protected:
    ~Http2StreamOwner() = default;
};

/// One stream of an HTTP/2 connection.
class Http2Stream final : public Stream {
  public:
    Http2Stream(Http2StreamOwner& owner, int32_t number_, bool secure_, bool wraps_body_)
        : Stream(secure_), number(number_), wraps_body(wraps_body_), owner_(&owner) {}
    ~Http2Stream() override;

    bool is_over() const override { return !owner_; }
    bool awaits_server() const override { return owner_ && owner_->connection().awaits_server(); }
    void wants_flush() override;
    void credit(size_t bytes) override;
    void let_go(StreamEnd why) override;
    void want_no_more() override;

    /// Sends an interim response (1xx).
    void inform(uint16_t status, std::string_view field_lines);
    void respond(uint16_t status, std::string_view date, std::string_view field_lines,
                 std::optional<uint64_t> length, bool has_body);
    void set_trailers(std::string_view field_lines);

    /// The connection that carries the stream; only while that is not over.
    Connection& parent() { return owner_->connection(); }
    /// The connection has ended the stream, or has ended itself.
    void cut_off() { owner_ = nullptr; }
    /// Credits the client for all bytes that the stream holds (flow control).
    void credit_rest();

    const int32_t number;
    const bool wraps_body;  ///< a body of unknown length goes to the session as chunks

  private:
    Http2StreamOwner* owner_;  ///< nullptr: the stream is over
};

/// The connection's stream, which must exist: all streams are Http2Streams.
inline Http2Stream& stream_of(Connection& connection) {
    return static_cast<Http2Stream&>(*connection.stream());
}

/// The client's connection: `connection` itself, or the one that carries it.
inline Connection& client_of(Connection& connection) {
    return connection.stream() ? stream_of(connection).parent() : connection;
}

}  // namespace sluice
