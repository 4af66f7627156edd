#include "io/control_channel.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/log.h"

namespace sluice {

namespace {

/// The most that the kernel passes with one message (SCM_MAX_FD).
constexpr size_t kKernelsMostFds = 253;

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;

UniqueFd sealed_file(std::string_view bytes) {
    UniqueFd file(memfd_create("sluice message", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    while (file && !bytes.empty()) {
        const ssize_t written = write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return {};
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    if (file && fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) return {};
    return file;
}

/// Empty when the file is not one that sealed_file() has made.
std::string content_of(int fd) {
    struct stat about {};
    if (fcntl(fd, F_GET_SEALS) != kSeals || fstat(fd, &about) != 0 || about.st_size <= 0 ||
        static_cast<uint64_t>(about.st_size) > ControlChannel::kMaxMessage) {
        return {};
    }
    std::string bytes(static_cast<size_t>(about.st_size), '\0');
    size_t got = 0;
    while (got < bytes.size()) {
        const ssize_t part = pread(fd, bytes.data() + got, bytes.size() - got, static_cast<off_t>(got));
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) return {};
        got += static_cast<size_t>(part);
    }
    return bytes;
}

}  // namespace

bool ControlChannel::create_pair(ControlChannel& a, ControlChannel& b) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) return false;
    a = ControlChannel(UniqueFd(fds[0]));
    b = ControlChannel(UniqueFd(fds[1]));
    return true;
}

bool ControlChannel::send(std::string_view bytes, std::span<const int> fds) {
    if (bytes.size() > kMaxMessage || fds.size() > kMaxFds) {
        SLUICE_ERROR(
            "a message of %zu bytes with %zu descriptors cannot go from process to process: at most %zu "
            "bytes and %zu descriptors can",
            bytes.size(), fds.size(), kMaxMessage, kMaxFds);
        return false;
    }
    Place place = Place::kHere;
    UniqueFd file;
    std::vector<int> all(fds.begin(), fds.end());
    if (bytes.size() > kMostHere) {
        place = Place::kInFile;
        file = sealed_file(bytes);
        if (!file) {
            SLUICE_ERROR("a message of %zu bytes cannot go from process to process: %s", bytes.size(),
                         strerror(errno));
            return false;
        }
        bytes = {};
        all.push_back(file.get());
    }
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * (kMaxFds + 1))];
    iovec parts[] = {{&place, sizeof place}, {const_cast<char*>(bytes.data()), bytes.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    if (!all.empty()) {
        const size_t size = all.size() * sizeof(int);
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(size);
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), all.data(), size);
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof place + bytes.size());
}

std::optional<ControlChannel::Message> ControlChannel::receive(bool wait) {
    Message result;
    result.bytes.resize(kMostHere);
    Place place = Place::kHere;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kKernelsMostFds)];
    iovec parts[] = {{&place, sizeof place}, {result.bytes.data(), result.bytes.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    // Peeks first: taking a message would lose descriptors for which this process has no
    // room.
    ssize_t got;
    do {
        got = recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC | MSG_PEEK | (wait ? 0 : MSG_DONTWAIT));
    } while (got < 0 && errno == EINTR && wait);
    lacks_descriptors_ = false;
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR)) eof_ = true;
        return std::nullopt;
    }
    result.bytes.resize(static_cast<size_t>(got) - sizeof place);
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; ++i) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            result.fds.emplace_back(fd);
        }
    }
    lacks_descriptors_ = message.msg_flags & MSG_CTRUNC;
    if (lacks_descriptors_) return std::nullopt;
    char taken;
    recv(fd_.get(), &taken, sizeof taken, MSG_DONTWAIT);
    if (place == Place::kInFile && !result.fds.empty()) {
        result.bytes = content_of(result.fds.back().get());
        result.fds.pop_back();
    }
    // Our processes send no empty message: the peer is hostile or broken.
    if (result.bytes.empty()) {
        eof_ = true;
        return std::nullopt;
    }
    return result;
}

}  // namespace sluice
