#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "io/control_channel.h"
#include "io/fd_channel.h"
#include "io/poller.h"
#include "server/seam/outbox.h"
#include "server/seam/port_base.h"

namespace sluice {

/// A worker's port in process mode: rings from and to every reactor thread.
class RingPort final : public PortBase {
  public:
    /// `doorbell` is this worker's, `reactor_doorbells` are by reactor; the caller owns them. `control` is
    /// the channel to the master, `files` are the channels to the reactors.
    RingPort(SharedLayout layout, unsigned slot, const Limits& limits, int doorbell,
             std::vector<int> reactor_doorbells, ControlChannel control, std::vector<FdChannel> files);

    void ready() override;
    bool take(Inbound& message) override;
    bool take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) override;
    void finished(const Inbound& message) override;
    void waits(const Inbound& message) override;
    void park(Inbound& message) override;
    void begins(const Inbound& message) override;
    void release(const Inbound& message) override;
    void release_file(const Inbound& message) override;
    Submitted submit(const Command& command, Reach& reach) override;
    unsigned way_of(const Command& command) const override {
        return command.is_for_all() && command.is_question() ? reactors() : reactor_that_gets(command);
    }
    Submitted submit_surely(const Command& command) override;
    bool has_kept() const override { return outbox_.has_kept(); }
    void wait(int timeout_ms) override;
    void wait_without_messages(int timeout_ms) override;
    bool watch(int fd, uint32_t events) override;
    void take_ready(std::vector<ReadyFd>& ready) override;
    void flush() override;
    bool leaving() const override { return leaving_ || stop_; }
    bool stopping() const override;
    uint64_t patient_until_ms() const override { return patient_until_ms_; }
    void abandon() override;
    void request_reload() override;
    void request_stop() override;
    // Nothing to do: received messages stand in the reactor's memory, not in this process's.
    void request_replacement() override;
    void request_successor() override;
    bool is_short_of_memory() const override { return false; }

  private:
    /// A message whose space in the ring was not given back yet. Space is given back in order.
    struct Open {
        enum class State : uint8_t {
            kBegun,
            kWaits,  ///< may leave the ring unfinished when space is short
            kHeld,   ///< the reactor has been told that it leaves the ring unfinished
            kFinished,
        };
        uint64_t end;  ///< of its record in the ring
        State state;
    };
    /// Where a message that was parked stands.
    struct Parked {
        size_t offset;  ///< in `parked_`; PageArena::kNone: in `copy`
        char* shared;   ///< its record in shared memory
        std::unique_ptr<char[]> copy;
    };
    /// A notice (Inbound::is_notice) that stands further on in the ring.
    struct Notice {
        uint64_t end;  ///< of its record
        Inbound message;
        bool taken;
    };
    struct Link {
        RingConsumer in;
        RingConsumer ahead;           ///< records before it have been searched for notices
        std::deque<Notice> notices;   ///< between `in` and `ahead`
        uint64_t notices_looked = 0;  ///< position of `in` at the last look, plus 1
        FdChannel files;
        uint64_t files_taken = 0;
        std::deque<Open> open;  ///< oldest first
        uint64_t freed = 0;     ///< space in the ring before this position was given back
        size_t finished = 0;    ///< of `open`
        std::unordered_map<uint64_t, Parked> parked;  ///< by end
    };

    unsigned reactors() const { return static_cast<unsigned>(links_.size()); }
    unsigned reactor_that_gets(const Command& command) const;
    Submitted ask_all(const Command& question, Reach& reach);
    bool take_file(Link& link, Inbound& message);
    bool pass_notice(unsigned reactor);
    void look_ahead(Link& link);
    Link& link_of(const Inbound& message);
    size_t page_of(const Inbound& message) const;
    Open* find_open(Link& link, uint64_t end);
    bool holds_much(const Link& link) const;
    void give_space_back(unsigned reactor);
    bool tell_of_leaving(unsigned reactor, uint64_t end);
    void free_parked(const Parked& parked);
    void hand_over_kept();
    bool anything_to_take() const;
    int prepare_to_wait(int timeout_ms);
    void poll(int timeout_ms);
    void hear_master();
    void tell_of_room();

    SharedLayout own_layout_;
    int doorbell_;
    std::vector<int> reactor_doorbells_;
    ControlChannel control_;
    Poller poller_;
    std::vector<Link> links_;
    unsigned next_link_ = 0;
    Outbox outbox_;
    PageArena parked_;
    size_t most_untold_;                   ///< messages that wait in one ring without a note::Hold
    std::vector<Parked> finished_parked_;  ///< finished, but their reactor does not know yet
    std::vector<ReadyFd> ready_;
    bool watches_ = false;       ///< somebody has watched a descriptor
    bool only_notices_ = false;  ///< were asked for last, and none is there in what has been looked through
    bool leaving_ = false;
    bool stop_ = false;
    uint64_t patient_until_ms_ = 0;
};

}  // namespace sluice
