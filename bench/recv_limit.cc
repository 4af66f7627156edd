// The limit that ws_flood is held against: recv() in a loop on one thread, and nothing else done with the
// bytes.
//     recv_limit <address>
// It answers every handshake, receives as many bytes as the target's "?total=" says, and reports. One
// connection at a time; serves until it is killed.

#include <vector>

#include "socket.h"

using namespace sluice;
using namespace sluice::bench;

namespace {

/// As long as the longest messages of the comparison, and small enough for the second-level cache.
constexpr size_t kBufferBytes = 512 << 10;
constexpr std::string_view kAccept =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
/// A text frame of "{}": nothing has been counted.
constexpr std::string_view kReport = "\x81\x02{}";

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: recv_limit <address>");
    const UniqueFd listener = listen_on(argv[1]);
    std::vector<char> buffer(kBufferBytes);
    for (;;) {
        const UniqueFd fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!fd) fail_errno("Accepting failed");
        set_no_delay(fd.get());
        std::string rest;
        const std::string head = receive_head(fd.get(), rest);
        if (head.empty()) continue;  // somebody looked whether we are there
        const size_t at = head.find("?total=");
        if (at == std::string::npos) fail("The target has no ?total=: " + head);
        const uint64_t total = std::strtoull(head.c_str() + at + 7, nullptr, 10);
        send_all(fd.get(), kAccept);
        uint64_t received = rest.size();
        while (received < total) {
            const size_t more = receive_some(fd.get(), buffer.data(), buffer.size());
            if (more == 0) break;
            received += more;
        }
        if (received == total) send_all(fd.get(), kReport);
    }
}
