#include "server/sessions/request_body.h"

#include <algorithm>
#include <cstring>

#include "server/reactor/reactor.h"

namespace sluice {

namespace {
/// The least room for a body whose length is not known; it doubles from there.
constexpr uint64_t kFirstRoomBytes = 4096;
}  // namespace

bool RequestBody::begin_stream(Reactor& reactor) {
    if (!reactor.begin_body_stream()) {
        error_ = {503, "too many bodies are being read as they arrive (bodyStreams)"};
        return false;
    }
    UniqueFd reader;
    if (!BodyPipe::create_pair(writer_, reader, reactor.limits().body_stream_bytes)) {
        reactor.end_body_stream(-1);
        error_ = {503, "the server has no descriptor left for the body"};
        return false;
    }
    file_ = RequestFile::of_pipe(std::move(reader));
    return true;
}

RequestBody::Taken RequestBody::wait_for_reader(Reactor& reactor, ConnectionId connection,
                                                BodyPipe::Sent sent) {
    switch (sent) {
        case BodyPipe::Sent::kAll: return Taken::kAll;
        case BodyPipe::Sent::kFull:
            reactor.resume_when_writable(writer_.get(), connection);
            return Taken::kFull;
        case BodyPipe::Sent::kClosed: break;
    }
    return Taken::kGone;
}

RequestBody::Taken RequestBody::end_stream(Reactor& reactor, ConnectionId connection, uint16_t status) {
    return wait_for_reader(reactor, connection, BodyPipe::send_end(writer_.get(), status));
}

RequestBody::Taken RequestBody::append(Reactor& reactor, ConnectionId connection,
                                       std::span<const char>& bytes) {
    if (writer_) return wait_for_reader(reactor, connection, BodyPipe::send(writer_.get(), bytes));
    const uint64_t most = reactor.limits().slot_body_bytes();
    const uint64_t total = room_bytes_ + bytes.size();
    const uint64_t longest = length_ == http::kNoLength ? total : std::max(length_, total);
    if (file_) return append_to_file(reactor, bytes);
    if (longest > most) {
        const Taken spilled = spill(reactor, room_bytes_);
        return spilled == Taken::kAll ? append_to_file(reactor, bytes) : spilled;
    }
    if (total > room_.room().size) {
        uint64_t wanted = longest;
        if (length_ == http::kNoLength)
            wanted = std::clamp(uint64_t{room_.room().size} * 2, std::max(total, kFirstRoomBytes), most);
        if (!room_.grow(reactor.transport(), static_cast<size_t>(wanted), room_bytes_)) return Taken::kWait;
    }
    if (!bytes.empty()) memcpy(room_.room().data + room_bytes_, bytes.data(), bytes.size());
    room_bytes_ += bytes.size();
    bytes = {};
    return Taken::kAll;
}

RequestBody::Taken RequestBody::spill(Reactor& reactor, size_t filled) {
    file_ = reactor.temporary_files().create(length_, error_);
    if (!file_) return Taken::kFailed;
    // At once, though it may be more than a turn's share: the room is what is needed back.
    if (filled) {
        if (!file_->append({room_.room().data, filled}, error_)) return Taken::kFailed;
        reactor.spend_body_budget(filled);
    }
    room_.reset(reactor.transport());
    room_bytes_ = 0;
    return Taken::kAll;
}

RequestBody::Taken RequestBody::append_to_file(Reactor& reactor, std::span<const char>& bytes) {
    const std::span<const char> part = bytes.first(std::min(bytes.size(), reactor.body_budget()));
    if (!part.empty() && !file_->append(part, error_)) return Taken::kFailed;
    reactor.spend_body_budget(part.size());
    bytes = bytes.subspan(part.size());
    return bytes.empty() ? Taken::kAll : Taken::kWait;
}

void RequestBody::release(Reactor& reactor) {
    room_.reset(reactor.transport());
    room_bytes_ = 0;
    file_ = {};
    if (!writer_) return;
    reactor.end_body_stream(writer_.get());
    writer_.reset();
}

}  // namespace sluice
