#include "server/reactor/unsent_room.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "server/reactor/connection.h"

namespace sluice::unsent_room {

namespace {
/// Sockets that are not of TCP refuse: they have small buffers.
void set(int fd, uint32_t bytes) {
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}
}  // namespace

void begin(int listener) {
    set(listener, kFirstBytes);
}

void grow(Connection& connection) {
    if (connection.unsent_doublings == kDoublings) return;
    ++connection.unsent_doublings;
    set(connection.fd.get(), kFirstBytes << connection.unsent_doublings);
}

}  // namespace sluice::unsent_room
