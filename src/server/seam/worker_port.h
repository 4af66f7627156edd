#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "io/address.h"
#include "io/event_loop.h"
#include "io/fd_channel.h"
#include "server/config/choices.h"
#include "server/seam/attached.h"
#include "server/seam/messages.h"
#include "server/seam/request_file.h"

namespace sluice {

struct Limits;
struct SendLimits;

/// Where base mode gets the memory for received messages: in src/php, fresh PHP strings.
class MessageAllocator {
  public:
    virtual ~MessageAllocator() = default;
    /// `bytes` of payload with kPayloadOffset in front and kPayloadTail behind; nullptr when memory is short.
    /// The pointer is to the payload.
    virtual char* allocate(size_t bytes) = 0;
    /// Whether allocate(bytes) would succeed now.
    virtual bool has_room(size_t bytes) = 0;
    virtual void free(char* payload) = 0;
};

/// Of one worker, or all of them together.
struct CoroutineCounts {
    uint32_t live = 0;
    uint32_t pooled = 0;
    uint32_t peak = 0;  ///< of one worker

    bool operator==(const CoroutineCounts&) const = default;
};

/// Whom of several a command has reached that is submitted again until there is room; one for each command.
struct Reach {
    std::bitset<kMaxReactors> done;  ///< reactors that have it, or are gone
    unsigned count = 0;              ///< of those that have it: each of them answers a question
};

struct ServerStats {
    uint64_t connections = 0;
    uint64_t arena_bytes = 0;
    uint64_t lent_bytes = 0;
    uint64_t compression_bytes = 0;
    uint64_t attached_bytes = 0;
    uint64_t subscription_bytes = 0;
    uint64_t messages_received = 0;
    uint64_t bytes_received = 0;
    uint64_t bytes_sent = 0;
    uint64_t coroutines = 0;
    uint64_t pooled_stacks = 0;
    uint64_t peak_coroutines = 0;
    uint64_t stalls = 0;
    uint64_t datagrams_dropped = 0;
};

/// A worker's end of the transport: takes messages, submits commands. Process mode speaks through rings in
/// shared memory, base mode calls the reactor in its own process; the code above cannot tell them apart. It
/// is the worker's event loop as well: all that a worker waits for, it waits for in one place.
class WorkerPort : public EventLoop {
  public:
    /// Tells the master and the reactors that messages may come. Call once, after the worker's own start-up.
    virtual void ready() = 0;

    /// The next message, or false when there is none now. `message` and what it points to stay valid until
    /// `finished(message)`; several may be open at a time, and they may finish in any order.
    virtual bool take(Inbound& message) = 0;

    /// For a worker that may begin no further handler: the next notice (Inbound::is_notice) that `is_wanted`,
    /// wherever it stands among the messages that wait. The others keep their order, and it is gone from
    /// among them.
    virtual bool take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) = 0;

    /// The handler has ended: from here on the worker's death does not concern this message any more. Does
    /// not give back its extent.
    virtual void finished(const Inbound& message) = 0;

    // When a handler waits, later messages pass by. Neither call concerns the order in which messages finish.

    /// The handler of this message waits. What the message points to is not read any more: the payload was
    /// copied, or stands in an extent.
    virtual void waits(const Inbound& message) = 0;
    /// This message has not begun and waits for another one to finish. Moves what `message` points to.
    virtual void set_aside(Inbound& message) = 0;
    /// The handler of a message that was set aside begins: the worker's death concerns it from here on.
    virtual void begins(const Inbound& message) = 0;

    /// Gives back the extent of a message taken with PayloadHome::kExtent. `payload` must not be touched
    /// afterwards.
    virtual void release(const Inbound& message) = 0;

    /// Gives back the file of a request's body, whose descriptor the caller has closed.
    virtual void release_file(const Inbound& message) = 0;

    /// A temporary file in this folder for a body that comes through a pipe, out of what all bodies of the
    /// server may take. Nothing when there is no room for it, with `error` set.
    virtual Ref<RequestFile> create_body_file(const std::string& folder, http::Error& error) = 0;

    // Neither call waits, and both copy what they need.

    /// Hands a command to the reactors that it concerns. kNoRoom: some have not got it. Who may wait calls
    /// again, with the same `reach`; who gives up has reached the others all the same.
    virtual Submitted submit(const Command& command, Reach& reach) = 0;

    /// Which way a command takes to whom it concerns: those of one way find room together, or none.
    virtual unsigned way_of(const Command& command) const = 0;

