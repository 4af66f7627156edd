#include "io/body_pipe.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

namespace sluice {

namespace {
constexpr char kData = 'D', kEnd = 'E';

BodyPipe::Sent send_packet(int writer, char kind, std::span<const char> bytes) {
    iovec parts[2] = {{&kind, 1}, {const_cast<char*>(bytes.data()), bytes.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    ssize_t sent;
    do
        sent = sendmsg(writer, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
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

BodyPipe::Received BodyPipe::receive(int reader, std::span<char> buffer, size_t& bytes, uint16_t& status) {
    char kind = 0;
    iovec parts[2] = {{&kind, 1}, {buffer.data(), buffer.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    ssize_t got;
    do
        got = recvmsg(reader, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN) return Received::kNothing;
    if (got < 1 || (message.msg_flags & MSG_TRUNC)) return Received::kLost;
    bytes = static_cast<size_t>(got) - 1;
    if (kind == kData) return Received::kBytes;
    if (kind != kEnd || bytes != sizeof status) return Received::kLost;
    memcpy(&status, buffer.data(), sizeof status);
    return Received::kEnd;
}

}  // namespace sluice
