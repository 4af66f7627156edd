#pragma once

#include <span>

#include "io/body_pipe.h"
#include "protocol/http/http_head.h"
#include "server/config/protocol_limits.h"
#include "server/seam/connection_id.h"
#include "server/seam/request_file.h"
#include "server/sessions/message_room.h"

namespace sluice {

class SessionHost;

/// Where the body of one request is put while it arrives, whichever protocol brings it: into memory (of the
/// heap or an extent) up to HttpLimits::memory_body_bytes(), into a temporary file if it is longer, or
/// through a pipe to the handler, which has the request already. Who has it has to release() it.
class RequestBody {
  public:
    enum class Taken : uint8_t {
        kAll,
        kWait,    ///< not all: memory is short, or this turn has written enough; try again with the rest
        kFull,    ///< not all: the handler has to read first; the connection is resumed then
        kGone,    ///< the handler reads no more of it
        kFailed,  ///< it cannot be taken, see `error()`
    };

    /// Before the first byte. `length`: http::kNoLength when it is not known. `limits` are to stay,
    /// and so is the client's `account`.
    void begin(uint64_t length, const HttpLimits& limits, ArenaAccount* account) {
        length_ = length;
        limits_ = &limits;
        account_ = account;
    }
    /// In its place: the body goes through a pipe, whose other end is `file()`. False with `error()` set.
    bool begin_stream(SessionHost& host);
    bool is_stream() const { return static_cast<bool>(writer_); }
    /// Tells the handler that the body is complete, or by which status it will never be; kAll, kFull or
    /// kGone.
    Taken end_stream(SessionHost& host, ConnectionId connection, uint16_t status);

    /// Adds the front of `bytes`, which then is what was not taken. `connection`: whose it is, to be resumed
    /// after kFull.
    Taken append(SessionHost& host, ConnectionId connection, std::span<const char>& bytes);

    /// For who receives straight into memory: the room, which it fills itself, and grows by grow_room() as
    /// long as the body is not longer than HttpLimits::memory_body_bytes(). Then `spill()` has the first
    /// `filled` bytes of the room written to a file, and the rest comes by append().
    MessageRoom& room() { return room_; }
    bool grow_room(Transport& transport, size_t whole_bytes, size_t filled_bytes, size_t arrived_bytes) {
        return room_.grow(transport, {account_, whole_bytes, filled_bytes, arrived_bytes});
    }
    Taken spill(SessionHost& host, size_t filled);

    /// What to deliver in place of memory; set from the first byte that went to a file on, or when it is a
    /// stream.
    const Ref<RequestFile>& file() const { return file_; }
    /// The pipe's other end was delivered.
    void forget_file() { file_ = {}; }
    /// What append() has put into the room.
    size_t room_bytes() const { return room_bytes_; }
    const http::Error& error() const { return error_; }

    /// Gives everything back that was not delivered.
    void release(SessionHost& host);

  private:
    Taken append_to_file(SessionHost& host, std::span<const char>& bytes);
    Taken wait_for_reader(SessionHost& host, ConnectionId connection, BodyPipe::Sent sent);

    uint64_t length_ = http::kNoLength;
    const HttpLimits* limits_ = nullptr;
    ArenaAccount* account_ = nullptr;
    MessageRoom room_;
    size_t room_bytes_ = 0;
    Ref<RequestFile> file_;
    UniqueFd writer_;
    http::Error error_;
};

}  // namespace sluice
