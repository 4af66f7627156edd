#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/event_loop.h"
#include "protocol/http/http_date.h"
#include "server/reactor/poll_token.h"
#include "server/reactor/reactor_parts.h"
#include "server/reactor/shared_message.h"
#include "server/reactor/task_queue.h"
#include "server/seam/connection_loop.h"

namespace sluice {

/// One event loop that owns client connections. It waits, and in each turn calls its parts (ReactorParts),
/// which do the work. Both modes use it. Everything but post() must be called in its own thread.
class Reactor final : public ConnectionLoop {
  public:
    struct Wiring {
        const SharedLayout* layout;
        unsigned index;
        Transport* transport;
        const SessionFactory* sessions;
        int doorbell;  ///< rung by workers and by post(); owned by the caller
        Limits limits;
        std::string temporary_folder = {};  ///< for bodies of requests; empty: /tmp
    };
    explicit Reactor(const Wiring& wiring);

    // -- Running it

    void turn(int timeout_ms) override;
    void watch(int fd) override;
    /// Stops watching `fd`.
    void ignore(int fd);
    /// Accepts nothing for a moment, so that others get the descriptors that become free.
    void rest_listeners();
    bool watched_ready() const override { return watched_ready_; }
    bool watch_once(int fd, uint32_t events) override;
    void take_ready(std::vector<ReadyFd>& ready) override;
    /// Runs a task in the reactor's thread. From any thread.
    void post(TaskQueue::Task task);

    // -- From the master

    /// Sets the table of endpoints; this reactor's listeners come by add_listener().
    void set_endpoints(std::shared_ptr<const Endpoints> endpoints);
    void add_listener(uint16_t endpoint, UniqueFd fd) override;
    void remove_listener(uint16_t endpoint);
    void begin_shutdown() override;
    bool shutting_down() const { return parts_.commons.shutting_down; }
    void abandon() override { parts_.poller.close(); }
    bool is_empty() const override { return parts_.table.is_empty() && parts_.udp.is_empty(); }

    // -- From the workers

    Workers& workers() { return parts_.workers; }
    FromWorkers& from_workers() { return parts_.from_workers; }
    /// What the command leaves to be sent goes out as the next turn begins.
    void on_command(int worker, const Command& command, Ref<Payload> payload) override {
        commanded_ = true;
        parts_.from_workers.on_command(worker, command, std::move(payload));
    }
    void on_finished(ConnectionId id) override { parts_.from_workers.on_finished(id); }
    void on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) override {
        parts_.from_workers.on_lost(worker, kind, id, request);
    }
    int worker_for_moved(InboundKind kind, ConnectionId id, uint32_t request) override {
        return parts_.from_workers.worker_for_moved(kind, id, request);
    }
    void on_corrupt(int worker) override { parts_.from_workers.on_corrupt(worker); }

    Publishing& publishing() { return parts_.publishing; }
    const ConnectionTable& table() const { return parts_.table; }
    /// The reactor as its sessions see it.
    SessionHost& host() { return parts_.host; }

  private:
    int sleep_ms(int timeout_ms) const;
    void dispatch_all(std::span<const epoll_event> events);
    void dispatch(const epoll_event& event);
    bool is_told_again(PollToken token);
    void connection_event(Connection& connection, uint32_t events);
    void look_at_clocks();
    void serve_and_send(bool also_waiting);
    void publish_gauges();
    void publish_figures();

    /// Of this reactor; those of its cell go on from the reactor before.
    struct Totals {
        uint64_t messages_received = 0;
        uint64_t bytes_received = 0;
        uint64_t bytes_sent = 0;
    };

    const SharedLayout& layout_;
    const unsigned index_;
    const int doorbell_;
    ReactorParts parts_;
    Totals published_;
    TaskQueue tasks_;
    http::DateCache date_cache_;
    std::vector<ReadyFd> ready_;
    std::vector<uint64_t> told_;  ///< see is_told_again()
    bool watched_ready_ = false;
    bool commanded_ = false;  ///< since the last turn, by on_command()
    int relieve_ms_ = -1;     ///< in how many ms to call Transport::relieve() again
};

}  // namespace sluice
