#pragma once

#include <cstdint>
#include <span>

namespace sluice {

class AddressLimits;
class SessionHost;
struct Commons;
struct Connection;

/// The headers of the PROXY protocol, which say who a connection's client is.
class ProxyHeaders {
  public:
    ProxyHeaders(const Commons& commons, AddressLimits& addresses, SessionHost& host)
        : commons_(commons), addresses_(addresses), host_(host) {}

    enum class Outcome : uint8_t {
        kDone,      ///< the connection's own bytes follow
        kNothing,   ///< nothing has come yet, not even a header's beginning
        kAwaiting,  ///< the rest of one is
        kRefused,   ///< the connection is to be closed
    };
    /// Reads the header that stands in the socket, if one does. The header is looked at where it waits, so
    /// that no memory is taken for it and TLS finds its first byte first. `scratch`: for
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
