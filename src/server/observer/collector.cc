#include "server/observer/collector.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/clock.h"
#include "core/unique_fd.h"

namespace sluice {

namespace {

/// A collector's answer is small; what comes behind it is not read.
constexpr size_t kMostAnswerBytes = 4096;

UniqueFd connect_to(const CollectorUrl& url, int timeout_ms, std::string& why) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = getaddrinfo(url.host.c_str(), url.port.c_str(), &wanted, &found); error != 0) {
        why = gai_strerror(error);
        return {};
    }
    UniqueFd connected;
    for (const addrinfo* one = found; one && !connected; one = one->ai_next) {
        UniqueFd fd(socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!fd) continue;
        int error = 0;
        if (connect(fd.get(), one->ai_addr, one->ai_addrlen) != 0) {
            pollfd ready{fd.get(), POLLOUT, 0};
            socklen_t size = sizeof error;
            error = errno;
            if (error == EINPROGRESS)
                error = poll(&ready, 1, timeout_ms) == 1 &&
                                getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0
                            ? error
                            : ETIMEDOUT;
        }
        if (error == 0 || error == EINPROGRESS) {
            connected = std::move(fd);
        } else {
            why = strerror(error);
        }
    }
    freeaddrinfo(found);
    return connected;
}

/// Waits for `events`, until `due_ms` by monotonic_ms().
bool wait_for(int fd, short events, uint64_t due_ms) {
    const uint64_t now_ms = monotonic_ms();
    pollfd ready{fd, events, 0};
    return due_ms > now_ms && poll(&ready, 1, static_cast<int>(due_ms - now_ms)) == 1;
}

bool send_all(int fd, std::string_view bytes, uint64_t due_ms) {
    while (!bytes.empty()) {
        const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<size_t>(sent));
        } else if (errno != EINTR && (errno != EAGAIN || !wait_for(fd, POLLOUT, due_ms))) {
            return false;
        }
    }
    return true;
}

/// The status of the answer, once its first line has come; 0: none comes.
int read_status(int fd, uint64_t due_ms) {
    std::string answer;
    while (answer.size() < kMostAnswerBytes && answer.find('\n') == answer.npos) {
        char bytes[512];
        const ssize_t got = recv(fd, bytes, sizeof bytes, 0);
        if (got > 0) {
            answer.append(bytes, static_cast<size_t>(got));
        } else if (got == 0 || (errno != EINTR && (errno != EAGAIN || !wait_for(fd, POLLIN, due_ms)))) {
            break;
        }
    }
    if (!answer.starts_with("HTTP/1.") || answer.size() < 12 || answer[8] != ' ') return 0;
    return atoi(answer.substr(9, 3).c_str());
}

}  // namespace

std::optional<CollectorUrl> CollectorUrl::parse(std::string_view url) {
    constexpr std::string_view kScheme = "http://";
    if (!url.starts_with(kScheme)) return {};
    url.remove_prefix(kScheme.size());
    if (std::ranges::any_of(url, [](char c) { return c <= 0x20 || c >= 0x7f || c == '@' || c == '#'; }))
        return {};
    const size_t slash = std::min(url.find('/'), url.size());
    std::string_view authority = url.substr(0, slash);
    CollectorUrl parsed{"", "4318", std::string(url.substr(slash))};
    if (parsed.path.empty()) parsed.path = "/";
    size_t end = authority.find(':');
    if (authority.starts_with('[')) {
        end = authority.find(']');
        if (end == authority.npos) return {};
        parsed.host = authority.substr(1, end - 1);
        ++end;
    } else {
        end = std::min(end, authority.size());
        parsed.host = authority.substr(0, end);
    }
    if (end < authority.size()) {
        if (authority[end] != ':') return {};
        parsed.port = authority.substr(end + 1);
        if (parsed.port.empty() || parsed.port.size() > 5 ||
            !std::ranges::all_of(parsed.port, [](char c) { return c >= '0' && c <= '9'; }) ||
            atoi(parsed.port.c_str()) < 1 || atoi(parsed.port.c_str()) > 65535)
            return {};
    }
    if (parsed.host.empty()) return {};
    return parsed;
}

Delivered post_otlp(const CollectorUrl& url, std::string_view headers, std::string_view body, int timeout_ms,
                    std::string& why) {
    const UniqueFd fd = connect_to(url, timeout_ms, why);
    if (!fd) return Delivered::kTryAgain;
    const bool is_ipv6 = url.host.find(':') != url.host.npos;
    std::string head =
        "POST " + url.path + " HTTP/1.1\r\nHost: " + (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" +
        url.port +
        "\r\nContent-Type: application/x-protobuf\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\nConnection: close\r\nUser-Agent: sluice/" + SLUICE_VERSION + "\r\n";
    head += headers;
    head += "\r\n";
    const uint64_t due_ms = monotonic_ms() + static_cast<uint64_t>(timeout_ms);
    if (!send_all(fd.get(), head, due_ms) || !send_all(fd.get(), body, due_ms)) {
        why = "it takes no bytes";
        return Delivered::kTryAgain;
    }
    const int status = read_status(fd.get(), due_ms);
    if (status >= 200 && status < 300) return Delivered::kTaken;
    why = status ? "it answers with " + std::to_string(status) : "it gives no answer";
    const bool may_later = status == 0 || status == 429 || status == 502 || status == 503 || status == 504;
    return may_later ? Delivered::kTryAgain : Delivered::kRefused;
}

}  // namespace sluice
