#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "protocol/http/http_head.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// Why a request is cancelled.
enum class CancelReason : uint16_t {
    kClientGone = 1,  ///< the client has closed the connection, or its side of it
    kOverdue,         ///< it took longer than the endpoint's `request_ms`, and was answered by the reactor
};

/// A reactor's messages to a worker, a struct for each kind. Their views are valid until
/// WorkerPort::finished().
namespace inbound {

/// The head of an HTTP request.
struct Head {
    const http::RequestHead* parsed = nullptr;  ///< nullptr: no head
    std::span<const http::Field> fields = {};
    std::string_view text = {};  ///< what the spans of `parsed` and `fields` point into
};

/// Where a request's body is, if not in the payload: in a file, or arriving through a BodyPipe.
struct BodyFile {
    uint64_t bytes = 0;   ///< 0: the body is the payload; http::kNoLength: a BodyPipe
    uint64_t number = 0;  ///< the port's own number, for `release_file()`
    int fd = -1;          ///< the receiver closes it; -1: its process had no room for another descriptor
    explicit operator bool() const { return bytes != 0; }
};

/// An HTTP request, always with a head: `payload` is its body. If its endpoint is a WebSocket route: a
/// handshake to decide on.
struct Request {
    uint32_t number = 0;  ///< on its connection; the response repeats it
    Head head = {};
    BodyFile file = {};
    bool pipelined = false;       ///< the connection's next request may come before its response is complete
    /// When nothing but its turn was missing: of monotonic_us() the low half; 0: not known.
    uint32_t waits_since_us = 0;
};

/// A WebSocket has begun, with the head of its handshake; or a TCP connection, without a head.
struct Opening {
    Head head = {};
    uint32_t number = 0;  ///< of the handshake's request on its connection; 0: no head
};

/// `payload` is a WebSocket or TCP message.
struct Message {
    bool binary = false;
};

/// The connection has ended; it is its last message. `payload` is the reason that was given.
struct Closing {
    uint16_t code = 0;  ///< RFC 6455 §7.4; 1005: none given, 1006: broken
};

/// A ping was answered; `payload` is the ping's payload.
struct Pong {
    uint32_t round_trip_us = 0;
};

/// The response to a request is not awaited any more. A hint: it has no answer, and is lost with its worker.
struct Cancellation {
    uint32_t request = 0;
    CancelReason reason = CancelReason::kClientGone;
};

/// The answer to a question; the question's struct describes `payload`. It is lost with its worker, and may
/// get lost otherwise: whoever asks needs a deadline.
struct Answer {
    uint32_t question = 0;     ///< the question's number
    bool more_follow = false;  ///< further parts of this answer
};

/// `payload` is the sender's Address and the datagram; the connection is a udp_id().
struct Datagram {};

}  // namespace inbound

/// The number of a kind in a record: its place in Inbound::What, counted from 1.
enum class InboundKind : uint8_t {
    kRequest = 1,
    kOpen,
    kMessage,
    kClose,
    kPong,
    kCancel,
    kAnswer,
    kDatagram,
};

enum class PayloadHome : uint8_t {
    kBorrowed,  ///< valid until `finished()`: copy what must outlive it
    kExtent,    ///< in the arena: PHP may keep it, then `release()` gives it back
    kString,    ///< base mode, small: in a fresh string of the `MessageAllocator`, which the
                ///< receiver owns
};

/// The endpoint is the connection's; set only until the message is delivered.
inline constexpr uint16_t kEndpointOfConnection = UINT16_MAX;

/// One message as a worker takes it: its kind, and what all kinds have.
struct Inbound {
    using What = std::variant<inbound::Request, inbound::Opening, inbound::Message, inbound::Closing,
                              inbound::Pong, inbound::Cancellation, inbound::Answer, inbound::Datagram>;

    What what = inbound::Message{};
    ConnectionId connection = kNoConnection;
    uint16_t endpoint = kEndpointOfConnection;  ///< its listener or route; see EndpointSpec
    bool secure = false;                        ///< the connection has TLS
    bool trusted = false;                       ///< the connection's peer is a trusted proxy
    PayloadHome home = PayloadHome::kBorrowed;
    std::string_view payload = {};
    uint64_t ticket = 0;  ///< the port's own: its ring, and its place there
    uint64_t client = 0;  ///< whom it counts for: Connection::client_key(); 0: nobody

    InboundKind kind() const { return static_cast<InboundKind>(what.index() + 1); }
    template <typename T>
    const T* as() const {
        return std::get_if<T>(&what);
    }
    template <typename T>
    bool is() const {
        return std::holds_alternative<T>(what);
    }
    /// Whether it is a notice: it may overtake waiting messages, and may be lost.
    bool is_notice() const { return is<inbound::Cancellation>() || is<inbound::Answer>(); }
    /// The head of a request or of a WebSocket's handshake; nullptr: none.
    const inbound::Head* head() const {
        const inbound::Head* head = nullptr;
        if (const auto* request = as<inbound::Request>()) head = &request->head;
        if (const auto* opening = as<inbound::Opening>()) head = &opening->head;
        return head && head->parsed ? head : nullptr;
    }
    /// From now on the head's views point to the head of `copy`.
    void move_head(const Inbound& copy) {
        const inbound::Head head = copy.head() ? *copy.head() : inbound::Head{};
        if (auto* request = std::get_if<inbound::Request>(&what)) request->head = head;
        if (auto* opening = std::get_if<inbound::Opening>(&what)) opening->head = head;
    }
    /// nullptr: the body, if there is one, is the payload.
    const inbound::BodyFile* file() const {
        const auto* request = as<inbound::Request>();
        return request && request->file ? &request->file : nullptr;
    }
};
static_assert(std::is_trivially_copyable_v<Inbound>);

/// The kind's name in a sentence.
const char* name_of(InboundKind kind);

}  // namespace sluice
