#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "core/trace_ids.h"
#include "io/address.h"
#include "io/event_loop.h"
#include "io/fd_channel.h"
#include "server/config/choices.h"
#include "server/seam/attached.h"
#include "server/seam/messages.h"
#include "server/seam/request_file.h"
#include "server/seam/script_processes.h"
#include "server/seam/server_stats.h"

namespace sluice {

struct Limits;
struct ProfileDesk;
struct RequestBoard;
struct SendLimits;

/// Allocates base mode's memory for received messages: fresh PHP strings, in src/php.
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

/// Counts of one worker, or of all workers together.
struct CoroutineCounts {
    uint32_t live = 0;
    uint32_t pooled = 0;
    uint32_t peak = 0;        ///< of one worker
    uint32_t handlers = 0;    ///< that have begun and not ended
    uint32_t waiting = 0;     ///< of these, that wait for their turn
    uint64_t handled = 0;     ///< requests, messages and datagrams
    uint64_t heap_bytes = 0;  ///< that PHP has of the system

    bool operator==(const CoroutineCounts&) const = default;
};

/// The reactors that one command has reached, while it is submitted again until there is room.
struct Reach {
    std::bitset<kMaxReactors> done;  ///< reactors that have it, or are gone
    unsigned count = 0;              ///< of reactors that have it: each answers a question
};

/// A worker's end of the transport: takes messages, submits commands. Process mode uses rings in shared
/// memory, base mode calls the reactor in its own process; the code above cannot tell them apart. It is also
/// the worker's event loop, so that a worker waits for everything in one place.
class WorkerPort : public EventLoop {
  public:
    /// Tells the master and the reactors that messages may come. Call once, after the worker's own start-up.
    virtual void ready() = 0;

    /// The next message, or false when there is none now. `message` and what it points to stay valid until
    /// `finished(message)`; several may be open at a time, and they may finish in any order.
    virtual bool take(Inbound& message) = 0;

    /// For a worker that may begin no further handler: takes the next notice (Inbound::is_notice) that
    /// `is_wanted`, wherever it stands among the waiting messages. The other messages keep their
    /// order.
    virtual bool take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) = 0;

    /// The handler has ended: the worker's death does not concern this message any more. Does not give back
    /// its extent.
    virtual void finished(const Inbound& message) = 0;

    // While a handler waits, later messages go on. waits() and park() do not affect the order of ends.

    /// The handler of this message waits. What the message points to is no longer read: the payload was
    /// copied, or stands in an extent.
    virtual void waits(const Inbound& message) = 0;
    /// This message has not begun and waits for another one's end, for the first time or after begins().
    /// Moves the memory of its views.
    virtual void park(Inbound& message) = 0;
    /// The handler of a message that was parked begins: from here on it is lost if the worker dies.
    virtual void begins(const Inbound& message) = 0;

    /// Gives back the extent of a message taken with PayloadHome::kExtent. `payload` must not be touched
    /// afterwards.
    virtual void release(const Inbound& message) = 0;

    /// Gives back the file of a request's body, whose descriptor the caller has closed.
    virtual void release_file(const Inbound& message) = 0;

    /// Makes a temporary file in this folder for a body that comes through a pipe, within the server's limit
    /// for all bodies and the client's share. Empty, with `error` set, when there is no
    /// room for it.
    virtual Ref<RequestFile> create_body_file(uint64_t client, const std::string& folder,
                                              http::Error& error) = 0;

    // submit() and submit_surely() never wait, and copy what they need.

    /// Hands a command to the reactors that it concerns. kNoRoom: some have not got it. To retry, call again
    /// with this `reach`; after giving up, the reactors in `reach` have the command.
    virtual Submitted submit(const Command& command, Reach& reach) = 0;

    /// The number of a command's way to its reactor: commands of one way find room together, or none does.
    virtual unsigned way_of(const Command& command) const = 0;

    /// For a command to one reactor that must not be lost, where the caller may not wait: the end of a
    /// response, the close of a connection. Without room it is kept until there is. kDropped: more would be
    /// kept than Limits::out_bytes.
    virtual Submitted submit_surely(const Command& command) = 0;
    /// Whether commands are kept; wait() hands them over.
    virtual bool has_kept() const = 0;

    /// Makes submitted commands visible to the reactors and waits for a message, a word
    /// from the master, a watched descriptor or the timeout; -1: no timeout. May return
    /// early. Messages that the last take_notice() has passed over do not end it.
    void wait(int timeout_ms) override = 0;
    /// The same for a caller that takes no message now: none ends it.
    virtual void wait_without_messages(int timeout_ms) { wait(timeout_ms); }

    /// Makes submitted commands visible to the reactors without waiting.
    virtual void flush() = 0;

    /// This worker is to end once what has begun has ended. What was on its way to it may still come.
    virtual bool leaving() const = 0;
    /// The master wants this worker to end: no further message will come.
    virtual bool stopping() const = 0;
    /// When stopping(): until when begun work may go on, by the monotonic clock.
    virtual uint64_t patient_until_ms() const = 0;

