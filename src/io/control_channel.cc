#include "io/control_channel.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/log.h"
#include "io/fd_passing.h"

namespace sluice {

namespace {

/// How long rest_if_starved() sleeps.
constexpr int kStarvedCheckMs = 20;
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
    iovec parts[] = {{&place, sizeof place}, {const_cast<char*>(bytes.data()), bytes.size()}};
    const ssize_t sent = send_with_fds(fd_.get(), parts, all, MSG_NOSIGNAL);
    if (sent < 0 && errno != EPIPE && errno != ECONNRESET)
        SLUICE_ERROR("a message cannot go from process to process: %s", strerror(errno));
    return sent == static_cast<ssize_t>(sizeof place + bytes.size());
}

std::optional<ControlChannel::Message> ControlChannel::receive(bool wait) {
    Message result;
    result.bytes.resize(kMostHere);
    Place place = Place::kHere;
    iovec parts[] = {{&place, sizeof place}, {result.bytes.data(), result.bytes.size()}};
    PassedFds passed;
    // Peeks first: taking a message would lose descriptors for which this process has no
    // room.
    const ssize_t got = receive_with_fds(fd_.get(), parts, MSG_PEEK | (wait ? 0 : MSG_DONTWAIT), passed);
    lacks_descriptors_ = false;
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) eof_ = true;
        return std::nullopt;
    }
    result.bytes.resize(static_cast<size_t>(got) - sizeof place);
    result.fds = std::move(passed.fds);
    lacks_descriptors_ = passed.flags & MSG_CTRUNC;
    if (lacks_descriptors_) return std::nullopt;
    is_told_ = false;
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

void ControlChannel::rest_if_starved() {
    if (!lacks_descriptors_) return;
    if (!is_told_) {
        SLUICE_WARNING(
            "no descriptors are left for what another process sends: it waits until there are (raise the "
            "limit of open files)");
    }
    is_told_ = true;
    poll(nullptr, 0, kStarvedCheckMs);
}

}  // namespace sluice
