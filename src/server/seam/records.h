#pragma once

#include <optional>

#include "core/byte_ring.h"
#include "server/seam/messages.h"

namespace sluice {

/// The records in the rings, and their translation from and to Inbound and
/// Command.

// Each flag has one meaning for all kinds.
inline constexpr uint16_t kFlagBinary = 1;
inline constexpr uint16_t kFlagHead = 2;    ///< in-bound: a request head follows
inline constexpr uint16_t kFlagExtent = 4;  ///< the payload stands in an extent
inline constexpr uint16_t kFlagLast = 8;
inline constexpr uint16_t kFlagLength = 16;
inline constexpr uint16_t kFlagSecure = 32;
inline constexpr uint16_t kFlagTrusted = 128;     ///< in-bound: the peer is a trusted proxy
inline constexpr uint16_t kFlagMore = 256;        ///< of an answer: more parts follow
inline constexpr uint16_t kFlagPrefix = 512;      ///< of a topic: all topics with this prefix
inline constexpr uint16_t kFlagPipelined = 1024;  ///< in-bound: see inbound::Request::pipelined
/// The payload stands in a file; in-bound, a BodyPlace names it.
inline constexpr uint16_t kFlagFile = 64;

/// Each extent of an out-arena begins with a word that its reactor sets to kOutExtentFree when the payload
/// has been sent; the payload follows after kOutExtentHeader bytes.
inline constexpr size_t kOutExtentHeader = 64;
inline constexpr uint32_t kOutExtentFree = 0;
inline constexpr uint32_t kOutExtentBusy = 1;
/// The size in the record of a message that was parked and has begun.
inline constexpr uint32_t kBegunRecord = 0;

/// The 40-byte descriptor of a message to a worker. Behind it: RequestHead, fields and head bytes
/// (kFlagHead), then the payload unless it stands in an extent.
struct InboundRecord {
    RecordHeader record;
    ConnectionId connection;
    union {  // by kind
        uint32_t request;
        uint32_t round_trip_us;
        uint32_t question;
    };
    uint16_t endpoint;
    union {
        uint16_t close_code;
        uint16_t cancel_reason;
    };
    uint32_t payload_bytes;
    uint32_t extent_page;  ///< kFlagExtent: its page in the reactor's arena
    uint64_t client;       ///< see Inbound::client
};
static_assert(sizeof(InboundRecord) == 40);

/// A command to a reactor. Behind it: the kind's text (fields, a topic, ids, an address), then its payload or
/// reason, unless the payload stands in an extent of the worker's out-arena; or a FilePlace.
struct CommandRecord {
    RecordHeader record;
    union {  // by kind
        ConnectionId connection;
        ConnectionId except;
    };
    union {
        uint32_t request;
        uint32_t question;
    };
    union {
        uint16_t status;
        uint16_t close_code;
        uint16_t endpoint;
        uint16_t protocol_bytes;  ///< bytes of the sub-protocol, at the end of the text
    };
    uint16_t most_ids;
    uint32_t text_bytes;
    uint32_t payload_bytes;
    union {
        uint64_t out_offset;   ///< kFlagExtent: its offset in the worker's out-arena
        uint64_t file_number;  ///< kFlagFile: the descriptor's number in the FdChannel
    };
    union {
        uint64_t length;
        uint64_t most_bytes;
        ConnectionId after;
    };
};
static_assert(sizeof(CommandRecord) == 48);

/// A Note to a reactor.
struct NoteRecord {
    RecordHeader record;
    union {  // by kind
        uint64_t page;
        uint64_t file_number;
        uint64_t message_end;
    };
    uint64_t parked_offset;
};
static_assert(sizeof(NoteRecord) == 24);

/// Notes are numbered from here on, commands from 1: by their places in Note and in Command::What.
inline constexpr uint16_t kFirstNote = 64;
constexpr bool is_note(uint16_t kind) {
    return kind >= kFirstNote;
}

/// In-bound, kFlagFile: the descriptor's number in the FdChannel, and the size of the file.
struct BodyPlace {
    uint64_t number;
    uint64_t bytes;
};

/// kFlagFile: which part of the file.
struct FilePlace {
    uint64_t offset;
    uint64_t bytes;
};

/// Size of the record for a message; `extent`: the payload stands in an extent.
size_t inbound_record_bytes(const Inbound& message, bool extent);
/// `place` has inbound_record_bytes(), 8-aligned.
void write_inbound(char* place, const Inbound& message, bool extent, uint32_t extent_page);

struct DecodedInbound {
    Inbound message;  ///< `payload` is set unless `extent`
    bool extent = false;
    uint32_t extent_page = 0;
    uint32_t payload_bytes = 0;
};
/// Nothing when the record is inconsistent.
std::optional<DecodedInbound> read_inbound(std::span<const char> record, uint16_t kind);

/// The number of a kind of commands in a record.
constexpr uint16_t number_of(const Command& command) {
    return static_cast<uint16_t>(command.what.index() + 1);
}
/// `extent`: the payload stands in the out-arena.
size_t command_record_bytes(const Command& command, bool extent);
/// `number`: the payload's offset in the out-arena, or the number of a file's descriptor.
void write_command(char* place, const Command& command, bool extent, uint64_t number);

struct DecodedCommand {
    Command
        command;  ///< its payload is set unless `extent`; a file's descriptor is the next of the FdChannel
    bool extent = false;
    uint64_t number = 0;  ///< see write_command()
    uint32_t payload_bytes = 0;
};
/// The writer is not trusted: the record's header is read once and checked against `record`.
std::optional<DecodedCommand> read_command(std::span<const char> record, uint16_t kind);

void write_note(char* place, const Note& note);
std::optional<Note> read_note(std::span<const char> record, uint16_t kind);

}  // namespace sluice
