// The limit that hello.php is held against: one thread and epoll, a fixed answer to whatever ends in an empty
// line.
//     hello_limit <address>
// Serves until it is killed.

#include <sys/epoll.h>
#include <vector>

#include "hello_answer.h"

using namespace sluice;
using namespace sluice::bench;

namespace {

bool answer(int fd, char* buffer, size_t room) {
    const ssize_t received = recv(fd, buffer, room, MSG_DONTWAIT);
    if (received < 0) return errno == EAGAIN || errno == EINTR;
    if (received == 0) return false;
    const std::string_view answers = answers_to({buffer, static_cast<size_t>(received)});
    return send(fd, answers.data(), answers.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(answers.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: hello_limit <address>");
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
                set_no_delay(event.data.fd);
                epoll_ctl(poller.get(), EPOLL_CTL_ADD, event.data.fd, &event);
            } else if (!answer(fd, buffer.data(), buffer.size())) {
                close(fd);
            }
        }
    }
}
