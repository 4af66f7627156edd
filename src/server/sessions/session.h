#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "protocol/http/http1_body.h"
#include "protocol/http/http1_parser.h"
#include "protocol/framing/tcp_framing.h"
#include "protocol/websocket/websocket_handshake.h"
#include "protocol/websocket/websocket_receiver.h"
#include "server/sessions/access_trail.h"
#include "server/sessions/backlog.h"
#include "server/reactor/compression.h"
#include "server/config/endpoints.h"
#include "server/sessions/heartbeat.h"
#include "server/sessions/message_room.h"
#include "server/seam/messages.h"
#include "server/sessions/request_body.h"
#include "server/reactor/shared_message.h"
#include "server/reactor/topics.h"

namespace sluice {

class Reactor;
struct Connection;

/// What a session made of its input.
enum class Progress : uint8_t {
    kMore,      ///< all consumed: read on
    kWait,      ///< memory or a worker is short: keep the rest of the input and try again soon
    kBlocked,   ///< nothing goes on before this session itself says so (HTTP: before the response)
    kSwitched,  ///< the connection has another session now, which takes the rest of the input
    kClosed,    ///< the connection has been closed or is closing: input is of no use any more
};

/// From this size on the next message of a connection is awaited with an almost empty scratch buffer, so that
/// its payload goes from the socket to its slot; below it, one big read for several messages and one copy
/// each costs less.
inline constexpr size_t kBulkThreshold = 32768;

/// Hands a WebSocket or TCP message to the connection's worker. `room`: its payload stands there, the whole
/// of `holder`; otherwise it stands in the input and is copied, from kSlotThreshold on to a slot.
void deliver_message(Reactor& reactor, Connection& self, Inbound& message, Room room, MessageRoom& holder);

/// Each session drives one protocol of src/protocol for one connection: bytes in, messages to a worker, and
/// commands of workers back to bytes. All have the same shape:
///
///     window, filled   where bytes may be received straight into the message, and that they were
///     progressed       part of what the window waits for has come
///     consume          takes input
///     ended            the peer will send no more
///     deadline         the connection's deadline has passed
///     release          gives memory back before the connection is destroyed

/// HTTP/1.1: one request at a time; the next one is read when the response is complete.
class HttpSession {
  public:
    std::span<char> window();
    void filled(size_t bytes);
    void progressed(Reactor& reactor, Connection& self);
    Progress consume(Reactor& reactor, Connection& self, std::span<char>& input);
    void ended(Reactor& reactor, Connection& self);
    void deadline(Reactor& reactor, Connection& self);
    void release(Reactor& reactor);
    bool receives_in_bulk() const { return false; }

    void respond(Reactor& reactor, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload);
    void respond_more(Reactor& reactor, Connection& self, int worker, const Command& command,
                      Ref<Payload> payload);
    /// All that was queued has been sent.
    void sent(Reactor& reactor, Connection& self);
    /// The connection ends with what is queued.
    void cut(Reactor& reactor, Connection& self);
    /// The worker that had the request is dead; `executing`: it had begun with it.
    void worker_lost(Reactor& reactor, Connection& self);
    /// The client has closed its side of the connection.
    void peer_left(Reactor& reactor, Connection& self);
    void moved_to(int worker) { worker_ = static_cast<int16_t>(worker); }
    /// On a stream of HTTP/2: its request. All of it is copied.
    void begin_stream(Reactor& reactor, Connection& self, const http::RequestHead& head,
                      std::span<const http::Field> fields, std::string_view text);
    /// No further request after the current one.
    void stop_keeping_alive(Reactor& reactor, Connection& self);
    /// The handler has begun to read the body, which is arriving.
    void want_body(Reactor& reactor, Connection& self, int worker, const Command& command);
    bool awaits_response() const { return state_ == State::kAwaiting; }
    /// A WebSocket's handshake is being decided on: of no use any more once the client has shut its side.
    bool asks_handler() const { return asking_; }
    int worker() const { return worker_; }
    uint32_t request() const { return request_; }

  private:
    enum class State : uint8_t {
        kHead,      ///< between requests, or in the middle of a head
        kRequest,   ///< HTTP/2: the head is kept in `exchange_`, nothing has been done about it
        kBody,      ///< the head is kept in `exchange_`
        kDispatch,  ///< complete in `exchange_`; no worker can take it yet
        kAwaiting,  ///< a worker has it; the rest of a streamed body may still be in `exchange_`
        kDrain,     ///< answered; what is left of its body is thrown away
        kGranted,   ///< a worker has accepted the handshake in `exchange_`; none can take the opening yet
        kFailed,    ///< an error has been answered
    };
    /// A request that did not arrive in one piece.
    struct Exchange {
        http1::HeadParser parser;
        std::string text;
        http::RequestHead head;
        std::vector<http::Field> fields;
        http1::BodyReceiver body;
        RequestBody incoming;
        uint64_t paced_bytes = 0;     ///< of the body, that `body_due_ms` knows of
        uint64_t body_due_ms = 0;     ///< for the next bytes of the body; 0: none is waited for
        uint64_t request_due_ms = 0;  ///< for the response, while the body arrives; 0: none
        uint64_t drained_bytes = 0;   ///< kDrain
        bool reader_gone = false;     ///< kAwaiting: the handler reads no more of the body
        std::string granted_fields, granted_protocol;  ///< kGranted
    };
    struct RequestView {
        const http::RequestHead* head;
        std::span<const http::Field> fields;
        std::string_view text;
    };

