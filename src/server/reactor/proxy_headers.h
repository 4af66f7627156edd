#pragma once

#include <cstdint>
#include <span>

namespace sluice {

class AddressLimits;
class SessionHost;
struct Commons;
struct Connection;

/// Reads headers of the PROXY protocol, which name a connection's client.
class ProxyHeaders {
  public:
    ProxyHeaders(const Commons& commons, AddressLimits& addresses, SessionHost& host)
        : commons_(commons), addresses_(addresses), host_(host) {}

    enum class Outcome : uint8_t {
        kDone,      ///< the connection's own bytes follow
        kNothing,   ///< nothing has come yet, not even a header's beginning
        kAwaiting,  ///< the rest of a header is still to come
        kRefused,   ///< the connection is to be closed
    };
    /// Reads the header that waits in the socket, if there is one. It peeks (MSG_PEEK) before it takes,
    /// so that no memory is kept and TLS finds its own first byte. `scratch` has
    /// proxy::kMaxHeaderBytes.
    Outcome read(Connection& connection, std::span<char> scratch);

  private:
    Outcome refuse(const Connection& connection, const char* why);

    const Commons& commons_;
    AddressLimits& addresses_;
    SessionHost& host_;
    uint64_t refused_ = 0;
};

}  // namespace sluice
