#include "server/sessions/request_body.h"

#include <algorithm>
#include <cstring>

#include "server/config/limits.h"
#include "server/reactor/session_host.h"

namespace sluice {

namespace {
/// The least room for a body whose length is not known; it doubles from there.
constexpr uint64_t kFirstRoomBytes = 4096;
}  // namespace

bool RequestBody::begin_stream(SessionHost& host) {
    if (!host.body_streams().begin(client_)) {
        error_ = {503, "too many bodies are being read as they arrive (bodyStreams)", "bodyStreams"};
        return false;
    }
    UniqueFd reader;
    if (!writer_.begin(reader, limits_->body_stream_bytes)) {
        host.body_streams().end(client_, -1);
        error_ = {503, "the server has no descriptor left for the body"};
        return false;
    }
    file_ = RequestFile::of_pipe(std::move(reader));
    return true;
}

RequestBody::Taken RequestBody::wait_for_reader(SessionHost& host, ConnectionId connection,
                                                BodyPipe::Sent sent) {
    switch (sent) {
        case BodyPipe::Sent::kAll: return Taken::kAll;
        case BodyPipe::Sent::kFull:
            host.body_streams().await(writer_.fd(), writer_.awaited(), connection);
            return Taken::kFull;
        case BodyPipe::Sent::kClosed: break;
    }
    return Taken::kGone;
}

RequestBody::Taken RequestBody::end_stream(SessionHost& host, ConnectionId connection, uint16_t status) {
    return wait_for_reader(host, connection, writer_.send_end(status));
}

RequestBody::Taken RequestBody::make_stream_room(SessionHost& host, ConnectionId connection) {
    return writer_.window().empty() ? wait_for_reader(host, connection, writer_.make_room()) : Taken::kAll;
}

RequestBody::Taken RequestBody::append(SessionHost& host, ConnectionId connection,
                                       std::span<const char>& bytes) {
    if (writer_) return wait_for_reader(host, connection, writer_.send(bytes));
    const uint64_t most = limits_->memory_body_bytes(host.limits().temporary_file_bytes);
    const uint64_t total = room_bytes_ + bytes.size();
    const uint64_t longest = length_ == http::kNoLength ? total : std::max(length_, total);
    if (file_) return append_to_file(host, bytes);
    if (longest > most) {
        const Taken spilled = spill(host, room_bytes_);
        return spilled == Taken::kAll ? append_to_file(host, bytes) : spilled;
    }
    if (total > room_.room().size) {
        uint64_t wanted = longest;
        if (length_ == http::kNoLength)
            wanted = std::clamp(uint64_t{room_.room().size} * 2, std::max(total, kFirstRoomBytes), most);
        if (!grow_room(host.transport(), static_cast<size_t>(wanted), room_bytes_, bytes.size()))
            return Taken::kWait;
    }
    if (!bytes.empty()) memcpy(room_.room().data + room_bytes_, bytes.data(), bytes.size());
    room_bytes_ += bytes.size();
    bytes = {};
    return Taken::kAll;
}

RequestBody::Taken RequestBody::spill(SessionHost& host, size_t filled) {
    file_ = host.temporary_files().create(client_, length_, error_, limits_->body_file_bytes);
    if (!file_) return Taken::kFailed;
    // Write all at once, though it may exceed a turn's budget: the room is needed back.
    if (filled) {
        if (!file_->append({room_.room().data, filled}, error_)) return Taken::kFailed;
        host.spend_body_budget(filled);
    }
    room_.reset(host.transport());
    room_bytes_ = 0;
    return Taken::kAll;
}

RequestBody::Taken RequestBody::append_to_file(SessionHost& host, std::span<const char>& bytes) {
    const std::span<const char> part = bytes.first(std::min(bytes.size(), host.body_budget()));
    if (!part.empty() && !file_->append(part, error_)) return Taken::kFailed;
    host.spend_body_budget(part.size());
    bytes = bytes.subspan(part.size());
    return bytes.empty() ? Taken::kAll : Taken::kYield;
}

void RequestBody::release(SessionHost& host) {
    room_.reset(host.transport());
    room_bytes_ = 0;
    file_ = {};
    if (!writer_) return;
    host.body_streams().end(client_, writer_.fd());
    writer_.end();
}

}  // namespace sluice
