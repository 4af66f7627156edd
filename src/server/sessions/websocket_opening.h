#pragma once

#include <memory>
#include <string>

#include "core/state_machine.h"
#include "server/reactor/session.h"
#include "server/sessions/http_exchange.h"

namespace sluice {

/// The state of a WebSocket's handshake.
enum class OpeningState : uint8_t {
    kOffered,   ///< not checked yet, or no worker is free
    kDeciding,  ///< the application decides on it
    kRefusing,  ///< the application has refused, and its response is being written
    kGranted,   ///< the application has accepted; no worker can take the opening yet
    kEnded,     ///< refused
};
bool may_follow(OpeningState state, OpeningState next);

/// The session between HttpSession and WebSocketSession, on HTTP/1.1 or a stream of HTTP/2: handles the
/// handshake at a route for WebSockets.
class WebSocketOpening final : public Session {
  public:
    /// `exchange` has kept the request. `number`: that of the connection's next request.
    WebSocketOpening(HttpExchange exchange, uint16_t route, uint32_t number);

    Activity activity(const Connection&) const override { return Activity::kHandling; }
    Progress consume(SessionHost& host, Connection& self, std::span<char>& input) override;
    void ended(SessionHost& host, Connection& self) override;
    void peer_left(SessionHost& host, Connection& self) override;
    void sent(SessionHost& host, Connection& self) override;
    void command(SessionHost& host, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload) override;
    AwaitedResponse awaited_response() const override { return exchange_.awaited(); }
    void moved_to(SessionHost& host, Connection& self, uint32_t, int worker) override {
        exchange_.moved_to(host, self, worker);
    }
    void worker_lost(SessionHost& host, Connection& self) override;
    void deadline(SessionHost& host, Connection& self) override;
    void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) override;
    void stop(SessionHost& host, Connection& self) override;
    void cut(SessionHost& host, Connection& self) override;
    void release(SessionHost& host) override;

  private:
    using State = OpeningState;
    /// The application's.
    struct Decision {
        uint64_t client;               ///< of whose handshakes it is one, while it is decided on
        std::string protocol, fields;  ///< kGranted: what was chosen
    };

    const IncomingRequest& request() const { return *exchange_.incoming(); }
    Progress check(SessionHost& host, Connection& self);
    Progress ask(SessionHost& host, Connection& self);
    bool is_being_decided() const { return state_ == State::kDeciding || state_ == State::kRefusing; }
    void decided(SessionHost& host, State next);
    void answered(SessionHost& host, Connection& self, HttpExchange::Answered answered);
    Progress become_websocket(SessionHost& host, Connection& self, std::string_view protocol,
                              std::string_view fields);
    Progress fail(SessionHost& host, Connection& self, const http::Error& error);
    Progress end(SessionHost& host, Connection& self);

    HttpExchange exchange_;
    uint32_t number_;
    uint16_t route_;
    StateMachine<State> state_{State::kOffered};
    std::unique_ptr<Decision> decision_;  ///< from kDeciding on
};

}  // namespace sluice
