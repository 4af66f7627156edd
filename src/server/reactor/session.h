#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "server/reactor/topics.h"
#include "server/seam/messages.h"
#include "server/seam/payload.h"
#include "server/seam/transport.h"

namespace sluice {

class SessionHost;
class SharedMessage;
struct Connection;

/// What a session made of its input.
enum class Progress : uint8_t {
    kMore,      ///< all consumed: read on
    kWait,      ///< memory or a worker is short: keep the rest of the input and try again soon
    kBlocked,   ///< nothing goes on before this session itself says so (HTTP: before the response)
    kSwitched,  ///< the connection has another session now, which takes the rest of the input
    kClosed,    ///< the connection has been closed or is closing: input is of no use any more
};

/// A response that a worker owes to a session.
struct OwedResponse {
    int worker = kNoWorker;  ///< kNoWorker: none is owed
    uint32_t request = 0;
};

/// What drives one protocol for one connection: bytes in, messages to a worker, and commands of workers back
/// to bytes. A connection has one at a time, which stands in it; SessionPlace says how one takes another's
/// place.
class Session {
  public:
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Whether messages come and go in both directions until one side closes. Otherwise there are requests
    /// and their responses: those need not be waited for when the client has gone.
    virtual bool is_conversation() const { return false; }

    // -- The client's bytes

    /// The connection's own bytes may come and go: after accepting, or what a proxy and TLS have to say
    /// first.
    virtual void connected(SessionHost&, Connection&) {}
    /// Where bytes may be received straight into the message, and that they were.
    virtual std::span<char> window() { return {}; }
    virtual void filled(size_t) {}
    /// Part of what the window waits for has come.
    virtual void progressed(SessionHost&, Connection&) {}
    /// Takes input; what it leaves is kept and comes again.
    virtual Progress consume(SessionHost& host, Connection& self, std::span<char>& input) = 0;
    /// Whether its next message is likely to be a big one, which has a window.
    virtual bool receives_in_bulk() const { return false; }
    /// The peer will send no more, and all it has sent was consumed.
    virtual void ended(SessionHost& host, Connection& self) = 0;
    /// The peer has closed its side, or all of it, which cannot be told apart; there may be input before
    /// that.
    virtual void peer_left(SessionHost&, Connection&) {}

    // -- The queue to the client

    /// The queue is about to be written: more may be put into it.
    virtual void fill_queue(Connection&) {}
    /// All that was queued has been written.
    virtual void sent(SessionHost&, Connection&) {}
    /// What waits for the client outside of the queue.
    virtual size_t held_back_bytes() const { return 0; }

    // -- The workers

    /// One has submitted a command for this connection; see TransportEvents::on_command.
    virtual void command(SessionHost& host, Connection& self, int worker, const Command& command,
                         Ref<Payload> payload) = 0;
    /// A message that goes to many connections.
    virtual void send_shared(SessionHost&, Connection&, SharedMessage&) {}
    /// What it has subscribed to; nullptr: it cannot subscribe (any more).
    virtual Topics::Subscriptions* subscriptions() { return nullptr; }
    /// No handler is busy with a message of it any more.
    virtual void handled(SessionHost&, Connection&) {}
    virtual OwedResponse owed_response() const { return {}; }
    /// Another worker has it to give.
    virtual void moved_to(int) {}
    /// The worker that had it to give is dead.
    virtual void worker_lost(SessionHost&, Connection&) {}

    // -- Its end

    /// The connection's deadline has passed.
    virtual void deadline(SessionHost& host, Connection& self) = 0;
    /// It ends when nothing has come or gone for so long; 0: it does not.
    virtual uint32_t most_idle_ms() const { return 0; }
    /// The connection is to end, for a reason that a WebSocket can be told.
    virtual void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) = 0;
    /// The server drains: ends it, when what has begun is answered.
    virtual void stop(SessionHost& host, Connection& self) = 0;
    /// The connection ends with what is queued.
    virtual void cut(SessionHost&, Connection&) {}
    /// Gives back what is not its own, before the connection is destroyed. Twice does no harm.
    virtual void release(SessionHost& host) = 0;

  protected:
    Session() = default;
};

}  // namespace sluice
