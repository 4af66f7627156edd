#include "io/body_pipe.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

#include "io/fd_passing.h"

namespace sluice {

namespace {
constexpr char kData = 'D', kEnd = 'E', kRing = 'R', kWake = 'W';

BodyPipe::Sent send_packet(int writer, char kind, std::span<const char> bytes,
                           std::span<const int> fds = {}) {
    iovec parts[2] = {{&kind, 1}, {const_cast<char*>(bytes.data()), bytes.size()}};
    const ssize_t sent = send_with_fds(writer, parts, fds, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) return BodyPipe::Sent::kAll;
    // A lack of memory passes, too: worth another try.
    return errno == EAGAIN || errno == ENOBUFS ? BodyPipe::Sent::kFull : BodyPipe::Sent::kClosed;
}
}  // namespace

bool BodyPipe::create_pair(UniqueFd& writer, UniqueFd& reader, size_t unread_bytes) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) return false;
    writer.reset(fds[0]);
    reader.reset(fds[1]);
    const int size = static_cast<int>(std::max(unread_bytes, 2 * kPacketBytes));
    setsockopt(writer.get(), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return true;
}

BodyPipe::Sent BodyPipe::send(int writer, std::span<const char>& bytes) {
    while (!bytes.empty()) {
        const std::span<const char> packet = bytes.first(std::min(bytes.size(), kPacketBytes));
        const Sent sent = send_packet(writer, kData, packet);
        if (sent != Sent::kAll) return sent;
        bytes = bytes.subspan(packet.size());
    }
    return Sent::kAll;
}

BodyPipe::Sent BodyPipe::send_end(int writer, uint16_t status) {
    char text[sizeof status];
    memcpy(text, &status, sizeof status);
    return send_packet(writer, kEnd, text);
}

BodyPipe::Sent BodyPipe::send_ring(int writer, int ring) {
    return send_packet(writer, kRing, {}, {&ring, 1});
}

void BodyPipe::wake(int fd) {
    while (::send(fd, &kWake, sizeof kWake, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
    }
}

bool BodyPipe::drain(int writer) {
    char kind;
    ssize_t got;
    do
        got = recv(writer, &kind, sizeof kind, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    return got > 0 || (got < 0 && errno == EAGAIN);
}

BodyPipe::Received BodyPipe::receive(int reader, std::span<char> buffer, size_t& bytes, uint16_t& status,
                                     UniqueFd& ring) {
    char kind = 0;
    iovec parts[2] = {{&kind, 1}, {buffer.data(), buffer.size()}};
    PassedFds passed;
    const ssize_t got = receive_with_fds(reader, parts, MSG_DONTWAIT, passed);
    if (got < 0 && errno == EAGAIN) return Received::kNothing;
    if (got < 1 || (passed.flags & MSG_TRUNC)) return Received::kLost;
    bytes = static_cast<size_t>(got) - 1;
    if (kind == kData) return Received::kBytes;
    if (kind == kWake) return Received::kWoken;
    if (kind == kRing) {
        if (passed.fds.empty()) return passed.flags & MSG_CTRUNC ? Received::kStarved : Received::kLost;
        ring = std::move(passed.fds.front());
        return Received::kRing;
    }
    if (kind != kEnd || bytes != sizeof status) return Received::kLost;
    memcpy(&status, buffer.data(), sizeof status);
    return Received::kEnd;
}

}  // namespace sluice
