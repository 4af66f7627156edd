#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "server/rings/in_flight.h"
#include "server/seam/command_inlet.h"
#include "server/seam/fair_arena.h"
#include "server/seam/queue_limit.h"
#include "server/seam/records.h"
#include "server/seam/shared_layout.h"
#include "server/seam/transport.h"

namespace sluice {

/// One reactor's end of the rings to and from every worker, in process mode. Owns the receiving arena and the
/// table of messages in flight; their book-keeping is in private memory, as a worker may write anything into
/// the shared part.
class RingTransport final : public Transport {
  public:
    /// `worker_doorbells`: by slot; the caller owns them.
    /// A worker that holds more than `most_held` messages at a time is corrupt.
    RingTransport(const SharedLayout& layout, unsigned reactor, std::vector<int> worker_doorbells,
                  size_t most_held, uint64_t (*now_ms)() = monotonic_ms);

    /// A worker is ready in a slot whose rings are empty; `files`: the channel of its descriptors. One that
    /// takes no messages may send commands, and gets answers.
    void worker_ready(int worker, FdChannel files = {}, WorkerTakes takes = WorkerTakes::kMessages);
    /// Workers that take a share get this one of the requests from now on; 0: none.
    void set_canary_share(double share);
    /// Those that do not drain take all messages.
    void end_canary();
    /// The worker gets no new messages, and finishes those that it has.
    void worker_draining(int worker);
    /// The worker has died. Reports messages that it was executing as lost, keeps those not begun for others
    /// (orphans), takes its extents back and empties its rings. All messages of a corrupt worker are lost,
    /// for their records are in memory that it could write.
    void worker_gone(int worker, TransportEvents& events);
    /// A worker has no unfinished messages.
    bool is_idle(int worker) const { return links_[static_cast<size_t>(worker)].in_flight.empty(); }

    using Transport::allocate;
    Room allocate(size_t bytes, const ArenaClaim& claim) override;
    bool extend(Room& room, size_t bytes, bool is_whole) override;
    void free(Room room) override;
    int least_busy() override { return least_busy(State::kReady); }
    int worker_for_request(uint64_t client) override;
    bool gave_request(int worker) override;
    bool is_canary(int worker) const override {
        return links_[static_cast<size_t>(worker)].state == State::kCanary;
    }
    int fewest_bound() override;
    void bind(int worker) override { ++links_[static_cast<size_t>(worker)].bound; }
    void unbind(int worker) override { --links_[static_cast<size_t>(worker)].bound; }
    bool is_ready(int worker) const override;
    bool accepts(int worker, uint64_t client, size_t inline_bytes) override;
    bool accepts_message(int worker, uint64_t client, size_t inline_bytes) override;
    bool accepts_request(int worker, uint64_t client, size_t inline_bytes, bool is_contended) override;
    bool takes_requests(bool is_contended) override;
    bool takes_messages(int worker) override;
    void deliver(int worker, const Inbound& message, Room room) override;
    bool deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) override;
    bool notify(int worker, const Inbound& message) override;
    void poll(TransportEvents& events) override;
    bool pending() const override;
    void await_room() override;
    void await_progress(int worker) override;
    void flush() override;
    int relieve(uint64_t now_ms) override;
    bool has_orphan(ConnectionId connection, uint32_t request) const override;
    size_t used_bytes() const override { return arena_.used_bytes(); }

    static constexpr size_t kMostBytesAhead = 256u << 10;

  private:
    enum class State : uint8_t {
        kAbsent,
        kReady,
        kCanary,    ///< ready for its share
        kDraining,  ///< or takes no messages anyhow
        kCorrupt
    };
    /// Whether such a worker sends commands and gets messages.
    static bool speaks(State state) { return state != State::kAbsent && state != State::kCorrupt; }

    static constexpr uint32_t kNoPage = InFlight::kNoPage;
    static constexpr uint64_t kNoFile = InFlight::kNoFile;

    struct Link {
        State state = State::kAbsent;
        RingProducer in;
        CommandInlet commands;
        int doorbell = -1;
        uint32_t bound = 0;
        InFlightTable in_flight;
        QueueLimit queue_limit;
        std::map<uint64_t, Ref<RequestFile>> files;  ///< files that the worker has or will have, by number
        uint64_t files_sent = 0;
        uint64_t seen_taken = 0;     ///< how far the worker had begun at the last look
        uint64_t seen_finished = 0;  ///< how far it had finished
        uint64_t awaited = 0;        ///< somebody waits until the worker has begun what is before; 0: nobody
    };

    /// A message that a dead worker had not begun, on its way to another worker.
    struct Orphan {
        std::vector<uint64_t> record;  ///< 8-aligned copy
        size_t record_bytes;
        uint32_t extent_page;
        uint32_t payload_bytes;
        InboundKind kind;
        ConnectionId connection;
        uint32_t request;
        uint16_t endpoint;
        bool secure;
        bool trusted;
        uint64_t client;
        Ref<RequestFile> file;
    };

    int least_busy(State state) const;
    Room room_at(size_t offset) const;
    size_t offset_of(Room room) const;
    bool is_awaited_by_orphans(int worker) const;
    bool has_room_for(Link& link, uint64_t client, size_t inline_bytes) const;
    bool has_backlog(Link& link, size_t inline_bytes, size_t most_messages) const;
    bool is_later(Link& link, size_t inline_bytes, size_t most_messages) const;
    void measure(Link& link) const;
    bool lend_file(Link& link, const Ref<RequestFile>& file, uint64_t& number);
    void pump_commands(int worker, TransportEvents& events);
    /// `finished`: the worker's position in its ring, seen before its commands were taken.
    void pop_finished(int worker, uint64_t finished, TransportEvents& events);
    static bool goes_on(Link& link, uint64_t finished);
    bool take_back(int worker, uint64_t page);
    bool hear(int worker, const Note& note, TransportEvents& events);
    bool copy_unbegun(int worker, const std::vector<InFlight>& messages,
                      std::vector<std::optional<Orphan>>& copies) const;
    const char* parked_place(int worker, const InFlight& message) const;
    bool has_its_payload(int worker, const InFlight& message) const;
    static bool copy_untouched(const char* place, const InFlight& message, Orphan& orphan);
    void ask_for_orphans() { ask_anew_ = !orphans_.empty(); }
    void place_orphans(TransportEvents& events);
    bool place_orphan(int worker, const Orphan& orphan);
    void mark_corrupt(int worker, TransportEvents& events);

    const SharedLayout& layout_;
    unsigned reactor_;
    std::vector<Link> links_;
    FairArena arena_;
    char* arena_data_;
    static constexpr int16_t kReactorOwns = -1;
    std::vector<int16_t>
        lent_to_;  ///< by page of an extent's beginning: the worker that has it, or kReactorOwns
    std::deque<Orphan> orphans_;
    std::vector<bool> awaited_;          ///< workers for whose room an orphan waits
    bool nobody_takes_orphans_ = false;  ///< no worker has taken one since the last look
    bool ask_anew_ = false;              ///< since the last look a worker may take one that could not before
    size_t most_held_;
    uint64_t (*now_ms_)();
    unsigned rotation_ = 0;
    double canary_share_ = 0;
    double canary_due_ = 0;  ///< requests that the canary is to get
};

}  // namespace sluice