    /// The limits of the server's start, whatever this boot of the script has asked for.
    virtual const Limits& limits() const = 0;
    /// The limits of a client's queue: those of the endpoint that it came by.
    virtual const SendLimits& sending(ConnectionId id) const = 0;

    /// Where a request goes that was matched before a reload, when this boot has no handler at
    /// `endpoint`.
    struct MatchedAnew {
        int endpoint = -1;      ///< the endpoint whose handler it is for; -1: none
        bool has_site = false;  ///< a listener exists at its address
    };
    virtual MatchedAnew match_anew(uint16_t endpoint, const inbound::Head& head) const = 0;
    /// For such a request: the methods of its path's routes, as in the Allow field.
    virtual std::string allowed_methods(uint16_t endpoint, const inbound::Head& head) const = 0;

    virtual bool is_open(ConnectionId id) const = 0;
    virtual size_t queued_bytes(ConnectionId id) const = 0;
    virtual SlowClient slow_client(ConnectionId id) const = 0;
    /// The client's address: `192.0.2.1:1234`, `[2001:db8::1]:1234`; its port is 0 when a proxy has named
    /// none. Empty when the connection is closed.
    virtual Address peer(ConnectionId id) const = 0;
    /// The connection's own peer: the client, or the proxy that has named the client.
    virtual Address connection_peer(ConnectionId id) const = 0;

    /// The worker has run for so long for this client, and for one of its connections or none; see FlowCosts.
    virtual void charge(uint64_t client, ConnectionId connection, uint32_t cost_us) = 0;

    /// A WebSocket's sub-protocol as websocket::protocol_number(), and the round trip of its last answered
    /// ping; 0: none.
    virtual uint32_t protocol_number(ConnectionId id) const = 0;
    virtual uint32_t round_trip_us(ConnectionId id) const = 0;
    /// Endpoint and path of a WebSocket whose route has parameters; false when it has gone and
    /// its cell was reused. `path` has room for PathCell::kMostBytes, and gets `bytes` of
    /// them.
    virtual bool read_path(ConnectionId id, uint16_t& endpoint, char* path, size_t& bytes) const = 0;

    /// Finds what is attached to a connection. If it changes before it is read, read_attached() is
    /// false.
    virtual Attached find_attached(ConnectionId id) const = 0;
    virtual bool read_attached(ConnectionId id, const Attached& found, char* to) const = 0;

    /// Publishes how many bytes of extents PHP holds, for the statistics.
    virtual void set_lent_bytes(size_t bytes) = 0;
    virtual void set_coroutines(const CoroutineCounts& counts) = 0;
    /// The handler of a request has ended: how long the request has waited for it, and how long it ran.
    virtual void count_handled(uint16_t endpoint, uint64_t waited_us, uint64_t ran_us) = 0;
    /// Counts a stall for the statistics; from any thread.
    virtual void count_stall() = 0;
    virtual ServerStats stats() const = 0;
    /// Of the ids of requests that bring none.
    virtual TraceKey trace_key() const = 0;
    /// Where this worker is asked for profiles; nullptr: it is not.
    virtual ProfileDesk* profile_desk() const = 0;
    /// Where this worker tells what its checks have found; nullptr: it has none.
    virtual const SharedLayout* layout() const { return nullptr; }
    /// Where this worker notes requests; nullptr: nowhere.
    virtual RequestBoard* request_board() const = 0;

    /// Whether messages wait only for the worker's own memory, which its MessageAllocator refuses.
    virtual bool is_short_of_memory() const = 0;

    /// In a process that the application has forked from the worker: closes the descriptors by which the port
    /// reaches the server. Call nothing but const methods afterwards, and never destroy the port.
    virtual void abandon() = 0;

    /// Ask the master, as SIGHUP and SIGTERM do.
    virtual void request_reload() = 0;
    virtual void request_stop() = 0;
    /// Asks the master for another worker in the place of this one, which is then told to end.
    virtual void request_replacement() = 0;
    /// Asks for another worker in the place of this one, which goes on until the other is ready.
    virtual void request_successor() = 0;
};

/// A worker's identity.
struct WorkerIdentity {
    unsigned id = 0;  ///< among its fellows
    unsigned generation = 0;
    int service = -1;  ///< index in ServerConfig::services; -1: it is a worker, and messages come
    /// Endpoint number of messages → index in this boot's ServerConfig::endpoints; -1: not of this boot.
    std::vector<int> endpoint_index;
    /// Bound addresses of listeners, in the order of ServerConfig::endpoints.
    std::vector<std::string> addresses;
    /// For one request; see EndpointSpec::processes.
    bool is_request_process = false;
    /// For scripts, one request after the other; see EndpointSpec::runs_scripts.
    bool is_script_process = false;
    /// In a worker, by EndpointSpec::processes_of: where requests are handed over.
    std::vector<FdChannel> request_queues;
    /// In a worker, by EndpointSpec::processes_of: processes for scripts.
    std::vector<ScriptProcesses> script_processes;
};

}  // namespace sluice
