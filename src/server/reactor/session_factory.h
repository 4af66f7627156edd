#pragma once

#include <span>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice {

class SessionHost;
struct Connection;

/// Begins the sessions of protocols. Each call ends the connection's former session.
class SessionFactory {
  public:
    virtual ~SessionFactory() = default;

    /// Begins the session of an accepted connection, by its listener's kind.
    virtual void begin(SessionHost& host, Connection& self) const = 0;
    /// HTTP/2 was negotiated or has begun; `kept`: its first bytes, already read.
    virtual void begin_http2(SessionHost& host, Connection& self, std::string kept) const = 0;
    /// A request has begun a stream of HTTP/2. Copies the request.
    virtual void begin_stream(SessionHost& host, Connection& self, const http::RequestHead& head,
                              std::span<const http::Field> fields, std::string_view text) const = 0;
};

}  // namespace sluice