    Progress read_head(Reactor& reactor, Connection& self, std::span<char>& input);
    bool meets_preface(Reactor& reactor, Connection& self, std::span<char>& input, Progress& progress);
    Progress begin(Reactor& reactor, Connection& self, std::span<char>& rest, const http::RequestHead& head,
                   std::span<const http::Field> fields, std::string_view text);
    Progress read_body(Reactor& reactor, Connection& self, std::span<char>& input);
    void say_continue(Reactor& reactor, Connection& self);
    Progress feed_stream(Reactor& reactor, Connection& self, std::span<char>& input);
    Progress drain_body(Reactor& reactor, Connection& self, std::span<char>& input);
    void keep_exchange(const http::RequestHead& head, std::span<const http::Field> fields,
                       std::string_view text);
    bool streams_body() const { return exchange_ && exchange_->incoming.is_stream(); }
    bool may_drain() const;
    void begin_to_drain(Reactor& reactor, Connection& self);
    void fail_stream(Reactor& reactor, Connection& self, const http::Error& error);
    void note_body_progress(Reactor& reactor, Connection& self);
    void arm_body(Reactor& reactor, Connection& self);
    void drop_exchange(Reactor& reactor);
    Progress dispatch(Reactor& reactor, Connection& self, const http::RequestHead& head,
                      std::span<const http::Field> fields, std::string_view text, std::string_view body,
                      Room room);
    Progress upgrade(Reactor& reactor, Connection& self, int route, const http::RequestHead& head,
                     std::span<const http::Field> fields, std::string_view text);
    Progress ask(Reactor& reactor, Connection& self, int route, const http::RequestHead& head,
                 std::span<const http::Field> fields, std::string_view text);
    void stop_asking(Reactor& reactor);
    void granted(Reactor& reactor, Connection& self, const Command& command);
    Progress become_websocket(Reactor& reactor, Connection& self, int route, const RequestView& request,
                              std::string_view protocol, std::string_view fields_of_handler);
    Progress fail(Reactor& reactor, Connection& self, const http::Error& error);
    void remember(const http::RequestHead& head);
    Progress refuse_websocket(Reactor& reactor, Connection& self, const websocket::HandshakeRefusal& refusal);
    void write_early_hints(Reactor& reactor, Connection& self, const Command& command);
    void write_body(Reactor& reactor, Connection& self, const Command& command, Ref<Payload> payload);
    void complete(Reactor& reactor, Connection& self);
    void begin_next(Reactor& reactor, Connection& self);
    void await_request(Reactor& reactor, Connection& self);
    void respond_with_error(Reactor& reactor, Connection& self, uint16_t status, std::string_view text);

    std::unique_ptr<Exchange> exchange_;
    AccessTrail access_;
    uint32_t request_ = 0;
    int16_t worker_ = kNoWorker;
    State state_ = State::kHead;
    uint8_t version_minor_ = 1;
    bool keep_alive_ : 1 = true;
    bool is_head_ : 1 = false;
    bool head_sent_ : 1 = false;
    bool chunked_ : 1 = false;
    bool drops_body_ : 1 = false;
    bool asking_ : 1 = false;          ///< kAwaiting: the application decides on a WebSocket's handshake
    bool awaits_sending_ : 1 = false;  ///< the next request is read when this response has been sent
    bool cancelled_ : 1 = false;       ///< the worker has been told that nobody waits for the response
};

class WebSocketSession {
    /// What is handed to the queue at a time, where what is in the queue can no longer be dropped.
    static constexpr size_t kHandOnBytes = 65536;

  public:
    /// `compression`: what was negotiated, nullptr for nothing.
    WebSocketSession(const websocket::Limits& limits, std::unique_ptr<ConnectionCompression> compression)
        : receiver_(limits, websocket::Role::kServer, compression != nullptr),
          compression_(std::move(compression)) {}