    /// For what concerns one reactor, and is submitted where nobody may wait for it and nobody may lose it:
    /// the end of a response, the close of a connection. Without room it is kept until there is. kDropped:
    /// more is kept than Limits::out_bytes.
    virtual Submitted submit_surely(const Command& command) = 0;
    /// Whether something is kept; wait() sees to it.
    virtual bool has_kept() const = 0;

    /// Makes everything submitted visible to the reactors and waits until there is something to take, the
    /// master says something, a watched descriptor is ready or the time is over; -1: no limit. Returns early
    /// at any time.
    void wait(int timeout_ms) override = 0;

    /// Makes everything submitted visible to the reactors without waiting.
    virtual void flush() = 0;

    /// This worker is to end once what has begun has ended. What was on its way to it may still come.
    virtual bool leaving() const = 0;
    /// The master wants this worker to end: no further message will come.
    virtual bool stopping() const = 0;
    /// Then: how long what has begun may go on, by the monotonic clock.
    virtual uint64_t patient_until_ms() const = 0;

    /// Those of the server's start, whatever this boot of the script has asked for.
    virtual const Limits& limits() const = 0;
    /// Of what waits for one client; those of the endpoint that it came by.
    virtual const SendLimits& sending(ConnectionId id) const = 0;

    /// Where a request goes that was matched before a reload, and that this boot of the script has no handler
    /// for at `endpoint`.
    struct MatchedAnew {
        int endpoint = -1;      ///< whose handler it is for; -1: nobody is there for it
        bool has_site = false;  ///< there is a listener at its address
    };
    virtual MatchedAnew match_anew(uint16_t endpoint, const inbound::Head& head) const = 0;
    /// Then: the methods that its path has routes for, as the Allow field has them.
    virtual std::string allowed_methods(uint16_t endpoint, const inbound::Head& head) const = 0;

    virtual bool is_open(ConnectionId id) const = 0;
    virtual size_t queued_bytes(ConnectionId id) const = 0;
    virtual SlowClient slow_client(ConnectionId id) const = 0;
    /// The client as far as it is known: `192.0.2.1:1234`, `[2001:db8::1]:1234`, without a port when a proxy
    /// has named none; empty when it is closed.
    virtual Address peer(ConnectionId id) const = 0;
    /// The other end of the connection itself: the client, or a proxy that has named it.
    virtual Address connection_peer(ConnectionId id) const = 0;

    /// Of a WebSocket: its sub-protocol as websocket::protocol_number(), and how long the last ping took to
    /// be answered; 0: none.
    virtual uint32_t protocol_number(ConnectionId id) const = 0;
    virtual uint32_t round_trip_us(ConnectionId id) const = 0;
    /// Whose route has parameters: by which endpoint and path it came; false when it has gone and its place
    /// was taken by another one. `path` takes PathCell::kMostBytes, and gets as many as are returned in
    /// `bytes`.
    virtual bool read_path(ConnectionId id, uint16_t& endpoint, char* path, size_t& bytes) const = 0;

    /// What is attached to a connection. It may have changed before it is read: read_attached() is false
    /// then.
    virtual Attached find_attached(ConnectionId id) const = 0;
    virtual bool read_attached(ConnectionId id, const Attached& found, char* to) const = 0;

    /// Publishes how many bytes of extents PHP holds, for the statistics.
    virtual void set_lent_bytes(size_t bytes) = 0;
    virtual void set_coroutines(const CoroutineCounts& counts) = 0;
    /// For the statistics; from any thread.
    virtual void count_stall() = 0;
    virtual ServerStats stats() const = 0;

    /// Whether messages wait for nothing but memory of the worker's own, which its MessageAllocator refuses.
    virtual bool is_short_of_memory() const = 0;

    /// Asks the master, as SIGHUP and SIGTERM would.
    virtual void request_reload() = 0;
    virtual void request_stop() = 0;
    /// Asks the master for another worker in the place of this one, which is then told to end.
    virtual void request_replacement() = 0;
    /// The same, but it goes on until the other one is ready.
    virtual void request_successor() = 0;
};

/// Who this worker is.
struct WorkerIdentity {
    unsigned id = 0;  ///< among its fellows
    unsigned generation = 0;
    int service = -1;  ///< index in ServerConfig::services; -1: it is a worker, and messages come
    /// endpoint id of messages → index in ServerConfig::endpoints of this boot; -1: not of this boot
    std::vector<int> endpoint_index;
    /// as bound, in the order of ServerConfig::endpoints that are listeners
    std::vector<std::string> addresses;
    /// For one request; see EndpointSpec::processes.
    bool is_request_process = false;
    /// In a worker, by EndpointSpec::processes_of: where requests are handed over.
    std::vector<FdChannel> request_queues;
};

}  // namespace sluice
