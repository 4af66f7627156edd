#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/timer_wheel.h"
#include "io/event_loop.h"
#include "io/poller.h"
#include "protocol/http/http1_parser.h"
#include "protocol/http/http_date.h"
#include "server/config/choices.h"
#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/reactor/compression.h"
#include "server/reactor/connection.h"
#include "server/reactor/open_files.h"
#include "server/reactor/questions.h"
#include "server/reactor/topics.h"
#include "server/reactor/udp_listeners.h"
#include "server/seam/request_file.h"
#include "server/seam/shared_layout.h"
#include "server/seam/transport.h"

namespace sluice {

/// One event loop that owns client connections: accepts them, drives their sessions, hands messages to
/// workers through its transport and carries out their commands. The same in both modes. Everything but
/// post() and wake() belongs to its own thread.
class Reactor final : public TransportEvents {
  public:
    struct Wiring {
        const SharedLayout* layout;
        unsigned index;
        Transport* transport;
        int doorbell;  ///< rung by workers and by post(); stays the caller's
        Limits limits;
        std::string temporary_folder = {};  ///< for bodies of requests; empty: /tmp
    };
    explicit Reactor(const Wiring& wiring);
    ~Reactor() override;

    // -- Running it

    /// Waits at most `timeout_ms` (-1: no limit) for something to do and does it.
    void turn(int timeout_ms);
    /// Something else to wait for: while it is readable, turn() returns early and `watched_ready` tells.
    void watch(int fd);
    bool watched_ready() const { return watched_ready_; }
    /// For the code that shares this loop, as EventLoop has them.
    bool watch_once(int fd, uint32_t events);
    void take_ready(std::vector<ReadyFd>& ready);

    using Task = std::function<void(Reactor&)>;
    /// Runs a task in the reactor's thread. From any thread.
    void post(Task task);

    // -- Told by the master

    /// Which endpoints there are; those that are listeners of this reactor come with add_listener.
    void set_endpoints(std::shared_ptr<const Endpoints> endpoints);
    void add_listener(uint16_t endpoint, UniqueFd fd);
    void remove_listener(uint16_t endpoint);
    /// Accepts nothing more and closes what is idle, the rest when it becomes so.
    void begin_shutdown();
    bool is_empty() const { return connections_ == 0 && udp_.is_empty(); }
    /// What the log calls the worker in a slot from now on, as the master does.
    void name_worker(int worker, std::string name) { names_[static_cast<size_t>(worker)] = std::move(name); }
    /// A worker is gone; its transport has been told, now the connections that still waited for it.
    void worker_gone(int worker);
    /// HTTP responses that a worker still owes.
    uint32_t responses_owed(int worker) const { return owed_[static_cast<size_t>(worker)]; }
    /// Where on_corrupt goes.
    std::function<void(int worker)> report_corrupt;
    /// Publishes to the other reactors of this process.
    std::function<void(const std::string& topic, Ref<SharedMessage> message, ConnectionId except)>
        publish_to_others;

    // -- TransportEvents

    void on_command(int worker, const Command& command, Ref<Payload> payload) override;
    void on_finished(ConnectionId id) override;
    void on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) override;
    int worker_for_moved(InboundKind kind, ConnectionId id) override;
    void on_corrupt(int worker) override;

    void publish(std::string_view topic, SharedMessage& message, ConnectionId except);

    // -- For the sessions

    const Limits& limits() const { return limits_; }
    Transport& transport() { return *transport_; }
    CompressionContexts& compression() { return compression_; }
    TemporaryFiles& temporary_files() { return *temporary_files_; }
    /// How many bytes may still be written to files in this turn, and that some were.
    size_t body_budget() const { return body_budget_; }
    void spend_body_budget(size_t bytes) { body_budget_ -= std::min(bytes, body_budget_); }
    uint64_t now_ms() const { return now_ms_; }
    std::string_view date() const { return date_; }
    const Endpoints& endpoints() const { return *endpoints_; }
    const Address& peer_of(const Connection& connection) const {
        return layout_.connection(connection.id).peer;
    }
    http1::HeadParser& shared_parser() { return parser_; }
    bool shutting_down() const { return shutting_down_; }