    std::span<char> window() { return receiver_.window(); }
    void filled(size_t bytes) { receiver_.filled(bytes); }
    void progressed(Reactor& reactor, Connection& self);
    /// Once the connection is this session's.
    void begin(Reactor& reactor, Connection& self, const EndpointSpec& spec);
    Progress consume(Reactor& reactor, Connection& self, std::span<char>& input);
    void ended(Reactor& reactor, Connection& self);
    void deadline(Reactor& reactor, Connection& self);
    void release(Reactor& reactor);
    bool receives_in_bulk() const { return bulk_ && !receiver_.inflates(); }

    void send(Reactor& reactor, Connection& self, const Command& command, Ref<Payload> payload);
    void send_shared(Reactor& reactor, Connection& self, SharedMessage& message);
    void ping(Reactor& reactor, Connection& self, std::string_view payload);
    /// Starts the close handshake; a repeated close does nothing.
    void close(Reactor& reactor, Connection& self, uint16_t code, std::string_view reason);
    bool is_open() const { return state_ == State::kOpen; }
    /// SlowClient::kDropOldest: gives the queue more of what the client is behind with, as it takes it.
    void hand_on(Connection& self, size_t most_bytes = kHandOnBytes);
    bool holds_back() const { return state_ == State::kOpen && backlog_; }
    size_t held_back_bytes() const { return holds_back() ? backlog_->bytes() : 0; }
    const ConnectionCompression* compression() const { return compression_.get(); }
    Topics::Subscriptions& subscriptions() { return subscriptions_; }

  private:
    enum class State : uint8_t {
        kOpen,
        kClosing,  ///< our close frame is out, the peer's is awaited
        kClosed,
    };
    Progress deliver(Reactor& reactor, Connection& self);
    void free_taken_room(Reactor& reactor);
    bool lend_inflater(Reactor& reactor);
    void return_inflater(Reactor& reactor);
    bool make_room(Reactor& reactor, Connection& self, size_t bytes);
    void hold_back(Reactor& reactor, Connection& self, Ref<Payload> frame);
    bool is_behind(const Connection& self, size_t bytes) const;
    void write_control(Connection& self, websocket::Opcode opcode, std::string_view payload);
    void take_pong(Reactor& reactor, Connection& self, std::string_view payload);
    void beat(Reactor& reactor, Connection& self);
    void lose_contact(Reactor& reactor, Connection& self);
    void arm(Reactor& reactor, Connection& self);

    websocket::Receiver receiver_;
    MessageRoom room_;
    std::unique_ptr<ConnectionCompression> compression_;
    Topics::Subscriptions subscriptions_;
    std::unique_ptr<Backlog> backlog_;
    std::unique_ptr<Heartbeat> heartbeat_;  ///< when pings are sent, by us or by the application
    uint64_t message_due_ms_ = 0;           ///< for the next bytes of a message; 0: none is on its way
    State state_ = State::kOpen;
    SlowClient slow_client_ = SlowClient::kDropNewest;
    bool bulk_ = false;
};

class TcpSession {
  public:
    explicit TcpSession(std::shared_ptr<const Endpoints::Endpoint> endpoint)
        : endpoint_(std::move(endpoint)), receiver_(endpoint_->spec.framing) {}

    std::span<char> window() { return receiver_.window(); }
    void filled(size_t bytes) { receiver_.filled(bytes); }
    void progressed(Reactor& reactor, Connection& self);
    Progress consume(Reactor& reactor, Connection& self, std::span<char>& input);
    void ended(Reactor& reactor, Connection& self);
    void deadline(Reactor& reactor, Connection& self);
    void release(Reactor& reactor);
    bool receives_in_bulk() const { return bulk_; }

    void send(Reactor& reactor, Connection& self, const Command& command, Ref<Payload> payload);

  private:
    std::shared_ptr<const Endpoints::Endpoint> endpoint_;
    tcp::Receiver receiver_;
    MessageRoom room_;
    bool opened_ = false;
    bool bulk_ = false;
};

class Http2Carrier;

/// HTTP/2: carries streams, which are connections with sessions of their own.
class Http2Session {
  public:
    Http2Session();
    ~Http2Session();
    Http2Session(Http2Session&&) = delete;

    /// Once the connection is this session's. `kept`: its first input.
    void begin(Reactor& reactor, Connection& self, std::string kept);
    std::span<char> window() { return {}; }
    void filled(size_t) {}
    void progressed(Reactor&, Connection&) {}
    Progress consume(Reactor& reactor, Connection& self, std::span<char>& input);
    void ended(Reactor& reactor, Connection& self);
    void deadline(Reactor& reactor, Connection& self);
    void release(Reactor& reactor);
    bool receives_in_bulk() const { return false; }

    /// The server drains: it ends when its streams have ended.
    void stop();
    /// Moves what streams have to send into the connection's queue, a part of it at a time.
    void fill();
    bool has_more() const;

  private:
    std::unique_ptr<Http2Carrier> carrier_;
};

using Session = std::variant<HttpSession, WebSocketSession, TcpSession, Http2Session>;

}  // namespace sluice
