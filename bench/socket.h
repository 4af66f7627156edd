#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/socket.h>

#include "core/unique_fd.h"
#include "io/address.h"

/// Blocking sockets for the programs of this directory, which end at the first error.
namespace sluice::bench {

[[noreturn]] inline void fail(const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::exit(1);
}

[[noreturn]] inline void fail_errno(const std::string& what) {
    fail(what + ": " + std::strerror(errno));
}

inline sockaddr_storage parse_address(const char* text, socklen_t& size) {
    const auto address = Address::parse(text);
    if (!address) fail(std::string("\"") + text + "\" is not an address like 127.0.0.1:9501.");
    sockaddr_storage storage;
    size = address->to(storage);
    return storage;
}

inline void set_no_delay(int fd) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

inline UniqueFd connect_to(const char* text) {
    socklen_t size;
    const sockaddr_storage storage = parse_address(text, size);
    UniqueFd fd(socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0)
        fail_errno(std::string("Cannot connect to ") + text);
    set_no_delay(fd.get());
    return fd;
}

inline UniqueFd listen_on(const char* text) {
    socklen_t size;
    const sockaddr_storage storage = parse_address(text, size);
    UniqueFd fd(socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0 || listen(fd.get(), 1024) != 0)
        fail_errno(std::string("Cannot listen on ") + text);
    return fd;
}

inline void send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail_errno("Sending failed");
        bytes.remove_prefix(static_cast<size_t>(sent));
    }
}

/// At least one byte, or 0 at the peer's end.
inline size_t receive_some(int fd, char* to, size_t room) {
    for (;;) {
        const ssize_t received = recv(fd, to, room, 0);
        if (received >= 0) return static_cast<size_t>(received);
        if (errno != EINTR) fail_errno("Receiving failed");
    }
}

/// Reads and returns an HTTP head, and leaves the bytes behind it in `rest`. Empty when the peer closes
/// before.
inline std::string receive_head(int fd, std::string& rest) {
    std::string head;
    char buffer[4096];
    for (;;) {
        const size_t received = receive_some(fd, buffer, sizeof buffer);
        if (received == 0) return {};
        head.append(buffer, received);
        const size_t end = head.find("\r\n\r\n");
        if (end == std::string::npos) continue;
        rest = head.substr(end + 4);
        head.resize(end + 4);
        return head;
    }
}

inline uint64_t number_argument(const char* text, const char* name, uint64_t least, uint64_t most) {
    char* end = nullptr;
    errno = 0;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
        fail(std::string(name) + " is \"" + text + "\" and has to be a number from " + std::to_string(least) +
             " to " + std::to_string(most) + ".");
    return value;
}

}  // namespace sluice::bench
