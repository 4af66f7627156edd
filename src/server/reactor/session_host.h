#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "server/reactor/commons.h"
#include "server/reactor/topics.h"

namespace sluice {

struct Connection;

/// What a session may ask of whoever keeps its connection, which is a reactor; and what it shares with the
/// other sessions there.
class SessionHost {
  public:
    // -- Shared with others

    const Limits& limits() const { return commons_.limits; }
    Transport& transport() { return commons_.transport; }
    const SessionFactory& sessions() const { return commons_.sessions; }
    const Endpoints& endpoints() const { return *commons_.endpoints; }
    const SendLimits& sending(uint16_t endpoint) const { return commons_.sending(endpoint); }
    /// Of a site and its connections; `endpoint`: its listener.
    const HttpLimits& site_limits(uint16_t endpoint) const { return endpoints()[endpoint].spec.limits.http; }
    /// Of one head that stands whole in what was read; to be reset with the site's limits before each.
    http1::HeadParser& shared_parser() { return commons_.parser; }
    CompressionContexts& compression() { return commons_.compression; }
    TemporaryFiles& temporary_files() { return *commons_.temporary_files; }
    BodyStreams& body_streams() { return commons_.body_streams; }
    Quota& handshakes() { return commons_.handshakes; }
    const ConnectionCells& cells() const { return commons_.cells; }
    Attachments& attachments() { return commons_.attachments; }
    OutBudget& out_budget() { return commons_.out_budget; }
    /// What its client holds of the arena.
    ArenaAccount* arena_account(Connection& connection) { return arena_accounts().of(connection).get(); }
    ArenaAccounts& arena_accounts() { return commons_.arena_accounts; }
    uint64_t now_ms() const { return commons_.now_ms; }
    std::string_view date() const { return commons_.date; }
    bool shutting_down() const { return commons_.shutting_down; }
    /// How many bytes of bodies may still be written to files in this turn, and that some were.
    size_t body_budget() const { return commons_.body_file_bytes; }
    void spend_body_budget(size_t bytes) {
        commons_.body_file_bytes -= std::min(bytes, commons_.body_file_bytes);
    }

    /// The connection's client is somebody else than its peer, which has said so.
    void name_client(Connection& connection, const Address& client);

    // -- Its connection's life

    /// The session wants to be asked in `ms`; 0: never.
    void set_deadline(Connection& connection, uint32_t ms) {
        set_deadline_at(connection, ms ? now_ms() + ms : 0);
    }
    /// The session wants to be asked at this moment of now_ms()'s clock; 0: never.
    virtual void set_deadline_at(Connection& connection, uint64_t at_ms) = 0;
    /// Something was put into its queue.
    virtual void wants_flush(Connection& connection) = 0;
    /// Its session can go on.
    virtual void resume(Connection& connection) = 0;
    /// Writes what is queued, then closes. No more input is looked at.
    virtual void finish(Connection& connection) = 0;
    /// Closes at once.
    virtual void abort(Connection& connection) = 0;
    /// Its client is behind, and SlowClient::kClose: closed as soon as nobody goes through subscribers.
    virtual void close_soon(Connection& connection) = 0;
    virtual void unsubscribe_all(Topics::Subscriptions& subscriptions) = 0;

    // -- Its worker

    /// Binds it to a ready worker, unless the old one still has messages of it. True when a message of up to
    /// `inline_bytes` can be delivered now.
    virtual bool can_deliver(Connection& connection, size_t inline_bytes) = 0;
    virtual void deliver(Connection& connection, int worker, Inbound& message, Room room) = 0;
    /// Delivers a request whose body stands in a file; see Transport::deliver_file.
    virtual bool deliver_file(Connection& connection, int worker, Inbound& message,
                              Ref<RequestFile> file) = 0;
    /// Has the handler of a request cancelled for whose response nobody waits any more; when the worker's
    /// ring has room, which may be after the connection has gone.
    virtual void cancel_request(const Connection& connection, int worker, uint32_t request,
                                CancelReason reason) = 0;
    /// A response is owed, or is not any more.
    virtual void owe_response(int worker, int change) = 0;

    // -- The streams that it carries

    /// A connection that comes from where `parent` does and gets its Stream from the caller. nullptr: there
    /// are too many.
    virtual Connection* open_stream(Connection& parent) = 0;
    virtual void receive_for_stream(Connection& stream, std::span<char> input) = 0;
    /// Some of its bytes have been written.
    virtual void stream_progressed(Connection& stream, size_t bytes) = 0;
    /// All of them have, and that they are all.
    virtual void stream_sent(Connection& stream) = 0;

  protected:
    explicit SessionHost(Commons& commons) : commons_(commons) {}
    ~SessionHost() = default;

  private:
    Commons& commons_;
};

}  // namespace sluice
