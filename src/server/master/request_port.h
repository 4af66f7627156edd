#pragma once

#include "io/fd_channel.h"
#include "server/seam/port_base.h"
#include "server/seam/request_link.h"

namespace sluice {

/// The port of a process that handles one request. Takes the next request that a worker has put into the
/// site's queue, and sends the handler's commands to that worker, which passes them on. Waiting blocks.
class RequestPort : public PortBase {
  public:
    /// Writes `note` to `taken` once the process has taken a request.
    RequestPort(SharedLayout layout, const Limits& limits, FdChannel queue, UniqueFd taken, uint64_t note);

    void ready() override {}
    bool take(Inbound& message) override;
    bool take_notice(Inbound&, bool (*)(const Inbound&)) override { return false; }
    void finished(const Inbound& message) override;
    void waits(const Inbound&) override {}
    void park(Inbound&) override {}
    void begins(const Inbound&) override {}
    void release(const Inbound&) override {}
    void release_file(const Inbound&) override {}
    Submitted submit(const Command& command, Reach& reach) override;
    Submitted submit_surely(const Command& command) override;
    bool has_kept() const override { return false; }
    void wait(int timeout_ms) override;
    void flush() override {}
    bool stopping() const override { return state_ == State::kDone; }
    bool leaving() const override { return state_ == State::kDone; }
    uint64_t patient_until_ms() const override { return 0; }
    void set_lent_bytes(size_t) override {}
    void set_coroutines(const CoroutineCounts&) override {}
    void count_handled(uint16_t, uint64_t, uint64_t) override {}
    void count_stall() override {}
    bool is_short_of_memory() const override { return false; }
    ProfileDesk* profile_desk() const override { return nullptr; }
    RequestBoard* request_board() const override { return nullptr; }
    void abandon() override;
    void request_reload() override {}
    void request_stop() override {}
    void request_replacement() override {}
    void request_successor() override {}
    bool watch(int fd, uint32_t events) override;
    void take_ready(std::vector<ReadyFd>& ready) override { ready.clear(); }

  protected:
    enum class State { kWaiting, kHandling, kDone };

    /// Sends a command to the worker; `done`: nothing more comes of this request.
    Submitted forward(const Command& command, bool done = false);
    /// False when the request does not come, or makes no sense.
    bool receive_request(Inbound& message);
    void wait_for_link(short events);
    RequestLink& link() { return link_; }

    State state_ = State::kWaiting;
    std::string script_;  ///< what the worker has said of it

  private:
    SharedLayout own_layout_;
    FdChannel queue_;
    UniqueFd taken_;
    uint64_t note_;
    RequestLink link_;
};

}  // namespace sluice
