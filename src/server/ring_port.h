#pragma once

#include <deque>
#include <vector>

#include "base/page_arena.h"
#include "io/control_channel.h"
#include "io/fd_channel.h"
#include "io/poller.h"
#include "server/port_base.h"
#include "server/records.h"

namespace sluice {

/// A worker's port in process mode: rings from and to every reactor thread.
class RingPort final : public PortBase {
  public:
    /// `doorbell` is this worker's, `reactor_doorbells` by reactor; all stay the caller's. `control` is the
    /// line to the master, `files` are those to the reactors.
    RingPort(SharedLayout layout, unsigned slot, const Limits& limits, int doorbell,
             std::vector<int> reactor_doorbells, ControlChannel control, std::vector<FdChannel> files);

    void ready() override;
    bool take(Inbound& message) override;
    void finished(const Inbound& message) override;
    void release(const Inbound& message) override;
    Delivery submit(const Command& command) override;
    void wait(int timeout_ms) override;
    bool watch(int fd, uint32_t events) override;
    void take_ready(std::vector<ReadyFd>& ready) override;
    void flush() override;
    bool stopping() const override;
    void request_reload() override;
    void request_stop() override;

  private:
    struct Open {
        uint64_t end;  ///< of its record in the ring
        bool finished;
    };
    struct Link {
        RingConsumer in;
        RingProducer out;
        FdChannel files;
        uint64_t files_sent = 0;
        std::deque<Open> open;    ///< taken messages, oldest first; the first is unfinished
        uint64_t first_open = 0;  ///< running number of open.front()
    };

    Delivery submit_to(unsigned reactor, const Command& command);
    Delivery submit_in_parts(unsigned reactor, const Command& command);
    bool push(unsigned reactor, const Command& command);
    size_t allocate_out(size_t bytes);
    void sweep_out();
    bool push_release(unsigned reactor, uint64_t page);
    void retry_releases();
    bool anything_to_take() const;
    void hear_master();

    SharedLayout own_layout_;
    int doorbell_;
    std::vector<int> reactor_doorbells_;
    ControlChannel control_;
    Poller poller_;
    std::vector<Link> links_;
    unsigned next_link_ = 0;
    PageArena out_;
    std::deque<size_t> out_busy_;  ///< slots of the out-arena that a reactor has not given back yet
    struct Release {
        unsigned reactor;
        uint64_t page;
    };
    std::vector<ReadyFd> ready_;
    bool watches_ = false;          ///< somebody has watched a descriptor
    std::deque<Release> releases_;  ///< that found their ring full
    bool stop_ = false;
};

}  // namespace sluice
