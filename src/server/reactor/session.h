#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "server/reactor/resource.h"
#include "server/reactor/topics.h"
#include "server/seam/messages.h"
#include "server/seam/payload.h"
#include "server/seam/reactor_figures.h"
#include "server/seam/transport.h"

namespace sluice {

class SessionHost;
class SharedMessage;
struct Connection;

/// What a session has made of its input.
enum class Progress : uint8_t {
    kMore,      ///< all consumed: read on
    kWait,      ///< what it Connection::awaits is short: keep the rest of the input until its turn comes
    kYield,     ///< it has done enough in this turn: keep the rest of the input until the next one
    kBlocked,   ///< input waits until this session resumes it (HTTP: until the response)
    kSwitched,  ///< the connection has another session now, which takes the rest of the input
    kClosed,    ///< the connection is closed or closing: drop input
};

/// kWait, for this.
Progress wait_for(Connection& connection, Resource resource);

/// What a session is about, for the metrics.
enum class Activity : uint8_t {
    kNothing,
    kReading,   ///< it has a part of a request or message
    kHandling,  ///< a worker has to answer
};

/// A response that a session awaits of a worker.
struct AwaitedResponse {
    int worker = kNoWorker;  ///< kNoWorker: none is awaited
    uint32_t request = 0;
};

/// Drives one protocol for one connection: turns bytes into messages to a worker, and workers' commands into
/// bytes. A connection has one session at a time, stored in itself; SessionPlace says how another one
/// replaces it.
class Session {
  public:
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Whether messages go in both directions until one side closes. Otherwise there are requests and
    /// responses; these need not be awaited when the client has gone.
    virtual bool is_conversation() const { return false; }
    /// Whether what comes next on it begins a request, for which a worker has to have room. The rest of a
    /// body, frames of HTTP/2 and bytes of a handshake need none: a worker may be waiting for just these.
    virtual bool begins_request() const { return false; }

    virtual ConnectionProtocol protocol() const { return ConnectionProtocol::kHttp1; }
    virtual Activity activity(const Connection&) const { return Activity::kNothing; }

    // -- The client's bytes

    /// The connection is ready for the protocol: accepted, and past PROXY header and TLS
    /// handshake.
    virtual void connected(SessionHost&, Connection&) {}
    /// Where bytes may be received straight into the message; filled() says that they were.
    virtual std::span<char> window() { return {}; }
    virtual void filled(size_t) {}
    /// Some of the window's bytes have come.
    virtual void progressed(SessionHost&, Connection&) {}
    /// Consumes input; the rest is kept and offered again.
    virtual Progress consume(SessionHost& host, Connection& self, std::span<char>& input) = 0;
    /// The connection waits for a worker, as others do, before what it has sent is looked at.
    virtual void waits_unread(SessionHost&, Connection&) {}
    /// Too much waits for the workers: what the connection waits with is answered with an error, if it can
    /// be.
    virtual void refuse(SessionHost&, Connection&) {}
    /// Memory of the arena that is set aside for a message of which not all has come.
    virtual size_t unfinished_bytes() const { return 0; }
    /// Gives that up, so that the messages of others have room. The connection ends, and its client is told
    /// to try again later.
    virtual void give_up_unfinished(SessionHost&, Connection&) {}
    /// Whether the next message is likely to be a big one, which has a window.
    virtual bool receives_in_bulk() const { return false; }
    /// The peer will send no more, and all it has sent was consumed.
    virtual void ended(SessionHost& host, Connection& self) = 0;
    /// The peer has closed its side or the whole connection, which look alike. Input may still be
    /// pending.
    virtual void peer_left(SessionHost&, Connection&) {}

    // -- The queue to the client

    /// The queue is about to be written: more may be put into it.
    virtual void fill_queue(Connection&) {}
    /// All that was queued has been written.
    virtual void sent(SessionHost&, Connection&) {}
    /// Bytes that wait for the client outside of the queue.
    virtual size_t held_back_bytes() const { return 0; }

    // -- The workers

    /// A worker has submitted a command for this connection; see TransportEvents::on_command.
    virtual void command(SessionHost& host, Connection& self, int worker, const Command& command,
                         Ref<Payload> payload) = 0;
    /// Sends a message that goes to many connections.
    virtual void send_shared(SessionHost&, Connection&, SharedMessage&) {}
    /// A worker hands over its response to this request, a stream of events: what is published to the
    /// connection's topics goes on with it. False: there is no such response.
    virtual bool take_over_events(SessionHost&, Connection&, int /*worker*/, uint32_t /*request*/) {
        return false;
    }
    /// The connection's subscriptions; nullptr: it cannot subscribe (any more).
    virtual Topics::Subscriptions* subscriptions() { return nullptr; }
    /// No handler runs for a message of this connection any more.
    virtual void handled(SessionHost&, Connection&) {}
    /// The first one, when several are awaited.
    virtual AwaitedResponse awaited_response() const { return {}; }
    /// Whether the worker of the first response has begun it.
    virtual bool is_responding() const { return false; }
    /// The worker of which the response to this request is awaited; kNoWorker: of nobody.
    virtual int worker_of(uint32_t request) {
        const AwaitedResponse awaited = awaited_response();
        return awaited.request == request ? awaited.worker : kNoWorker;
    }
    /// The response to this request is awaited of another worker now.
    virtual void moved_to(SessionHost&, Connection&, uint32_t /*request*/, int /*worker*/) {}
    /// The worker of the first response is dead.
    virtual void worker_lost(SessionHost&, Connection&) {}

    // -- Its end

    /// The connection's deadline has passed.
    virtual void deadline(SessionHost& host, Connection& self) = 0;
    /// The idle timeout; 0: none.
    virtual uint32_t most_idle_ms() const { return 0; }
    /// Ends the connection, with a code and reason for a WebSocket's close frame.
    virtual void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) = 0;
    /// The server drains: ends the session once what has begun is answered.
    virtual void stop(SessionHost& host, Connection& self) = 0;
    /// The connection ends; what is queued is lost.
    virtual void cut(SessionHost&, Connection&) {}
    /// Gives back borrowed resources before the connection is destroyed. May be called twice.
    virtual void release(SessionHost& host) = 0;

  protected:
    Session() = default;
};

}  // namespace sluice
