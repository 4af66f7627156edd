#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "core/either_ptr.h"
#include "core/timer_wheel.h"
#include "core/unique_fd.h"
#include "io/tls_stream.h"
#include "server/reactor/out_queue.h"
#include "server/reactor/resource.h"
#include "server/reactor/session_place.h"
#include "server/reactor/stream.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// The state of a connection. Changes only in ConnectionLife::move_to.
enum class Phase : uint8_t {
    kOpen,       ///< bytes go both ways
    kFinishing,  ///< the queue is still written, then it lingers; input is discarded
    kLingering,  ///< our side is shut down; input is discarded until the peer closes, so that the
                 ///< last bytes reach it
    kGone,       ///< the socket is closed; its `close` waits for delivery, or its last messages to be
                 ///< finished
};

/// Why a connection ends, for the handler's close().
struct CloseCause {
    uint16_t code = 1006;
    std::string reason = {};
};

/// Input that was received and not consumed. What is consumed stays in front for a while: who takes a little
/// of much, again and again, would have the rest moved each time.
struct PendingInput {
    explicit PendingInput(std::span<const char> input) : bytes(input.data(), input.size()) {}
    std::span<char> rest() { return std::span<char>(bytes).subspan(consumed); }
    size_t size() const { return bytes.size() - consumed; }
    /// Of rest() only this is left. True when it stays here: when that is not far too large for it.
    bool keep(std::span<const char> left) {
        if (left.size() < bytes.capacity() / 2) return false;
        consumed = static_cast<size_t>(left.data() - bytes.data());
        bytes.resize(consumed + left.size());
        return true;
    }

    std::string bytes;
    size_t consumed = 0;
};

/// One client connection. Lives in its reactor's table; all other code refers to it by id.
struct Connection : TimerNode {
    static constexpr size_t kSmallFrameBytes = 1024;

    Connection(ConnectionId id_, UniqueFd fd_, uint16_t endpoint_)
        : id(id_), endpoint(endpoint_), fd(std::move(fd_)) {}

    ConnectionId id;
    uint16_t endpoint;           ///< the listener, or after an upgrade the route
    int16_t worker = kNoWorker;  ///< WebSocket, TCP: all messages go to it
    UniqueFd fd;
    EitherPtr<TlsStream, Stream> carrier;  ///< see tls() and stream(); most have neither

    // Times are of 40 bits, 34 years without a restart: an idle connection is to be small.
    uint64_t deadline_ms : 40 = 0;   ///< of the session; 0: none
    uint64_t in_flight : 21 = 0;     ///< messages whose handlers have not ended
    uint64_t counted_state : 3 = 0;  ///< see ConnectionCensus; 0: it is not counted

    uint64_t write_deadline_ms : 40 = 0;  ///< 0: nothing is stuck
    bool readable : 1 = false;            ///< the socket may hold bytes
    bool writable : 1 = true;             ///< the socket may take bytes
    bool peer_shut : 1 = false;           ///< the peer has shut down its side; there may be bytes before that
    bool read_ended : 1 = false;          ///< all bytes before the peer's shutdown have been read
    bool hung_up : 1 = false;             ///< the peer is gone altogether
    bool scheduled : 1 = false;           ///< in the ServeList, to be served soon
    bool waiting : 1 = false;             ///< for what it `awaits`, or throttled
    bool throttled : 1 = false;           ///< by its own messages; see Workers::can_deliver
    bool dirty : 1 = false;               ///< in Output's list of connections to flush
    bool blocked : 1 = false;             ///< its session takes no input now (Progress::kBlocked)
    bool progressed : 1 = false;          ///< bytes have come since the session was last asked
    bool close_pending : 1 = false;       ///< a worker has been told of its opening but not of its end
    bool trusted : 1 = false;             ///< its peer is a trusted proxy
    bool awaits_proxy : 1 = false;        ///< a header of the PROXY protocol may come before all else
    bool stopping : 1 = false;            ///< the server drains: closes once its messages are answered
    bool is_stream : 1 = false;           ///< has or had a stream(), and no socket
    bool awaited : 1 = false;             ///< a worker waits for room in its queue (command::AwaitRoom)
    bool counted : 1 = false;             ///< in the AddressTable
    bool sends_no_more : 1 = false;       ///< its client has said so (RFC 9112 9.6)
    bool known : 1 = false;               ///< see KnownAddresses
    bool is_backlogged : 1 = false;       ///< its client had sent more before the last request was answered
    uint8_t unsent_doublings : 3 = 0;     ///< of what the kernel takes for it; see unsent_room

    uint64_t active_ms : 40 = 0;  ///< when bytes last came or went
    Phase phase : 2 = Phase::kOpen;
    Resource awaits : 3 = Resource::kWorker;
    ConnectionProtocol counted_protocol : 2 = ConnectionProtocol::kTcp;
    uint8_t queue : 8 = 0;    ///< of those that Admission has, from 1; 0: none
    uint8_t at_once : 8 = 0;  ///< small frames of its last read, and half of those before; see count_frames()

    uint64_t address_key = 0;                 ///< client_key() of its client, or of its request's; 0: unknown
    uint64_t charged_bytes = 0;               ///< for what waits for it, to its client_key(); see OutBudget
    std::unique_ptr<CloseCause> close_cause;  ///< nullptr: it breaks off (RFC 6455, 7.1.5: code 1006)
    std::unique_ptr<PendingInput> pending;    ///< nullptr: nothing
    OutQueue out;
    SessionPlace session;

    /// nullptr: no TLS.
    TlsStream* tls() const { return carrier.first(); }
    /// A stream of another connection, without a socket; else nullptr.
    Stream* stream() const { return carrier.second(); }
    /// Bytes that wait for the client.
    size_t queued_bytes() const { return out.bytes() + session->held_back_bytes(); }
    /// What that takes.
    size_t held_bytes() const { return out.memory_bytes() + session->held_back_bytes(); }
    /// Frames have come, of so many bytes in all. Large ones do not count: they are few.
    void count_frames(size_t frames, size_t bytes) {
        if (bytes < frames * kSmallFrameBytes)
            at_once = static_cast<uint8_t>(std::min<size_t>(at_once + frames, UINT8_MAX));
    }
    /// Whether it waits for the server: for its turn, for memory or for a worker. The client is not at fault.
    bool awaits_server() const { return waiting || scheduled || (stream() && stream()->awaits_server()); }
    /// What the worker's close handler will be told.
    void set_close(uint16_t code, std::string_view reason) {
        close_cause = std::make_unique<CloseCause>(CloseCause{code, std::string(reason)});
    }
    /// Whom its messages count for where clients share something: its address, or itself when nobody knows
    /// that.
    uint64_t client_key() const { return address_key ? address_key : id; }
    bool is_secure() const { return stream() ? stream()->secure : tls() != nullptr; }
};

static_assert(sizeof(Connection) <= 216, "an idle connection has 300 bytes for everything");

}  // namespace sluice
