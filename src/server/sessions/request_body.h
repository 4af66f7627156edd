#pragma once

#include <span>

#include "io/body_writer.h"
#include "protocol/http/http_head.h"
#include "server/config/protocol_limits.h"
#include "server/seam/connection_id.h"
#include "server/seam/request_file.h"
#include "server/sessions/message_room.h"

namespace sluice {

class SessionHost;

/// Stores the body of one request while it arrives, whichever protocol brings it: in memory (heap or extent)
/// up to HttpLimits::memory_body_bytes(), in a temporary file if it is longer, or through a pipe to the
/// handler, which has the request already. The owner must release() it.
class RequestBody {
  public:
    enum class Taken : uint8_t {
        kAll,
        kWait,    ///< not all: memory is short, try again with the rest
        kYield,   ///< not all: this turn has written enough to files
        kFull,    ///< not all: the handler has to read first; the connection is resumed then
        kGone,    ///< the handler reads no more of it
        kFailed,  ///< the body cannot be stored, see `error()`
    };

    /// Before the first byte. `length`: http::kNoLength when it is not known. `limits` must outlive this
    /// object. `client`: Connection::client_key().
    void begin(uint64_t length, const HttpLimits& limits, uint64_t client) {
        length_ = length;
        limits_ = &limits;
        client_ = client;
    }
    /// Right after begin(): the body goes through a pipe, which `file()` reads. False with `error()` set.
    bool begin_stream(SessionHost& host);
    bool is_stream() const { return static_cast<bool>(writer_); }
    /// Tells the handler that the body is complete, or why it never will be (`status`); kAll, kFull or
    /// kGone.
    Taken end_stream(SessionHost& host, ConnectionId connection, uint16_t status);

    /// Appends the front of `bytes`, and leaves in it what was not taken. `connection`: resumed after
    /// kFull.
    Taken append(SessionHost& host, ConnectionId connection, std::span<const char>& bytes);

    /// Of a stream: where its next bytes may be received, perhaps empty; the front of it was received; and
    /// whether there is room again, or kFull or kGone.
    std::span<char> stream_window() const { return writer_.window(); }
    void stream_filled(size_t bytes) { writer_.filled(bytes); }
    Taken make_stream_room(SessionHost& host, ConnectionId connection);

    /// For a caller that receives straight into memory: it fills this room, and extends it by grow_room()
    /// while the body is not longer than HttpLimits::memory_body_bytes(). Then spill() writes the room's
    /// first `filled` bytes to a file, and the caller goes on with append().
    MessageRoom& room() { return room_; }
    const MessageRoom& room() const { return room_; }
    bool grow_room(Transport& transport, size_t whole_bytes, size_t filled_bytes, size_t arrived_bytes) {
        return room_.grow(transport, {client_, whole_bytes, filled_bytes, arrived_bytes});
    }
    Taken spill(SessionHost& host, size_t filled);

    /// What to deliver in place of memory; set once bytes went to a file, or for a
    /// stream.
    const Ref<RequestFile>& file() const { return file_; }
    /// The pipe's other end was delivered.
    void forget_file() { file_ = {}; }
    /// How many bytes append() has put into the room.
    size_t room_bytes() const { return room_bytes_; }
    const http::Error& error() const { return error_; }

    /// Frees everything that was not delivered.
    void release(SessionHost& host);

  private:
    Taken append_to_file(SessionHost& host, std::span<const char>& bytes);
    Taken wait_for_reader(SessionHost& host, ConnectionId connection, BodyPipe::Sent sent);

    uint64_t length_ = http::kNoLength;
    const HttpLimits* limits_ = nullptr;
    uint64_t client_ = 0;
    MessageRoom room_;
    size_t room_bytes_ = 0;
    Ref<RequestFile> file_;
    BodyWriter writer_;
    http::Error error_;
};

}  // namespace sluice
