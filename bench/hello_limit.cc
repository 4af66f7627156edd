// The limit that hello.php is held against: one thread and epoll, a fixed answer to whatever ends in an empty
// line.
//     hello_limit <address>
// Serves until it is killed.

#include <sys/epoll.h>
#include <vector>

#include "socket.h"

using namespace sluice;
using namespace sluice::bench;

namespace {

// The bytes of hello.php's answer, except for the date.
constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\ncontent-type: text/plain; charset=utf-8\r\n"
    "Content-Length: 11\r\n\r\nhello world";

/// wrk never splits a request nor sends two at once, so what a read returns is taken for whole requests.
bool answer(int fd, char* buffer, size_t room, std::string& answers) {
    const ssize_t received = recv(fd, buffer, room, MSG_DONTWAIT);
    if (received < 0) return errno == EAGAIN || errno == EINTR;
    if (received == 0) return false;
    answers.clear();
    std::string_view requests(buffer, static_cast<size_t>(received));
    for (size_t end; (end = requests.find("\r\n\r\n")) != std::string_view::npos;
         requests.remove_prefix(end + 4))
        answers += kAnswer;
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
    std::string answers;
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
            } else if (!answer(fd, buffer.data(), buffer.size(), answers)) {
                close(fd);
            }
        }
    }
}
