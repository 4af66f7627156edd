#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "server/reactor/commons.h"
#include "server/reactor/topics.h"

namespace sluice {

struct Connection;

/// What a session may ask of its reactor, and what it shares with the reactor's other
/// sessions.
class SessionHost {
  public:
    // -- Shared with other sessions

    const Limits& limits() const { return commons_.limits; }
    Transport& transport() { return commons_.transport; }
    const SessionFactory& sessions() const { return commons_.sessions; }
    const Endpoints& endpoints() const { return *commons_.endpoints; }
    const SendLimits& sending(uint16_t endpoint) const { return commons_.sending(endpoint); }
    /// The limits of a site and its connections; `endpoint`: its listener.
    const HttpLimits& site_limits(uint16_t endpoint) const { return endpoints()[endpoint].spec.limits.http; }
    /// A parser for a head that stands whole in the input; reset it with the site's limits before each use.
    http1::HeadParser& shared_parser() { return commons_.parser; }
    CompressionContexts& compression() { return commons_.compression; }
    TemporaryFiles& temporary_files() { return *commons_.temporary_files; }
    BodyStreams& body_streams() { return commons_.body_streams; }
    Budget& handshakes() { return commons_.handshakes; }
    const ConnectionCells& cells() const { return commons_.cells; }
    /// For the metrics.
    RequestCells& requests() const { return commons_.requests; }
    ReactorCell& counters() const { return commons_.counters; }
    ReactorFigures& figures() const { return commons_.figures; }
    void count_refusal(std::string_view limit) const { commons_.figures.count_refusal(limit); }
    /// Of the ids of requests that bring none.
    const TraceKey& trace_key() const { return commons_.trace_key; }
    Attachments& attachments() { return commons_.attachments; }
    OutBudget& out_budget() { return commons_.out_budget; }
    uint64_t now_ms() const { return commons_.now_ms; }
    std::string_view date() const { return commons_.date; }
    bool shutting_down() const { return commons_.shutting_down; }
    /// How many bytes of bodies may still be written to files in this turn.
    size_t body_budget() const { return commons_.body_file_bytes; }
    void spend_body_budget(size_t bytes) {
        commons_.body_file_bytes -= std::min(bytes, commons_.body_file_bytes);
    }

    /// What the connection brings and takes from now on counts for this client, whom a trusted proxy has
    /// named.
    void count_for(Connection& connection, const Address& client);
    /// count_for(), for as long as the connection is there: it is that client's.
    void name_client(Connection& connection, const Address& client);

    // -- Its connection's life

    /// Calls Session::deadline() in `ms`; 0: never.
    void set_deadline(Connection& connection, uint32_t ms) {
        set_deadline_at(connection, ms ? now_ms() + ms : 0);
    }
    /// Calls Session::deadline() at this time of now_ms()'s clock; 0: never.
    virtual void set_deadline_at(Connection& connection, uint64_t at_ms) = 0;
    /// Call it after bytes were queued.
    virtual void wants_flush(Connection& connection) = 0;
    /// The session can go on: offer it the kept input.
    virtual void resume(Connection& connection) = 0;
    /// Writes the queue, then closes. Discards input from now on.
    virtual void finish(Connection& connection) = 0;
    /// Closes at once.
    virtual void abort(Connection& connection) = 0;
    /// Closes a slow client (SlowClient::kClose) once no iteration over subscribers is under way.
    virtual void close_soon(Connection& connection) = 0;
    virtual void unsubscribe_all(Topics::Subscriptions& subscriptions) = 0;

    // -- Its worker

    /// Whether further requests of this connection may be begun before the first is answered: nobody else
    /// waits for this worker.
    virtual bool may_pipeline(const Connection& connection, int worker) const = 0;
    /// Whether the worker takes a request of this connection now: it has room, and nobody else is due before.
    virtual bool accepts_request(Connection& connection, int worker, size_t inline_bytes) = 0;
    /// Binds the connection to a ready worker, unless its old worker still has messages of it. True when a
    /// message of up to `inline_bytes` can be delivered now.
    virtual bool can_deliver(Connection& connection, size_t inline_bytes) = 0;
    virtual void deliver(Connection& connection, int worker, Inbound& message, Room room) = 0;
    /// Delivers a request whose body stands in a file; see Transport::deliver_file.
    virtual bool deliver_file(Connection& connection, int worker, Inbound& message,
                              Ref<RequestFile> file) = 0;
    /// Cancels the handler of a request whose response nobody awaits any more. It is sent when the worker's
    /// ring has room, perhaps after the connection has gone.
    virtual void cancel_request(const Connection& connection, int worker, uint32_t request,
                                CancelReason reason) = 0;
    /// Counts a response that is awaited of the worker, or no longer.
    virtual void await_response(int worker, int change) = 0;

    // -- Streams that the connection carries

    /// Opens a connection with the peer of `parent`; the caller sets its Stream. nullptr: there are too
    /// many.
    virtual Connection* open_stream(Connection& parent) = 0;
    virtual void receive_for_stream(Connection& stream, std::span<char> input) = 0;
    /// `bytes` of the stream have been written.
    virtual void stream_progressed(Connection& stream, size_t bytes) = 0;
    /// All of the stream's bytes and its end have been written.
    virtual void stream_sent(Connection& stream) = 0;

  protected:
    explicit SessionHost(Commons& commons) : commons_(commons) {}
    ~SessionHost() = default;

  private:
    Commons& commons_;
};

}  // namespace sluice
