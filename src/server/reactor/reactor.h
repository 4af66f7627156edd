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
#include "protocol/http/http_date.h"
#include "server/config/limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/open_files.h"
#include "server/reactor/questions.h"
#include "server/reactor/session_host.h"
#include "server/reactor/shared_message.h"
#include "server/reactor/topics.h"
#include "server/reactor/udp_listeners.h"
#include "server/seam/connection_loop.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// One event loop that owns client connections: accepts them, drives their sessions, hands messages to
/// workers through its transport and carries out their commands. The same in both modes. Everything but
/// post() and wake() belongs to its own thread.
class Reactor final : public ConnectionLoop, public SessionHost {
  public:
    struct Wiring {
        const SharedLayout* layout;
        unsigned index;
        Transport* transport;
        const SessionFactory* sessions;
        int doorbell;  ///< rung by workers and by post(); stays the caller's
        Limits limits;
        std::string temporary_folder = {};  ///< for bodies of requests; empty: /tmp
    };
    explicit Reactor(const Wiring& wiring);
    ~Reactor() override;

    // -- Running it

    void turn(int timeout_ms) override;
    void watch(int fd) override;
    bool watched_ready() const override { return watched_ready_; }
    bool watch_once(int fd, uint32_t events) override;
    void take_ready(std::vector<ReadyFd>& ready) override;

    using Task = std::function<void(Reactor&)>;
    /// Runs a task in the reactor's thread. From any thread.
    void post(Task task);

    // -- Told by the master

    /// Which endpoints there are; those that are listeners of this reactor come with add_listener.
    void set_endpoints(std::shared_ptr<const Endpoints> endpoints);
    void add_listener(uint16_t endpoint, UniqueFd fd) override;
    void remove_listener(uint16_t endpoint);
    void begin_shutdown() override;
    bool is_empty() const override { return connections_ == 0 && udp_.is_empty(); }
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

    // -- SessionHost

    void set_deadline_at(Connection& connection, uint64_t at_ms) override;
    void wants_flush(Connection& connection) override;
    void resume(Connection& connection) override;
    void finish(Connection& connection) override;
    void abort(Connection& connection) override;
    void close_soon(Connection& connection) override { too_slow_.push_back(connection.id); }
    void unsubscribe_all(Topics::Subscriptions& subscriptions) override {
        topics_.unsubscribe_all(subscriptions);
    }
    bool can_deliver(Connection& connection, size_t inline_bytes) override;
    void deliver(Connection& connection, int worker, Inbound& message, Room room) override;
    bool deliver_file(Connection& connection, int worker, Inbound& message, Ref<RequestFile> file) override;
    void cancel_request(const Connection& connection, int worker, uint32_t request,
                        CancelReason reason) override;
    void owe_response(int worker, int change) override {
        owed_[static_cast<size_t>(worker)] += static_cast<uint32_t>(change);
    }
    Connection* open_stream(const Connection& parent) override;
    void receive_for_stream(Connection& stream, std::span<char> input) override;
    void stream_progressed(Connection& stream, size_t bytes) override;
    void stream_sent(Connection& stream) override;

    /// What its sessions see of it.
    SessionHost& host() { return *this; }
    Connection* find(ConnectionId id) const;

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
    void handled(Connection& connection);
    void stop_connection(Connection& connection);
    void answer_about_room(Connection& connection);
    std::vector<Task> take_tasks();
    bool has_tasks();
    void publish_gauges();
    void send_many(const Command& command);
    void change_subscription(Connection& connection, const Command& command);
    void answer_question(int worker, const Command& command);
    void tell_topics(int worker, uint32_t number, Connection* connection);
    void close_too_slow();
    Ref<Payload> file_payload(const Command& command);
    void send_cancellations();

    const SharedLayout& layout_;
    unsigned index_;
    Transport* transport_;
    int doorbell_;
    Poller poller_;
    const Limits limits_;
    Commons commons_;
    uint64_t& now_ms_ = commons_.now_ms;
    bool& shutting_down_ = commons_.shutting_down;
    TimerWheel wheel_;
    OpenFiles files_;  ///< outlives the connections, which send from them
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
    std::mutex tasks_mutex_;
    std::vector<Task> tasks_;
    std::atomic<bool> has_tasks_ = false;

    http::DateCache date_cache_;
    uint64_t messages_received_ = 0;
    uint64_t bytes_received_ = 0;
    uint64_t bytes_sent_ = 0;
    uint64_t refused_subscriptions_ = 0;
    uint64_t files_refused_ = 0;
    uint64_t proxy_headers_refused_ = 0;
    uint64_t addresses_refused_ = 0;
    uint64_t accept_again_ms_ = 0;
    uint64_t accept_failures_ = 0;
    bool destroying_ = false;
    bool watched_ready_ = false;
    std::vector<ReadyFd> ready_;
};

}  // namespace sluice
