#pragma once

#include <memory>
#include <string>

#include "server/reactor/session.h"

namespace sluice {

class Http2Carrier;

/// HTTP/2: carries streams, which are connections with sessions of their own.
class Http2Session final : public Session {
  public:
    Http2Session();
    ~Http2Session() override;

    /// Call it once the connection has this session. `kept`: its first input.
    void begin(SessionHost& host, Connection& self, std::string kept);

    ConnectionProtocol protocol() const override { return ConnectionProtocol::kHttp2; }
    Activity activity(const Connection& self) const override;
    Progress consume(SessionHost& host, Connection& self, std::span<char>& input) override;
    void ended(SessionHost& host, Connection& self) override;
    /// Moves a part of the streams' bytes into the connection's queue.
    void fill_queue(Connection& self) override;
    void sent(SessionHost& host, Connection& self) override;
    /// Nothing to do: workers know the streams, not this connection.
    void command(SessionHost&, Connection&, int, const Command&, Ref<Payload>) override {}
    void deadline(SessionHost& host, Connection& self) override;
    void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) override;
    /// Ends the connection once its streams have ended.
    void stop(SessionHost& host, Connection& self) override;
    void release(SessionHost& host) override;

  private:
    std::unique_ptr<Http2Carrier> carrier_;
};

}  // namespace sluice
