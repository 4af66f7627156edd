#pragma once

#include <memory>

#include "core/state_machine.h"
#include "protocol/framing/tcp_framing.h"
#include "server/config/endpoints.h"
#include "server/reactor/session.h"
#include "server/sessions/arriving_message.h"
#include "server/sessions/message_pace.h"

namespace sluice {

/// The state of a TCP connection.
enum class TcpState : uint8_t {
    kAccepted,  ///< no worker knows of it
    kOpen,
    kEnded,  ///< closed once the queue is written
};
bool may_follow(TcpState state, TcpState next);

/// TCP: framed messages in both directions.
class TcpSession final : public Session {
  public:
    explicit TcpSession(std::shared_ptr<const Endpoints::Endpoint> endpoint)
        : endpoint_(std::move(endpoint)) {}

    bool is_conversation() const override { return true; }
    ConnectionProtocol protocol() const override { return ConnectionProtocol::kTcp; }
    Activity activity(const Connection& self) const override;
    void connected(SessionHost& host, Connection& self) override;
    std::span<char> window() override { return arriving_ ? arriving_->receiver.window() : std::span<char>{}; }
    void filled(size_t bytes) override {
        pace_.came(bytes);
        arriving_->receiver.filled(bytes);
    }
    void progressed(SessionHost& host, Connection& self) override;
    Progress consume(SessionHost& host, Connection& self, std::span<char>& input) override;
    size_t unfinished_bytes() const override { return arriving_ ? arriving_->room.extent_bytes() : 0; }
    void give_up_unfinished(SessionHost& host, Connection& self) override;
    bool receives_in_bulk() const override { return bulk_; }
    void ended(SessionHost& host, Connection& self) override;
    void command(SessionHost& host, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload) override;
    void handled(SessionHost& host, Connection& self) override;
    void deadline(SessionHost& host, Connection& self) override;
    uint32_t most_idle_ms() const override { return endpoint_->spec.limits.tcp.idle_ms; }
    void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) override;
    void stop(SessionHost& host, Connection& self) override;
    void release(SessionHost& host) override;

  private:
    using State = TcpState;

    void end(SessionHost& host, Connection& self);
    void send(SessionHost& host, Connection& self, std::string_view bytes, Ref<Payload> payload);

    std::shared_ptr<const Endpoints::Endpoint> endpoint_;
    std::unique_ptr<ArrivingMessage<tcp::Receiver>> arriving_;  ///< nullptr: between two messages
    MessagePace pace_;
    StateMachine<State> state_{State::kAccepted};
    bool bulk_ = false;
    bool was_long_ = false;  ///< the last message stood in an extent
};

}  // namespace sluice
