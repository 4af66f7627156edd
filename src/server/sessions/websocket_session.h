#pragma once

#include <memory>

#include "core/state_machine.h"
#include "protocol/websocket/websocket_receiver.h"
#include "server/config/choices.h"
#include "server/reactor/compression.h"
#include "server/reactor/session.h"
#include "server/sessions/arriving_message.h"
#include "server/sessions/backlog.h"
#include "server/sessions/heartbeat.h"
#include "server/sessions/message_pace.h"

namespace sluice {

struct EndpointSpec;

/// The state of a WebSocket.
enum class WebSocketState : uint8_t {
    kOpen,
    kFailing,  ///< protocol error by the peer: reads no more, but earlier messages are answered
    kClosing,  ///< our close frame is queued, the peer's is awaited
    kClosed,
};
bool may_follow(WebSocketState state, WebSocketState next);

/// WebSocket: messages in both directions.
class WebSocketSession final : public Session {
    /// How much moves from the backlog to the queue at a time: queued messages cannot be dropped.
    static constexpr size_t kHandOnBytes = 65536;

  public:
    /// `compression`: as negotiated; nullptr: none.
    explicit WebSocketSession(std::unique_ptr<ConnectionCompression> compression)
        : compression_(std::move(compression)) {}

    /// Call it once the connection has this session.
    void begin(SessionHost& host, Connection& self, const EndpointSpec& spec);

    bool is_conversation() const override { return true; }
    ConnectionProtocol protocol() const override { return ConnectionProtocol::kWebSocket; }
    Activity activity(const Connection& self) const override;
    std::span<char> window() override { return arriving_ ? arriving_->receiver.window() : std::span<char>{}; }
    void filled(size_t bytes) override {
        pace_.came(bytes);
        arriving_->receiver.filled(bytes);
    }
    void progressed(SessionHost& host, Connection& self) override;
    Progress consume(SessionHost& host, Connection& self, std::span<char>& input) override;
    size_t unfinished_bytes() const override {
        return arriving_ && state_ != State::kFailing ? arriving_->room.extent_bytes() : 0;
    }
    void give_up_unfinished(SessionHost& host, Connection& self) override;
    bool receives_in_bulk() const override { return bulk_ && !(arriving_ && arriving_->receiver.inflates()); }
    void ended(SessionHost& host, Connection& self) override;
    void fill_queue(Connection& self) override { hand_on(self, kHandOnBytes); }
    void sent(SessionHost& host, Connection& self) override;
    size_t held_back_bytes() const override { return holds_back() ? backlog_->bytes() : 0; }
    void command(SessionHost& host, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload) override;
    void handled(SessionHost& host, Connection& self) override;
    void send_shared(SessionHost& host, Connection& self, SharedMessage& message) override;
    Topics::Subscriptions* subscriptions() override;
    void deadline(SessionHost& host, Connection& self) override;
    uint32_t most_idle_ms() const override { return is_open() ? idle_ms_ : 0; }
    /// Starts the close handshake; a repeated close does nothing.
    void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) override;
    void stop(SessionHost& host, Connection& self) override;
    void release(SessionHost& host) override;

  private:
    using State = WebSocketState;
    bool is_open() const { return state_ == State::kOpen; }
    /// Whether messages still go to the client.
    bool sends() const { return state_ <= State::kFailing; }
    void send(SessionHost& host, Connection& self, bool binary, std::string_view message,
              Ref<Payload> payload);
    void ping(SessionHost& host, Connection& self, std::string_view payload);
    /// SlowClient::kDropOldest: moves up to `most_bytes` of the backlog to the queue.
    void hand_on(Connection& self, size_t most_bytes);
    bool holds_back() const { return sends() && backlog_; }
    Progress deliver(SessionHost& host, Connection& self);
    void begin_to_arrive(const SessionHost& host, const Connection& self);
    void leave_topics(SessionHost& host);
    void free_taken_room(SessionHost& host);
    bool lend_inflater(SessionHost& host);
    void return_inflater(SessionHost& host);
    bool make_room(SessionHost& host, Connection& self, size_t bytes);
    void hold_back(SessionHost& host, Connection& self, Ref<Payload> frame);
    bool is_behind(const Connection& self, size_t bytes) const;
    void fail(SessionHost& host, Connection& self);
    void set_close_by_error(Connection& self);
    void end_failing(SessionHost& host, Connection& self);
    bool may_need_worker(SessionHost& host, const Connection& self, std::span<const char> input) const;
    bool tells_of_pongs(SessionHost& host, const Connection& self) const;
    void write_control(Connection& self, websocket::Opcode opcode, std::string_view payload);
    void take_pong(SessionHost& host, Connection& self, std::string_view payload);
    void beat(SessionHost& host, Connection& self);
    void lose_contact(SessionHost& host, Connection& self);
    void arm(SessionHost& host, Connection& self);

    std::unique_ptr<ArrivingMessage<websocket::Receiver>> arriving_;  ///< nullptr: between two messages
    std::unique_ptr<ConnectionCompression> compression_;
    std::unique_ptr<Topics::Subscriptions> subscriptions_;
    std::unique_ptr<Backlog> backlog_;
    std::unique_ptr<Heartbeat> heartbeat_;  ///< while pings are sent, by us or by the application
    MessagePace pace_;
    StateMachine<State> state_{State::kOpen};
    SlowClient slow_client_ = SlowClient::kDropNewest;
    bool bulk_ = false;
    bool was_long_ = false;  ///< the last message stood in an extent
    uint32_t idle_ms_ = 0;
};

}  // namespace sluice
