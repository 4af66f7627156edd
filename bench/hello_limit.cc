// The limit that hello.php is held against: one thread and epoll, a fixed answer to whatever ends in an empty
// line.
//     hello_limit <address> [requests of each connection]
// Serves until it is killed.

#include <sys/epoll.h>
#include <vector>

#include "hello_answer.h"

using namespace sluice;
using namespace sluice::bench;

namespace {

/// False: the connection is to be closed.
bool answer(int fd, Answers& answers, char* buffer, size_t room) {
    const ssize_t received = recv(fd, buffer, room, MSG_DONTWAIT);
    if (received < 0) return errno == EAGAIN || errno == EINTR;
    if (received == 0) return false;
    const auto [bytes, is_last] =
        answers.to(static_cast<size_t>(fd), {buffer, static_cast<size_t>(received)});
    return send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()) &&
           !is_last;
}

}  // namespace

int main(int argc, char** argv) {
    Answers answers(requests_of_each(argc, argv));
    const UniqueFd listener = listen_on(argv[1]);
    const UniqueFd poller(epoll_create1(EPOLL_CLOEXEC));
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = listener.get();
    epoll_ctl(poller.get(), EPOLL_CTL_ADD, listener.get(), &event);
    std::vector<char> buffer(64 << 10);
    for (;;) {
        epoll_event ready[256];
        const int count = epoll_wait(poller.get(), ready, 256, -1);
        for (int i = 0; i < count; i++) {
            const int fd = ready[i].data.fd;
            if (fd == listener.get()) {
                event.data.fd = accept4(fd, nullptr, nullptr, SOCK_CLOEXEC);
                if (event.data.fd < 0) continue;
                answers.begin(static_cast<size_t>(event.data.fd));
                set_no_delay(event.data.fd);
                epoll_ctl(poller.get(), EPOLL_CTL_ADD, event.data.fd, &event);
            } else if (!answer(fd, answers, buffer.data(), buffer.size())) {
                close(fd);
            }
        }
    }
}
