#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "io/address.h"
#include "protocol/http/http_head.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// A worker's commands to a reactor, a struct for each kind. Most also have a payload, see Command.
namespace command {

/// `payload` is a message to a WebSocket, or bytes to a TCP connection.
struct Send {
    bool binary = false;
};

/// `payload` is a message to many WebSockets, all of one reactor.
struct SendMany {
    std::span<const ConnectionId> connections = {};
    bool binary = false;
};

/// `payload` is a message to all who have subscribed to a topic.
struct Publish {
    std::string_view topic = {};
    ConnectionId except = kNoConnection;  ///< one subscriber to leave out
    bool binary = false;
};

/// A part of a regular file that stands for a payload, when `bytes` is not 0.
struct FilePart {
    int fd = -1;  ///< the caller's; -1 in the reactor when its process has no descriptor left
    uint64_t offset = 0;
    uint64_t bytes = 0;
    explicit operator bool() const { return bytes != 0; }
};

/// The head of a response; `payload` is the first or only part of its body.
struct Respond {
    uint32_t request = 0;
    uint16_t status = 0;
    bool last = true;                   ///< nothing follows: the response is complete
    bool has_length = false;            ///< the fields hold a content-length of the application's own
    uint64_t length = http::kNoLength;  ///< of the whole body, if it comes in parts and the length is known
    std::string_view fields = {};       ///< "Name: value\r\n" lines
    FilePart file = {};
};

/// `payload` is a further part of a response's body.
struct BodyPart {
    uint32_t request = 0;
    bool last = true;
    std::string_view trailers = {};  ///< with the last part; sent only after a chunked body
    FilePart file = {};
};

/// An interim response, 103, before the response.
struct Inform {
    uint32_t request = 0;
    std::string_view fields = {};
};

/// Accepts a WebSocket's handshake. A non-empty `payload` is attached to the connection.
struct GrantHandshake {
    uint32_t request = 0;
    std::string_view fields = {};
    std::string_view protocol = {};  ///< empty: none
};

/// The handler of a request has begun to read its body, which is arriving.
struct WantBody {
    uint32_t request = 0;
};

struct Subscribe {
    std::string_view topic = {};
    bool is_prefix = false;  ///< to all topics that begin so
    /// 0: of a WebSocket. Else the worker hands over its response to this request, a stream of events: the
    /// reactor goes on with it, alone.
    uint32_t request = 0;
};

struct Unsubscribe {
    std::string_view topic = {};
    bool is_prefix = false;
};

/// `payload` is what the ping carries, up to 125 bytes.
struct Ping {};

/// `payload` is the reason. A TCP connection closes after its queue is sent.
struct Close {
    uint16_t code = 0;
};

// Questions: each has a number, which its inbound::Answer repeats.

/// To all reactors: how many connections get a message to this topic? The answer is a uint64.
struct CountSubscribers {
    uint32_t question = 0;
    std::string_view topic = {};
};

/// To all reactors: which connections get a message to this topic? The answer is their ids, lowest first.
struct ListSubscribers {
    uint32_t question = 0;
    std::string_view topic = {};
    ConnectionId after = kNoConnection;  ///< only ids above this one
    uint16_t most = 0;                   ///< from each reactor
};

/// A connection's subscriptions. The answer: for each a TopicMatch, the name's length (a byte each) and the
/// name.
struct ListTopics {
    uint32_t question = 0;
};

/// Answered when no more than `most_bytes` are queued for the connection, or when it has ended.
struct AwaitRoom {
    uint32_t question = 0;
    uint64_t most_bytes = 0;
};

/// Attaches `payload` to a connection. The answer is an AttachAnswer, a byte.
struct Attach {
    uint32_t question = 0;
};

/// `payload` is a datagram; the connection is the udp_id() of the datagram that it answers.
struct SendDatagram {
    Address to = {};
    uint16_t endpoint = 0;  ///< the listener whose socket sends it
};

/// Base mode, used by the ports themselves: an inbound::Answer on its way to another worker.
struct Tell {
    uint32_t question = 0;
    bool more_follow = false;
};

}  // namespace command

