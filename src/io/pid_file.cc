#include "io/pid_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {

namespace {

bool is_still_there(int fd, const std::string& path) {
    struct stat opened {
    }, named{};
    return fstat(fd, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

}  // namespace

bool PidFile::claim(const std::string& path, std::string& error) {
    const std::string number = std::to_string(getpid()) + "\n";
    for (;;) {
        UniqueFd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
        struct flock lock {};
        lock.l_type = F_WRLCK;
        const bool is_ours = file && fcntl(file.get(), F_SETLK, &lock) == 0;
        if (!is_ours && (!file || (errno != EACCES && errno != EAGAIN))) {
            error = "Cannot write the pid file " + path + ": " + strerror(errno);
            return false;
        }
        if (!is_ours && fcntl(file.get(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
            error = "The pid file " + path + " belongs to a server that runs, process " +
                    std::to_string(lock.l_pid) + ": stop that one first, or name another file";
            return false;
        }
        // Its last owner may have ended, or have removed it, in between.
        if (!is_ours || !is_still_there(file.get(), path)) continue;
        if (ftruncate(file.get(), 0) != 0 ||
            write(file.get(), number.data(), number.size()) != static_cast<ssize_t>(number.size())) {
            error = "Cannot write the pid file " + path + ": " + strerror(errno);
            return false;
        }
        path_ = path;
        file_ = std::move(file);
        return true;
    }
}

bool PidFile::move_to(const std::string& path, std::string& error) {
    // To open it again, and to close it, would end the lock.
    if (file_ && is_still_there(file_.get(), path)) {
        path_ = path;
        return true;
    }
    PidFile next;
    if (!next.claim(path, error)) return false;
    remove();
    *this = std::move(next);
    return true;
}

void PidFile::remove() {
    if (file_ && is_still_there(file_.get(), path_)) unlink(path_.c_str());
    file_.reset();
}

}  // namespace sluice
