#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// Room in front of a payload in its slot, so that a worker can write a PHP string header there
/// (src/php asserts that it is `offsetof(zend_string, val)`), and one byte behind it for the final NUL.
inline constexpr size_t kPayloadOffset = 24;
inline constexpr size_t kPayloadTail = 1;

/// Payloads of this size and more are received straight into a slot; smaller ones travel inside the ring.
inline constexpr size_t kSlotThreshold = 8192;

/// Outgoing payloads of this size and more go through a slot of the worker's out-arena.
inline constexpr size_t kOutSlotThreshold = 16384;

/// What a client that has nothing waiting still gets when Limits::queued_total_bytes are taken by others.
inline constexpr size_t kSmallWhenFullBytes = 65536;

/// Reactor → worker.
enum class InboundKind : uint8_t {
    kRequest = 1,  ///< an HTTP request, complete: head and body; with a WebSocket route's endpoint, a
                   ///< handshake to decide on
    kOpen,         ///< a WebSocket (with its request head) or a TCP connection (without) has begun
    kMessage,      ///< a WebSocket or TCP message
    kClose,        ///< the connection has ended; nothing more comes from it
    kPong,         ///< a ping was answered; `request` is the round trip in microseconds
    kCancel,  ///< nobody waits for the response to `request` any more; why: `close_code`. A hint: it has no
              ///< answer, and dies with its worker
    kAnswer,  ///< to a kAsk: `request` is its number, `binary`: more parts of the answer follow, `payload` as
              ///< the Question says. It dies with its worker, too, and may get lost: who asks has a deadline
    kDatagram,  ///< `payload`: the sender's Address and what he has sent; `connection` is udp_id()
};

/// What a worker may ask; kAsk has it as its `code`.
enum class Question : uint16_t {
    kSubscribers = 1,  ///< of all reactors: how many connections has a message to the topic `head`? A uint64
    kTopics,           ///< of a connection: for each of its subscriptions a TopicMatch, the length of the
                       ///< name (a byte each) and the name
    kRoom,             ///< of a connection: answered when no more is queued for it than the uint64 in `head`
                       ///< says, or when it has ended
};

/// Why a request is cancelled; what kCancel has as its `close_code`.
enum class CancelReason : uint16_t {
    kClientGone = 1,  ///< its connection, or its side of it, was closed
    kOverdue,         ///< it took longer than the endpoint's `request_ms`, and was answered by the reactor
};

enum class PayloadHome : uint8_t {
    kBorrowed,  ///< valid until `finished()`: copy what is to be kept
    kSlot,      ///< in the arena: PHP may keep it, then `release()` gives it back
    kString,    ///< base mode, small: stands in a fresh string of the `MessageAllocator`, which the taker now
                ///< owns
};

/// One message as a worker takes it.
struct Inbound {
    InboundKind kind = InboundKind::kMessage;
    PayloadHome home = PayloadHome::kBorrowed;
    bool binary = false;
    bool secure = false;      ///< the connection has TLS
    bool trusted = false;     ///< and its peer is a proxy that is believed
    uint16_t endpoint = 0;    ///< which listener or route it came by; see EndpointSpec
    uint16_t close_code = 0;  ///< kClose: RFC 6455 §7.4, 1005 none given, 1006 broken; kCancel: CancelReason
    uint32_t request = 0;     ///< kRequest: number of the request on its connection, repeated in the answer;
                              ///< kCancel: that of the request concerned
    ConnectionId connection = kNoConnection;
    const http::RequestHead* head =
        nullptr;  ///< kRequest, and kOpen of a WebSocket; valid until `finished()`
    std::span<const http::Field> fields;
    std::string_view head_text;  ///< what the spans of `head` and `fields` point into
    std::string_view payload;    ///< body, message or close reason
    /// kRequest: in place of `payload`, the body in a file of `file_bytes`, when that is not 0;
    /// http::kNoLength: in a BodyPipe. The descriptor is the taker's to close, and -1 when its process has no
    /// room for a further one; then, and afterwards, the file is given back by `release_file()`.
    int file = -1;
    uint64_t file_bytes = 0;
    uint64_t file_number = 0;  ///< the port's own
    uint64_t ticket = 0;       ///< the port's own: where in which ring it stood
};

/// Worker → reactor.
enum class CommandKind : uint8_t {
    kSend = 1,  ///< a message to one connection; TCP bytes as they are
    kSendMany,  ///< `head`: the ids as native-endian uint64s, all of one reactor
    kPublish,   ///< `head`: the topic; `connection`: one subscriber to leave out, or none
    kRespond,   ///< response head (status in `code`, field lines in `head`) and the first or only part of the
                ///< body; with code 103 and not `last`: an interim response before that; with code 101: the
                ///< handshake is granted, `body` is the sub-protocol or empty
    kBody,  ///< a further part of a response body; `last`: `head` may hold trailers, sent after chunks only
    kSubscribe,    ///< `head`: the topic; with `binary` all topics that begin so
    kUnsubscribe,  ///< likewise
    kPing,         ///< `body`: up to 125 bytes
    kClose,        ///< close code in `code`, reason in `body`; TCP: after the queue has been sent
    kAsk,          ///< the Question in `code`; its number, for the answer, in `length`
    kTell,         ///< base mode: a kAnswer on its way to another worker (the ports' own): its number in
                   ///< `request`, more follows unless `last`
    kWantBody,     ///< the handler of `request` has begun to read its body, which is arriving
    kDatagram,  ///< `head`: the Address it goes to, `code`: the endpoint it leaves by, `connection`: udp_id()
    // The port's own, of messages, slots and files:
    kRelease,      ///< a lent slot comes back
    kReleaseFile,  ///< a body's file is needed no more
    kHold,         ///< a message leaves the ring unfinished: it has begun, and its handler waits
    kSetAside,     ///< the same, but it has not begun: its record stands in the out-arena meanwhile
    kBegin,        ///< one that was set aside begins
    kFinished,     ///< one that has left the ring is finished
};

struct Command {
    CommandKind kind = CommandKind::kSend;
    bool binary = false;
    bool last = true;         ///< kRespond, kBody: the response is complete with this
    bool has_length = false;  ///< kRespond: the fields hold a content-length of the application's own
    /// kRespond: length of the whole body when it comes in parts and is known; the reactor announces it.
    uint64_t length = http::kNoLength;
    uint16_t code = 0;
    uint32_t request = 0;
    ConnectionId connection = kNoConnection;
    std::string_view head;
    std::string_view body;
    /// kRespond, kBody: in place of `body`, `file_bytes` bytes of a regular file from `file_offset` on, when
    /// that is not 0. The descriptor stays the caller's; the reactor may see -1 there, when its process has
    /// no descriptor left.
    int file = -1;
    uint64_t file_offset = 0;
    uint64_t file_bytes = 0;

    uint64_t content_bytes() const { return file_bytes ? file_bytes : body.size(); }
};

/// What became of a command; the same four cases as PHP's `Sluice\Delivery`.
enum class Delivery : uint8_t { kSent, kQueued, kDropped, kClosed };

/// What a port answers at once: a Delivery, or that there is no room on the way now.
enum class Submitted : uint8_t { kSent, kQueued, kDropped, kClosed, kNoRoom };

}  // namespace sluice
