#pragma once

#include <optional>
#include <string_view>

#include "protocol/http2/http2_server.h"
#include "server/reactor/connection.h"
#include "server/reactor/stream.h"

namespace sluice {

/// What its streams need of an HTTP/2 connection.
class Http2StreamOwner {
  public:
    virtual http2::Server& server() = 0;
    virtual Connection& connection() = 0;
    /// What a stream has done is to be told to the client.
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
    void wants_flush() override;
    void credit(size_t bytes) override;
    void let_go(StreamEnd why) override;
    void want_no_more() override;

    /// A response before the final one.
    void inform(uint16_t status, std::string_view field_lines);
    void respond(uint16_t status, std::string_view date, std::string_view field_lines,
                 std::optional<uint64_t> length, bool has_body);
    void set_trailers(std::string_view field_lines);

    /// The connection that it is one of; not when it is over.
    Connection& parent() { return owner_->connection(); }
    /// The connection has ended it, or has ended itself.
    void cut_off() { owner_ = nullptr; }
    /// All that it holds may be replaced by the client.
    void credit_rest();

    const int32_t number;
    const bool wraps_body;  ///< a body of unknown length goes to the session as chunks

  private:
    Http2StreamOwner* owner_;  ///< nullptr: the stream is over
};

/// Of a connection that has one: there are no others than these.
inline Http2Stream& stream_of(Connection& connection) {
    return static_cast<Http2Stream&>(*connection.stream);
}

/// What the client has connected: the connection itself, or that of which it is a stream.
inline Connection& client_of(Connection& connection) {
    return connection.stream ? stream_of(connection).parent() : connection;
}

}  // namespace sluice
