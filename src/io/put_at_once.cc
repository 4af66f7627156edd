#include "io/put_at_once.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice {

bool put_at_once(int fd, std::string_view bytes) {
    ssize_t written = send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK) {
        pollfd ready{fd, POLLOUT, 0};
        if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return false;
        written = write(fd, bytes.data(), bytes.size());
    }
    return written == static_cast<ssize_t>(bytes.size());
}

}  // namespace sluice
