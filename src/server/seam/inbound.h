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
    kClientGone = 1,  ///< its connection, or its side of it, was closed
    kOverdue,         ///< it took longer than the endpoint's `request_ms`, and was answered by the reactor
};

/// What a reactor tells a worker; a struct for each kind. What their views point to is valid until
/// WorkerPort::finished().
namespace inbound {

/// The head of an HTTP request.
struct Head {
    const http::RequestHead* parsed = nullptr;  ///< nullptr: there is none
    std::span<const http::Field> fields = {};
    std::string_view text = {};  ///< what the spans of `parsed` and `fields` point into
};

/// Where a request's body is that does not stand in the payload: in a file, or arriving through a BodyPipe.
struct BodyFile {
    uint64_t bytes = 0;   ///< 0: it is the payload; http::kNoLength: a BodyPipe
    uint64_t number = 0;  ///< the port's own: by that it is given back with `release_file()`
    int fd = -1;          ///< the taker's to close; -1: its process had no room for a further descriptor
    explicit operator bool() const { return bytes != 0; }
};

/// An HTTP request, complete, always with a head: `payload` is its body. With a WebSocket route's endpoint, a
/// handshake to decide on.
struct Request {
    uint32_t number = 0;  ///< on its connection; repeated in the answer
    Head head = {};
    BodyFile file = {};
};

/// A WebSocket has begun, with the head of its handshake, or a TCP connection, without one.
struct Opening {
    Head head = {};
};

/// `payload` is a WebSocket or TCP message.
struct Message {
    bool binary = false;
};

/// The connection has ended, and nothing more comes from it. `payload` is the reason that was given.
struct Closing {
    uint16_t code = 0;  ///< RFC 6455 §7.4; 1005: none given, 1006: broken
};

/// A ping was answered; `payload` is what it carried.
struct Pong {
    uint32_t round_trip_us = 0;
};

/// Nobody waits for the response to a request any more. A hint: it has no answer, and dies with its worker.
struct Cancellation {
    uint32_t request = 0;
    CancelReason reason = CancelReason::kClientGone;
};

/// To a question; `payload` as the question says. It dies with its worker, too, and may get lost: who asks
/// has a deadline.
struct Answer {
    uint32_t question = 0;     ///< its number
    bool more_follow = false;  ///< further parts of this answer
};

/// `payload` is the sender's Address and what he has sent; the connection is udp_id().
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
    kBorrowed,  ///< valid until `finished()`: copy what is to be kept
    kExtent,    ///< in the arena: PHP may keep it, then `release()` gives it back
    kString,    ///< base mode, small: stands in a fresh string of the `MessageAllocator`, which the taker now
                ///< owns
};

/// Until a message is handed on: it is that of its connection.
inline constexpr uint16_t kEndpointOfConnection = UINT16_MAX;

/// One message as a worker takes it: what is said, and what all kinds have.
struct Inbound {
    using What = std::variant<inbound::Request, inbound::Opening, inbound::Message, inbound::Closing,
                              inbound::Pong, inbound::Cancellation, inbound::Answer, inbound::Datagram>;

    What what = inbound::Message{};
    ConnectionId connection = kNoConnection;
    uint16_t endpoint = kEndpointOfConnection;  ///< which listener or route it came by; see EndpointSpec
    bool secure = false;                        ///< the connection has TLS
    bool trusted = false;                       ///< and its peer is a proxy that is believed
    PayloadHome home = PayloadHome::kBorrowed;
    std::string_view payload = {};
    uint64_t ticket = 0;  ///< the port's own: where in which ring it stood

    InboundKind kind() const { return static_cast<InboundKind>(what.index() + 1); }
    template <typename T>
    const T* as() const {
        return std::get_if<T>(&what);
    }
    template <typename T>
    bool is() const {
        return std::holds_alternative<T>(what);
    }
    /// Whether it only tells of something else: it may pass by what waits, and nothing is lost with it.
    bool is_notice() const { return is<inbound::Cancellation>() || is<inbound::Answer>(); }
    /// That of a request or of a WebSocket's handshake; nullptr: it has none.
    const inbound::Head* head() const {
        const inbound::Head* head = nullptr;
        if (const auto* request = as<inbound::Request>()) head = &request->head;
        if (const auto* opening = as<inbound::Opening>()) head = &opening->head;
        return head && head->parsed ? head : nullptr;
    }
    /// The head stands where that of `copy` does, from now on.
    void move_head(const Inbound& copy) {
        const inbound::Head head = copy.head() ? *copy.head() : inbound::Head{};
        if (auto* request = std::get_if<inbound::Request>(&what)) request->head = head;
        if (auto* opening = std::get_if<inbound::Opening>(&what)) opening->head = head;
    }
    /// nullptr: the body, if it has one, is the payload.
    const inbound::BodyFile* file() const {
        const auto* request = as<inbound::Request>();
        return request && request->file ? &request->file : nullptr;
    }
};
static_assert(std::is_trivially_copyable_v<Inbound>);

/// What the kind is called in a sentence.
const char* name_of(InboundKind kind);

}  // namespace sluice
