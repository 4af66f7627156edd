// Sends a WebSocket message on each of many connections, and the next one when its echo has come:
//     ws_echo <address> <path> <connections> <messages> <bytes>
// One thread with epoll; each message is a write of its own. `messages` is what all connections send
// together. Prints one line of JSON.

#include <chrono>
#include <sys/epoll.h>
#include <vector>

#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_mask.h"
#include "socket.h"
#include "websocket.h"

using namespace sluice;
using namespace sluice::bench;

int main(int argc, char** argv) {
    if (argc != 6) fail("usage: ws_echo <address> <path> <connections> <messages> <bytes>");
    const uint64_t connections = number_argument(argv[3], "connections", 1, 100'000);
    const uint64_t messages = number_argument(argv[4], "messages", connections, 1'000'000'000);
    const uint64_t bytes = number_argument(argv[5], "bytes", 0, 1u << 20);
    const std::string frame = masked_frame(websocket::Opcode::kBinary, std::string(bytes, 'x'));
    // The server's frames are not masked.
    const size_t echo_bytes = frame.size() - sizeof(websocket::MaskKey);

    struct Client {
        UniqueFd fd;
        size_t received = 0;  ///< of the echo that is awaited
    };
    const UniqueFd poller(epoll_create1(EPOLL_CLOEXEC));
    std::vector<Client> clients;
    for (uint64_t i = 0; i < connections; i++) {
        clients.push_back({open_websocket(argv[1], argv[2])});
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = i;
        epoll_ctl(poller.get(), EPOLL_CTL_ADD, clients.back().fd.get(), &event);
    }

    std::vector<char> buffer(64 << 10);
    const auto start = std::chrono::steady_clock::now();
    uint64_t sent = 0, echoed = 0;
    for (const Client& client : clients) {
        send_all(client.fd.get(), frame);
        sent++;
    }
    while (echoed < messages) {
        epoll_event ready[256];
        const int count = epoll_wait(poller.get(), ready, 256, 10'000);
        if (count == 0) fail("No echo came for 10 s.");
        for (int i = 0; i < count; i++) {
            Client& client = clients[ready[i].data.u64];
            const size_t room = std::min(buffer.size(), echo_bytes - client.received);
            const size_t received = receive_some(client.fd.get(), buffer.data(), room);
            if (received == 0) fail("The server closed a connection.");
            client.received += received;
            if (client.received < echo_bytes) continue;
            client.received = 0;
            echoed++;
            if (sent == messages) continue;
            send_all(client.fd.get(), frame);
            sent++;
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("{\"seconds\":%.6f,\"messages\":%.0f,\"messages_per_s\":%.1f}\n", seconds,
                static_cast<double>(messages), static_cast<double>(messages) / seconds);
}
