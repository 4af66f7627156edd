#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <vector>

#include "core/shared_memory.h"
#include "server/seam/command_inlet.h"
#include "server/seam/fair_arena.h"
#include "server/seam/queue_limit.h"
#include "server/seam/shared_layout.h"
#include "server/seam/transport.h"
#include "server/seam/worker_places.h"
#include "server/seam/worker_port.h"

namespace sluice {

/// Base mode: reactor and worker are one process, so a message goes through a queue, in memory of
/// the application's allocator. Commands for connections of other workers go over rings in shared
/// memory.
class InlineTransport final : public Transport {
  public:
    /// A message in the queue or in its handler's hands.
    struct Entry {
        std::vector<uint64_t> head;  ///< as an in-bound record without payload; empty: no head
        Inbound message;
        Room payload;                      ///< from the allocator, until it is taken
        std::list<Entry>::iterator place;  ///< the entry's own, in `open_`
        bool is_held = false;              ///< it has a place in `places_`
    };

    /// `places`: the worker's, see places_of_worker().
    InlineTransport(const SharedLayout& layout, unsigned slot, MessageAllocator& allocator,
                    uint64_t most_bytes, size_t places);
    ~InlineTransport() override;

    /// Puts a command::Tell into the ring to another worker; false when it has no room. Set by the
    /// port.
    std::function<bool(unsigned peer, const Command& answer)> tell_peer;

    /// A question is on its way to a peer, in its slot's life `life`. Should the peer die, an answer without
    /// payload is queued.
    void expect_answer(unsigned peer, uint32_t question, uint32_t life);
    bool expects_answers() const { return !expected_.empty(); }

    /// The next message; its payload becomes the caller's, the entry lives until `finished`.
    Entry* take();
    /// The next notice that `is_wanted`, wherever it stands.
    Entry* take_notice(bool (*is_wanted)(const Inbound&));
    /// The handler of an open message waits, or it waits for another one's end.
    void hold(Entry* entry);
    void finished(Entry* entry);
    bool has_messages() const { return !queue_.empty(); }
    /// Messages that the last take_notice() has not passed over.
    bool has_messages_to_take() const { return !queue_.empty() && !passed_over_; }
    /// Only messages that are queued from here on are pending().
    void look() { has_new_ = false; }
    /// No message is queued or open.
    bool is_idle() const { return queue_.empty() && open_.empty(); }

    /// The last offered message had to wait for the allocator, which still has no room.
    bool is_short_of_memory() const override {
        return refused_by_allocator_ && !allocator_.has_room(kExtentThreshold);
    }

    using Transport::allocate;
    Room allocate(size_t bytes, const ArenaClaim& claim) override;
    bool extend(Room& room, size_t bytes, bool is_whole) override;
    void free(Room room) override;
    int least_busy() override { return 0; }
    int fewest_bound() override { return 0; }
    void bind(int) override {}
    void unbind(int) override {}
    bool is_ready(int worker) const override { return worker == 0; }
    bool accepts(int worker, uint64_t client, size_t inline_bytes) override;
    bool accepts_message(int worker, uint64_t client, size_t inline_bytes) override;
    bool accepts_request(int worker, uint64_t client, size_t inline_bytes, bool is_contended) override;
    bool takes_requests(bool is_contended) override {
        return takes(queue_limit_.most_requests(is_contended));
    }
    bool takes_messages(int) override { return takes(queue_limit_.most_messages()); }
    void deliver(int worker, const Inbound& message, Room room) override;
    bool deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) override;
    bool notify(int worker, const Inbound& message) override;
    void poll(TransportEvents& events) override;
    bool pending() const override;
    void flush() override {}
    int relieve(uint64_t now_ms) override { return arena_.give_idle_back(memory_.data(), now_ms); }
    size_t used_bytes() const override { return arena_.used_bytes() + small_bytes_; }
    /// Frees the extent of a message.
    void release(const char* payload);
    /// Drops a body's file.
    void release_file(uint64_t number) { files_.erase(number); }
    /// In a forked child: see WorkerPort::abandon().
    void abandon() { memory_.close_fd(); }

  private:
    const SharedLayout& layout_;
    unsigned slot_;
    MessageAllocator& allocator_;
    std::list<Entry> queue_;
    std::list<Entry> open_;
    std::list<Entry> spare_;
    bool is_extent(const char* payload) const;
    size_t offset_of(const char* payload) const;
    void queue_notice(const Inbound& message);
    Entry* open(std::list<Entry>::iterator place);
    bool has_room_for(uint64_t client, size_t inline_bytes) const;
    bool is_later(size_t most_messages);
    bool takes(size_t most_messages) const;
    void await_turn();
    void has_queued();

    uint64_t most_bytes_;
    Budget places_;
    /// Big messages stand in extents: a fresh string for each would cost its page faults every time.
    SharedMemory memory_;
    FairArena arena_;
    bool refused_by_allocator_ = false;
    bool is_awaited_ = false;  ///< a request waits until fewer messages are queued
    uint64_t awaited_at_ = 0;  ///< `taken_` by then
    bool has_new_ = false;
    bool passed_over_ = false;
    size_t notices_ = 0;  ///< in the queue
    QueueLimit queue_limit_;
    uint64_t taken_ = 0;      ///< messages that have left the queue
    size_t small_bytes_ = 0;  ///< of small messages that the worker has not taken, finished or not
    std::map<uint64_t, Ref<RequestFile>> files_;  ///< of requests that are queued or in their handlers' hands
    uint64_t files_lent_ = 0;
    struct Expected {
        unsigned peer;
        uint32_t question;
        uint32_t life;  ///< the peer's slot's; see WorkerCell::lives
    };
    void hear_answer(unsigned peer, const command::Tell& answer, std::string_view payload);
    void answer_for_the_dead();
    std::vector<Expected> expected_;
    std::vector<CommandInlet> peers_;  ///< by worker slot; this worker's stays empty
};

}  // namespace sluice