    /// The connection's session wants to be asked in `ms`; 0: never.
    void set_deadline(Connection& connection, uint32_t ms);
    /// The same for a moment of now_ms()'s clock.
    void set_deadline_at(Connection& connection, uint64_t at_ms);
    /// A handler is to decide on a WebSocket's handshake: false when too many are about to.
    bool begin_handshake();
    /// A handler is to read a body as it arrives: false when too many do.
    bool begin_body_stream();
    /// `writer`: the descriptor that it came from, about to be closed.
    void end_body_stream(int writer);
    /// resume() when the descriptor can be written to, or is of no use any more.
    void resume_when_writable(int writer, ConnectionId connection);
    void end_handshake() { --handshakes_; }
    /// What workers see of a WebSocket.
    void note_protocol(Connection& connection, std::string_view protocol);
    /// The connection's client is somebody else than its peer, which has said so.
    void name_client(Connection& connection, const Address& client);
    void note_round_trip(Connection& connection, uint32_t microseconds);
    /// Something was put into its queue.
    void wants_flush(Connection& connection);
    /// Bytes for clients fill what Limits::queued_total_bytes allows.
    bool out_memory_is_full() const;
    /// Whether this much more may wait for the client; counts and logs a refusal.
    bool may_queue(Connection& connection, size_t bytes);
    /// Its session can go on.
    void resume(Connection& connection);
    /// Binds it to a ready worker, unless the old one still has messages of it. True when a message of up to
    /// `inline_bytes` can be delivered now.
    bool can_deliver(Connection& connection, size_t inline_bytes);
    void deliver(Connection& connection, int worker, Inbound& message, Room room);
    /// The same for a body in a file; see Transport::deliver_file.
    bool deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file);
    /// Has the handler of a request cancelled for whose response nobody waits any more; when the worker's
    /// ring has room, which may be after the connection has gone.
    void cancel_request(const Connection& connection, int worker, uint32_t request, CancelReason reason);
    void owe_response(int worker, int change) {
        owed_[static_cast<size_t>(worker)] += static_cast<uint32_t>(change);
    }
    /// Writes what is queued, then closes. No more input is looked at.
    void finish(Connection& connection);
    /// Closes at once.
    void abort(Connection& connection);
    /// What the worker's close handler will be told.
    void set_close(Connection& connection, uint16_t code, std::string_view reason);
    /// Answers `closed` to workers from here on.
    void hide(Connection& connection);
    /// Whether that much more may wait for the client, by the limit alone.
    bool has_room(const Connection& connection, size_t bytes) const;
    /// Says in the log, now and then, what clients that do not read have missed.
    void count_dropped(const Connection& connection, size_t bytes);
    /// Its client is behind, and SlowClient::kClose: closed as soon as nobody goes through subscribers.
    void close_soon(const Connection& connection) { too_slow_.push_back(connection.id); }
    void note_slow_client(const Connection& connection, SlowClient policy);
    void unsubscribe_all(WebSocketSession& session) { topics_.unsubscribe_all(session.subscriptions()); }
    /// What waits for the client to take it.
    size_t queued_bytes(const Connection& connection) const;
    /// That has become less, so who waits for it may have an answer.
    void answer_about_room(Connection& connection);

    Connection* find(ConnectionId id) const;

    // -- For the streams of HTTP/2 connections

    Connection* open_stream(Http2Carrier& carrier, int32_t number);
    void receive_for_stream(Connection& stream, std::span<char> input);
    /// Some of its bytes have been written.
    void stream_progressed(Connection& stream, size_t bytes);
    /// All of them have, and that they are all.
    void stream_sent(Connection& stream);

  private:
    /// How long a listener rests when there are no descriptors left.
    static constexpr uint64_t kAcceptPauseMs = 100;

    struct Listener {
        UniqueFd fd;
        uint16_t endpoint;
        bool resting = false;  ///< out of descriptors: not polled until accept_again_ms_
    };

    void wake_listeners();
    void accept_from(Listener& listener);
    void open(UniqueFd fd, const Address& peer, uint16_t endpoint);
    Connection& add_connection(UniqueFd fd, uint16_t endpoint, const Address& peer);
    void settle_input(Connection& connection);
    void stream_wants_flush(Connection& stream);
    bool admits(const Address& client, uint64_t& key);
    void count_address(Connection& connection, uint64_t key);
    void uncount_address(Connection& connection);
    uint64_t idle_due_ms(const Connection& connection) const;
    void end_idle(Connection& connection);
    void serve(Connection& connection);
    void read_from(Connection& connection);
    bool read_proxy_header(Connection& connection);
    void refuse_proxy_header(Connection& connection, const char* why);
    bool shake_hands(Connection& connection);
    ssize_t receive_tls(Connection& connection, const iovec* parts, int count);
    void discard_input(Connection& connection);
    Progress consume(Connection& connection, std::span<char> input);
    void input_ended(Connection& connection);
    void flush(Connection& connection);
    void flush_dirty();
    void retry_waiting();
    void fire_timers();
    void expired(Connection& connection);
    void arm(Connection& connection);
    void schedule(Connection& connection);
    void wait_for_resources(Connection& connection);
    void move_to(Connection& connection, Phase phase);
    void close_socket(Connection& connection);
    bool settle(Connection& connection);
    void destroy(Connection& connection);
    void stop_connection(Connection& connection);
    std::vector<Task> take_tasks();
    bool has_tasks();
    void publish_gauges();
    void carry_out(Connection& connection, int worker, const Command& command, Ref<Payload> payload);
    void count_handled(Connection& connection, size_t bytes);
    void send_many(const Command& command);
    void change_subscription(Connection& connection, WebSocketSession& session, const Command& command);
    void answer_question(int worker, const Command& command);
    void tell_topics(int worker, uint32_t number, Connection* connection);
    void note_subscriptions(const Connection& connection, size_t count);
    void close_too_slow();
    Ref<Payload> file_payload(const Command& command);
    void peer_left(Connection& connection);
    void send_cancellations();
    void writer_is_ready(int writer);

    const SharedLayout& layout_;
    unsigned index_;
    Transport* transport_;
    int doorbell_;
    Limits limits_;
    Poller poller_;
    TimerWheel wheel_;
    http1::HeadParser parser_;
    CompressionContexts compression_;
    OpenFiles files_;  ///< outlives the connections, which send from them
    std::shared_ptr<TemporaryFiles> temporary_files_;
    std::shared_ptr<const Endpoints> endpoints_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    UdpListeners udp_;
    std::vector<std::unique_ptr<Connection>> table_;  ///< by the low bits of the serial
    size_t mask_;
    uint64_t next_serial_;
    size_t connections_ = 0;  ///< streams among them
    size_t streams_ = 0;
    std::vector<char> scratch_;
    Topics topics_;
    std::vector<uint32_t> owed_;
    std::vector<std::string> names_;  ///< by worker slot

    struct Cancellation {
        int worker;
        ConnectionId connection;
        uint16_t endpoint;
        uint32_t request;
        CancelReason reason;
    };
    std::vector<Cancellation> cancellations_;  ///< to be told to workers
    Questions questions_;

    std::vector<ConnectionId> scheduled_, serving_;
    std::vector<ConnectionId> waiting_, retrying_;
    std::vector<ConnectionId> dirty_, flushing_;
    std::vector<ConnectionId> starved_;  ///< to be flushed first in the next turn
    std::vector<ConnectionId> too_slow_;
    size_t file_budget_ = 0;  ///< bytes of files that this turn may still read
    size_t body_budget_ = 0;  ///< bytes of bodies that it may still write to files
    std::mutex tasks_mutex_;
    std::vector<Task> tasks_;
    std::atomic<bool> has_tasks_ = false;

    uint64_t now_ms_ = 0;
    http::DateCache date_cache_;
    std::string_view date_;
    uint64_t messages_received_ = 0;
    uint64_t bytes_received_ = 0;
    uint64_t bytes_sent_ = 0;
    uint64_t dropped_ = 0;
    uint64_t refused_subscriptions_ = 0;
    size_t handshakes_ = 0;
    size_t body_streams_ = 0;
    std::unordered_map<int, ConnectionId> awaited_writers_;
    uint64_t files_refused_ = 0;
    uint64_t proxy_headers_refused_ = 0;
    uint64_t addresses_refused_ = 0;
    uint64_t accept_again_ms_ = 0;
    uint64_t accept_failures_ = 0;
    bool shutting_down_ = false;
    bool destroying_ = false;
    bool watched_ready_ = false;
    std::vector<ReadyFd> ready_;
};

}  // namespace sluice
