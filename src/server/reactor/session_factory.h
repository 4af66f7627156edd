#pragma once

#include <span>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice {

class SessionHost;
struct Connection;

/// Which protocol begins where. Each call ends the session that the connection has had.
class SessionFactory {
  public:
    virtual ~SessionFactory() = default;

    /// On a connection that was accepted, by the kind of its listener.
    virtual void begin(SessionHost& host, Connection& self) const = 0;
    /// HTTP/2 was agreed on or has begun; `kept`: its first bytes that have been read already.
    virtual void begin_http2(SessionHost& host, Connection& self, std::string kept) const = 0;
    /// A request has begun a stream of HTTP/2. All of it is copied.
    virtual void begin_stream(SessionHost& host, Connection& self, const http::RequestHead& head,
                              std::span<const http::Field> fields, std::string_view text) const = 0;
};

}  // namespace sluice
