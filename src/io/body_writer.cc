#include "io/body_writer.h"

#include <algorithm>
#include <cstring>
#include <poll.h>

namespace sluice {

namespace {
/// Less room than this part of the ring is not worth a system call.
constexpr size_t kLeastPart = 4;
/// The kernel, too, takes twice the memory for the packets that wait, and fewer and longer turns save time.
constexpr size_t kRingPart = 2;
/// What is received together with a full window still fits.
constexpr size_t kBeyondWindow = 256;
}  // namespace

bool BodyWriter::begin(UniqueFd& reader, size_t unread_bytes) {
    unread_bytes_ = unread_bytes;
    return BodyPipe::create_pair(fd_, reader, unread_bytes);
}

void BodyWriter::end() {
    fd_.reset();
    ring_.reset();
}

short BodyWriter::awaited() const {
    return ring_ ? POLLIN : POLLOUT;
}

/// Not kAll: the ring cannot be announced now. Without memory for it the body goes on in packets.
BodyPipe::Sent BodyWriter::begin_ring() {
    UniqueFd ring_fd;
    ring_ = BodyRing::create(kRingPart * unread_bytes_, ring_fd);
    if (!ring_) {
        may_have_ring_ = false;
        return BodyPipe::Sent::kAll;
    }
    const BodyPipe::Sent sent = BodyPipe::send_ring(fd_.get(), ring_fd.get());
    if (sent != BodyPipe::Sent::kAll) ring_.reset();
    return sent;
}

BodyPipe::Sent BodyWriter::send(std::span<const char>& bytes) {
    while (!bytes.empty()) {
        if (!ring_ && may_have_ring_ && in_packets_ >= kMostInPackets) {
            const BodyPipe::Sent begun = begin_ring();
            if (begun != BodyPipe::Sent::kAll) return begun;
        }
        const size_t room = ring_ ? ring_->room().size() : BodyPipe::kPacketBytes;
        if (room == 0) {
            const BodyPipe::Sent made = make_room();
            if (made != BodyPipe::Sent::kAll) return made;
            continue;
        }
        std::span<const char> piece = bytes.first(std::min(bytes.size(), room));
        const size_t size = piece.size();
        if (ring_) {
            memcpy(ring_->room().data(), piece.data(), size);
            filled(size);
        } else {
            const BodyPipe::Sent sent = BodyPipe::send(fd_.get(), piece);
            if (sent != BodyPipe::Sent::kAll) return sent;
            in_packets_ += size;
        }
        bytes = bytes.subspan(size);
    }
    return BodyPipe::Sent::kAll;
}

std::span<char> BodyWriter::window() const {
    if (!ring_) return {};
    const size_t free = ring_->free_bytes();
    if (free < ring_->size() / kLeastPart) return {};
    const std::span<char> room = ring_->room();
    return room.first(std::min(room.size(), free - kBeyondWindow));
}

void BodyWriter::filled(size_t bytes) {
    if (ring_->wrote(bytes)) BodyPipe::wake(fd_.get());
}

BodyPipe::Sent BodyWriter::make_room() {
    if (!ring_) return BodyPipe::Sent::kAll;
    if (!BodyPipe::drain(fd_.get())) return BodyPipe::Sent::kClosed;
    return ring_->sleep_until_half_free() ? BodyPipe::Sent::kFull : BodyPipe::Sent::kAll;
}

}  // namespace sluice
