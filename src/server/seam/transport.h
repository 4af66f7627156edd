#pragma once

#include "core/room.h"
#include "server/seam/arena_account.h"
#include "server/seam/messages.h"
#include "server/seam/payload.h"
#include "server/seam/request_file.h"

namespace sluice {

inline constexpr int kNoWorker = -1;
inline constexpr int kNoConnectionLeft = -2;

/// What a transport tells its reactor.
class TransportEvents {
  public:
    virtual ~TransportEvents() = default;
    /// A worker has submitted a command. `command.payload` is valid during the call; when `payload` is set,
    /// it is the same bytes, to be kept by reference.
    virtual void on_command(int worker, const Command& command, Ref<Payload> payload) = 0;
    /// The handler of a message has ended.
    virtual void on_finished(ConnectionId id) = 0;
    /// A worker has died while it executed this message: nobody will finish it.
    virtual void on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) = 0;
    /// A message that a dead worker had not begun needs another one: which? kNoWorker: none now, ask again
    /// later; kNoConnectionLeft: its connection has gone. All messages of a connection go to the same one.
    virtual int worker_for_moved(InboundKind kind, ConnectionId id) = 0;
    /// The worker has written what cannot be. It is not served any more and should be killed.
    virtual void on_corrupt(int worker) = 0;
};

/// The reactor's end of the seam to the workers: gives room for messages, hands them over, brings commands.
/// Process mode has it over rings in shared memory (RingTransport), base mode inside one process
/// (InlineTransport).
class Transport {
  public:
    virtual ~Transport() = default;

    /// Room for a payload of `bytes`; empty when memory is short, or who claims it has its share: stop
    /// reading and try again after `poll`.
    virtual Room allocate(size_t bytes, const ArenaClaim& claim) = 0;
    /// Room of nobody's share.
    Room allocate(size_t bytes) { return allocate(bytes, {}); }
    /// Makes room that was not delivered longer, where it stands. False when that cannot be: it is as before.
    virtual bool extend(Room& room, size_t bytes, bool is_whole) = 0;
    /// Gives back room that was not delivered.
    virtual void free(Room room) = 0;

    /// The ready worker with the fewest unfinished messages, or kNoWorker.
    virtual int least_busy() = 0;
    /// The ready worker with the fewest connections bound to it, or kNoWorker.
    virtual int fewest_bound() = 0;
    virtual void bind(int worker) = 0;
    virtual void unbind(int worker) = 0;
    /// Whether new messages may go to this worker: it is up and not draining.
    virtual bool is_ready(int worker) const = 0;
    /// Whether `deliver` of a message with up to `inline_bytes` of head and payload will succeed now.
    virtual bool accepts(int worker, size_t inline_bytes) = 0;

    /// Hands a message over. Only after `accepts`. When `room` is set, the payload stands in it and it
    /// changes hands; otherwise everything is copied.
    virtual void deliver(int worker, const Inbound& message, Room room) = 0;

    /// deliver() for a request whose body stands in a file. False when its descriptor cannot be handed over
    /// now: nothing has happened then.
    virtual bool deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) = 0;

    /// Tells a worker, also one that drains, what it need not know (Inbound::is_notice): nothing is finished
    /// or lost with it. True when it is said, or when there is nobody to tell; false: no room now, try again
    /// later.
    virtual bool notify(int worker, const Inbound& message) = 0;

    /// Brings what the workers have done since.
    virtual void poll(TransportEvents& events) = 0;
    /// Whether poll() has something to bring.
    virtual bool pending() const = 0;
    /// Makes what was delivered visible to the workers and wakes them.
    virtual void flush() = 0;
    /// After what can be sent was sent: copies what slow clients have left in the workers' memory. Returns as
    /// CommandInlet::relieve().
    virtual int relieve(uint64_t now_ms) = 0;

    /// What is not accepted waits for memory that only the application can give back.
    virtual bool is_short_of_memory() const { return false; }

    /// In-bound bytes in use.
    virtual size_t used_bytes() const = 0;
};

}  // namespace sluice
