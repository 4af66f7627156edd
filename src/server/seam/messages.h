#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"
#include "server/seam/connection_id.h"
#include "server/seam/inbound.h"

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

/// What a worker may ask; kAsk has it as its `code`.
enum class Question : uint16_t {
    kSubscribers = 1,  ///< of all reactors: how many connections has a message to the topic `head`? A uint64
    kTopics,           ///< of a connection: for each of its subscriptions a TopicMatch, the length of the
                       ///< name (a byte each) and the name
    kRoom,             ///< of a connection: answered when no more is queued for it than the uint64 in `head`
                       ///< says, or when it has ended
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
    kTell,  ///< base mode: an inbound::Answer on its way to another worker (the ports' own): its number in
            ///< `request`, more follows unless `last`
    kWantBody,  ///< the handler of `request` has begun to read its body, which is arriving
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
