#pragma once

#include "core/room.h"
#include "server/seam/arena_claim.h"
#include "server/seam/messages.h"
#include "server/seam/payload.h"
#include "server/seam/request_file.h"

namespace sluice {

inline constexpr int kNoWorker = -1;
inline constexpr int kNoConnectionLeft = -2;
/// So many messages lie in a worker's queue at most while several clients wait for it. Enough for it to be
/// busy until the reactor brings more, and so few that turns of the reactor are short.
inline constexpr size_t kMostContended = 16;

/// What a ready worker is given.
enum class WorkerTakes : uint8_t {
    kMessages,
    kShare,    ///< some requests: its generation is tried out
    kNothing,  ///< but answers to its own commands
};

/// A transport's events for its reactor.
class TransportEvents {
  public:
    virtual ~TransportEvents() = default;
    /// A worker has submitted a command. `command.payload` is valid during the call; when `payload` is set,
    /// it refers to these bytes and may be kept.
    virtual void on_command(int worker, const Command& command, Ref<Payload> payload) = 0;
    /// The handler of a message has ended.
    virtual void on_finished(ConnectionId id) = 0;
    /// A worker has died while it executed this message, which will not be finished.
    virtual void on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) = 0;
    /// Chooses another worker for a message that a dead one had not begun. kNoWorker: none now, ask again
    /// later; kNoConnectionLeft: its connection has gone. All messages of a connection must get one worker.
    virtual int worker_for_moved(InboundKind kind, ConnectionId id, uint32_t request) = 0;
    /// The worker has written an invalid record. It is not served any more and should be killed.
    virtual void on_corrupt(int worker) = 0;
};

/// The reactor's interface to the workers: allocates room for messages, delivers them, and brings commands.
/// Process mode uses rings in shared memory (RingTransport), base mode works within one process
/// (InlineTransport).
class Transport {
  public:
    /// For takes_requests() and takes_messages(): a client that no connection has, and what it asks for.
    static constexpr uint64_t kStranger = UINT64_MAX;
    static constexpr size_t kSmallRequestBytes = 256;

    virtual ~Transport() = default;

    /// Room for a payload of `bytes`; empty when memory is short, or the claiming client has its share: stop
    /// reading and try again after `poll`.
    virtual Room allocate(size_t bytes, const ArenaClaim& claim) = 0;
    /// Room that is charged to no client.
    Room allocate(size_t bytes) { return allocate(bytes, {}); }
    /// Extends room that was not delivered, in place. False, and it is unchanged, when that is impossible.
    virtual bool extend(Room& room, size_t bytes, bool is_whole) = 0;
    /// Gives back room that was not delivered.
    virtual void free(Room room) = 0;

    /// The ready worker with the fewest unfinished messages, or kNoWorker.
    virtual int least_busy() = 0;
    /// The worker that this client's next request goes to: least_busy(), or while a canary is under way every
    /// now and then one of its workers. A canary that has no room is passed over. Asking changes nothing.
    virtual int worker_for_request(uint64_t /*client*/) { return least_busy(); }
    /// A request was delivered to the worker for requests. True while a canary is under way that gets its
    /// share: what becomes of the request is to be counted.
    virtual bool gave_request(int /*worker*/) { return false; }
    /// Whether the worker's generation is tried out.
    virtual bool is_canary(int /*worker*/) const { return false; }
    /// The ready worker with the fewest connections bound to it, or kNoWorker. Never a canary.
    virtual int fewest_bound() = 0;
    virtual void bind(int worker) = 0;
    virtual void unbind(int worker) = 0;
    /// Whether new messages may go to this worker: it is up and not draining.
    virtual bool is_ready(int worker) const = 0;
    /// Whether `deliver` of a message of this client (Inbound::client) with up to `inline_bytes` of head and
    /// payload will succeed now. False, too, when the client holds its share of the worker's places.
    virtual bool accepts(int worker, uint64_t client, size_t inline_bytes) = 0;
    /// accepts() for a message of a conversation: false, too, when so many lie before it that it had better
    /// wait for its turn; see QueueLimit.
    virtual bool accepts_message(int worker, uint64_t client, size_t inline_bytes) {
        return accepts(worker, client, inline_bytes);
    }
    /// The same for a request. `is_contended`: other clients wait; then false, too, when the worker has not
    /// begun kMostContended messages.
    virtual bool accepts_request(int worker, uint64_t client, size_t inline_bytes, bool is_contended) = 0;

    // Whether a worker, or this one, would take a small request or message of somebody who has nothing there.
    // Asking changes nothing.

    virtual bool takes_requests(bool is_contended) = 0;
    virtual bool takes_messages(int worker) = 0;

    /// Hands a message over. Only after `accepts`. When `room` is set, the payload stands in it, and it
    /// becomes the worker's; otherwise everything is copied.
    virtual void deliver(int worker, const Inbound& message, Room room) = 0;

    /// deliver() for a request whose body stands in a file. False, and nothing has happened, when its
    /// descriptor cannot be handed over now.
    virtual bool deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) = 0;

    /// Sends a notice (Inbound::is_notice) to a worker, also to one that drains. Notices are not finished,
    /// and may be lost. True when it is sent, or when the worker has gone; false: no room now, try again
    /// later.
    virtual bool notify(int worker, const Inbound& message) = 0;

    /// Reports what the workers have done since the last call.
    virtual void poll(TransportEvents& events) = 0;
    /// Whether poll() has something to report.
    virtual bool pending() const = 0;
    /// Call it before sleeping, and before the last look at pending(): workers that did not accept something
    /// since the last poll() ring when they have made room.
    virtual void await_room() {}
    /// Call it before await_room(): somebody waits until the worker has handled what it has.
    virtual void await_progress(int /*worker*/) {}
    /// Makes what was delivered visible to the workers and wakes them.
    virtual void flush() = 0;
    /// Call it after flushing: copies payloads of slow clients out of the workers' memory, and gives memory
    /// back that has been free for a while. Returns in how many ms to call it again; -1: not by time alone.
    virtual int relieve(uint64_t now_ms) = 0;

    /// Whether this request of a dead worker, which had not begun it, still waits for another one.
    virtual bool has_orphan(ConnectionId, uint32_t /*request*/) const { return false; }

    /// Whether messages wait for memory that only the application can free.
    virtual bool is_short_of_memory() const { return false; }

    /// Bytes of in-bound memory in use.
    virtual size_t used_bytes() const = 0;
};

}  // namespace sluice
