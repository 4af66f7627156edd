#include "io/unix_listener.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sluice {

namespace {

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

UniqueFd make_socket() {
    return UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

/// Whether somebody accepts there, or has a full backlog.
bool is_listened_on(const std::string& path) {
    const UniqueFd probe = make_socket();
    const sockaddr_un address = address_of(path);
    return connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
           errno != ECONNREFUSED;
}

}  // namespace

UnixListener UnixListener::open(const std::string& path, mode_t mode, std::string& error) {
    auto fail = [&](const std::string& why) {
        error = "Cannot listen on unix:" + path + ": " + why;
        return UnixListener();
    };
    if (path.size() >= sizeof sockaddr_un{}.sun_path) return fail(strerror(ENAMETOOLONG));
    struct stat about;
    if (lstat(path.c_str(), &about) == 0) {
        if (!S_ISSOCK(about.st_mode)) return fail("a file that is not a socket exists there");
        if (is_listened_on(path)) return fail(strerror(EADDRINUSE));
        unlink(path.c_str());
    }
    UnixListener listener;
    listener.fd_ = make_socket();
    if (!listener.fd_) return fail(strerror(errno));
    const sockaddr_un address = address_of(path);
    // Not chmod() afterwards: in between, anybody could connect.
    const mode_t before = umask(static_cast<mode_t>(~mode & 0777));
    const bool bound =
        bind(listener.fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int failure = errno;
    umask(before);
    if (!bound) return fail(strerror(failure));
    listener.path_ = path;
    if (listen(listener.fd_.get(), 4096) != 0 || lstat(path.c_str(), &about) != 0) {
        const int reason = errno;
        unlink(path.c_str());
        return fail(strerror(reason));
    }
    listener.device_ = about.st_dev;
    listener.inode_ = about.st_ino;
    return listener;
}

UnixListener UnixListener::adopt(UniqueFd fd, const std::string& path, bool owns_file) {
    UnixListener listener;
    listener.fd_ = std::move(fd);
    listener.path_ = path;
    struct stat about;
    if (owns_file && lstat(path.c_str(), &about) == 0) {
        listener.device_ = about.st_dev;
        listener.inode_ = about.st_ino;
    }
    return listener;
}

bool UnixListener::owns_file() const {
    struct stat about;
    return inode_ != 0 && lstat(path_.c_str(), &about) == 0 && about.st_dev == device_ && about.st_ino == inode_;
}

void UnixListener::change_mode(mode_t mode) {
    if (owns_file()) chmod(path_.c_str(), mode);
}

void UnixListener::change_owner(uid_t user, gid_t group) {
    if (!owns_file()) return;
    [[maybe_unused]] const int changed = lchown(path_.c_str(), user, group);
}

void UnixListener::remove() {
    if (!fd_) return;
    if (owns_file()) unlink(path_.c_str());
    fd_.reset();
}

}  // namespace sluice
