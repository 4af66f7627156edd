#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "io/control_channel.h"
#include "server/inline/inline_transport.h"
#include "server/seam/connection_loop.h"
#include "server/seam/outbox.h"
#include "server/seam/port_base.h"

namespace sluice {

/// A worker's port in base mode: the reactor is in this process, and runs while the worker waits.
class InlinePort final : public PortBase {
  public:
    struct Wiring {
        SharedLayout layout;
        unsigned slot;
        Limits limits;
        std::vector<int> doorbells;  ///< by worker slot; owned by the caller
        ControlChannel control;
        MessageAllocator* allocator;
        /// Makes the loop of this worker's connections; the layout and the transport outlive it.
        std::function<std::unique_ptr<ConnectionLoop>(const SharedLayout&, Transport&)> make_loop;
        std::function<void()> reopen_logs;
        std::vector<std::pair<uint16_t, UniqueFd>> listeners;
    };
    explicit InlinePort(Wiring wiring);

    void ready() override;
    bool take(Inbound& message) override;
    bool take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) override;
    void finished(const Inbound& message) override;
    // Nothing to do: messages own their memory, and die with this process as their connections do.
    void waits(const Inbound& message) override;
    void park(Inbound& message) override { waits(message); }
    void begins(const Inbound&) override {}
    void release(const Inbound& message) override { transport_.release(message.payload.data()); }
    void release_file(const Inbound& message) override { transport_.release_file(message.file()->number); }
    Submitted submit(const Command& command, Reach& reach) override;
    Submitted submit_surely(const Command& command) override;
    bool has_kept() const override { return outbox_.has_kept(); }
    void wait(int timeout_ms) override;
    void wait_without_messages(int timeout_ms) override;
    bool watch(int fd, uint32_t events) override { return loop_->watch_once(fd, events); }
    void take_ready(std::vector<ReadyFd>& ready) override { loop_->take_ready(ready); }
    void flush() override;
    bool leaving() const override { return draining_; }
    bool stopping() const override;
    uint64_t patient_until_ms() const override { return drain_until_ms_; }
    void abandon() override;
    void request_reload() override;
    void request_stop() override;
    void request_replacement() override;
    void request_successor() override;
    bool is_short_of_memory() const override { return transport_.is_short_of_memory(); }

  private:
    void submit_here(const Command& command);
    Submitted submit_to_peer(unsigned peer, const Command& command);
    Submitted submit_to_all(const Command& command, Reach& reach);
    bool is_alive(unsigned peer) const;
    void commit(unsigned peer);
    void hand_over_kept();
    void hear_master();

    SharedLayout own_layout_;
    std::vector<int> doorbells_;
    ControlChannel control_;
    InlineTransport transport_;
    std::unique_ptr<ConnectionLoop> loop_;
    std::function<void()> reopen_logs_;
    std::vector<std::pair<uint16_t, UniqueFd>> listeners_;
    Outbox outbox_;  ///< to the other workers
    bool draining_ = false;
    uint64_t drain_until_ms_ = 0;
};

}  // namespace sluice
