#pragma once

#include <cstdint>
#include <span>
#include <sys/types.h>
#include <vector>

#include "server/reactor/session.h"

struct iovec;

namespace sluice {

class Admission;
class ConnectionLife;
class ConnectionTable;
struct PendingInput;
class ProxyHeaders;
class ServeList;
struct Commons;

/// Brings bytes from clients to their sessions: from a socket, after the PROXY header and TLS, or from the
/// connection that carries a stream.
class Input {
  public:
    struct Wiring {
        const Commons& commons;
        SessionHost& host;
        const ConnectionTable& table;
        ServeList& serve_list;
        Admission& admission;
        ProxyHeaders& proxies;
        ConnectionLife& life;
    };
    explicit Input(const Wiring& wiring);

    /// Does what can be done for a connection now: reads it, or proceeds with its end.
    void serve(Connection& connection);
    /// Bytes of a stream have come, or its end.
    void receive_for_stream(Connection& stream, std::span<char> input);

    uint64_t bytes_received() const { return bytes_received_; }

  private:
    bool read_proxy_header(Connection& connection);
    bool shake_hands(Connection& connection);
    bool answer_plain_http(Connection& connection);
    Progress consume(Connection& connection, std::span<char> input,
                     std::unique_ptr<PendingInput> owner = nullptr);
    void read_from(Connection& connection);
    ssize_t receive(Connection& connection, const iovec* parts, int count);
    ssize_t receive_tls(Connection& connection, const iovec* parts, int count);
    void discard(Connection& connection);
    void settle_stream(Connection& stream);

    const Wiring to_;
    std::vector<char> scratch_;  ///< receives bytes that have no message's room to go to
    uint64_t bytes_received_ = 0;
};

}  // namespace sluice