/// One command, and the connection that it concerns.
struct Command {
    using What =
        std::variant<command::Send, command::SendMany, command::Publish, command::Respond, command::BodyPart,
                     command::Inform, command::GrantHandshake, command::WantBody, command::Subscribe,
                     command::Unsubscribe, command::Ping, command::Close, command::CountSubscribers,
                     command::ListTopics, command::AwaitRoom, command::SendDatagram, command::Tell,
                     command::Attach, command::ListSubscribers>;

    What what = command::Send{};
    ConnectionId connection = kNoConnection;  ///< kNoConnection: several, depending on the kind
    /// On its way it stands in the worker's out-arena if it has kOutExtentThreshold bytes or more.
    std::string_view payload = {};

    template <typename T>
    const T* as() const {
        return std::get_if<T>(&what);
    }
    template <typename T>
    T* as() {
        return std::get_if<T>(&what);
    }
    template <typename T>
    bool is() const {
        return std::holds_alternative<T>(what);
    }
    /// The file part in place of the payload; nullptr: none.
    const command::FilePart* file() const { return const_cast<Command*>(this)->file(); }
    command::FilePart* file() {
        command::FilePart* file = nullptr;
        if (auto* response = as<command::Respond>()) file = &response->file;
        if (auto* part = as<command::BodyPart>()) file = &part->file;
        return file && *file ? file : nullptr;
    }
    uint64_t content_bytes() const { return file() ? file()->bytes : payload.size(); }
    /// A question's number, never 0; 0: the command is no question.
    uint32_t question() const {
        return std::visit(
            [](const auto& one) -> uint32_t {
                constexpr bool kIsAnswer = std::is_same_v<std::decay_t<decltype(one)>, command::Tell>;
                if constexpr (!kIsAnswer && requires { one.question; }) return one.question;
                return 0;
            },
            what);
    }
    bool is_question() const {
        return is<command::CountSubscribers>() || is<command::ListTopics>() || is<command::AwaitRoom>() ||
               is<command::Attach>() || is<command::ListSubscribers>();
    }
    /// Whether the command is for all reactors, and not for one connection's.
    bool is_for_all() const {
        return is<command::Publish>() || is<command::CountSubscribers>() || is<command::ListSubscribers>();
    }
};
static_assert(std::is_trivially_copyable_v<Command>);

/// Notes of a worker's port about messages, extents and files; only src/server/rings uses them.
namespace note {

/// Gives a lent extent back: its page in the reactor's arena.
struct Release {
    uint64_t page = 0;
};
/// Gives a body's file back.
struct ReleaseFile {
    uint64_t number = 0;
};
// A message is named by the end of its record in the ring.

/// A message leaves the ring unfinished: its handler has begun and waits.
struct Hold {
    uint64_t message_end = 0;
};
/// A message leaves the ring before it has begun: its record stands in the worker's parked arena. When the
/// message begins, the record's size becomes kBegunRecord.
struct Park {
    uint64_t message_end = 0;
    uint64_t parked_offset = 0;
};
/// A message that has left the ring is finished.
struct Finished {
    uint64_t message_end = 0;
};

}  // namespace note

using Note = std::variant<note::Release, note::ReleaseFile, note::Hold, note::Park, note::Finished>;

/// What became of an Attach.
enum class AttachAnswer : uint8_t { kAttached, kNoRoom, kClosed };

/// The fate of a command; the cases of PHP's `Sluice\Delivery`.
enum class Delivery : uint8_t { kSent, kQueued, kDropped, kClosed };

/// A port's immediate answer: a Delivery, or that the ring or arena has no room now.
enum class Submitted : uint8_t { kSent, kQueued, kDropped, kClosed, kNoRoom };

}  // namespace sluice
