// Sends WebSocket messages as fast as a server takes them, and waits until it has them all:
//     ws_flood <address> <path> <messages> <bytes> [connections [one-by-one]]
// The frames are built and masked before the clock starts, so this end costs no more than send(). Each
// connection sends `messages` messages of `bytes` bytes and then the text "report"; the clock stops when each
// has got its answer, {"messages":…,"bytes":…} with what the server has counted. "one-by-one": each message
// is a write of its own; else a write has about a megabyte. The target carries "?total=" with the number of
// bytes on the wire, for a server that does not read frames (recv_limit). Prints one line of JSON.

#include <chrono>
#include <thread>
#include <vector>

#include "socket.h"
#include "websocket.h"

using namespace sluice;
using namespace sluice::bench;

namespace {

/// Whole frames are sent in blocks of about this size, or one by one when they are larger.
constexpr size_t kBlockBytes = 1 << 20;

/// One short unmasked text frame.
std::string receive_report(int fd) {
    std::string frame;
    char buffer[256];
    while (frame.size() < 2 || frame.size() < 2u + (frame[1] & 0x7f)) {
        const size_t received = receive_some(fd, buffer, sizeof buffer);
        if (received == 0) fail("The server closed instead of reporting.");
        frame.append(buffer, received);
    }
    const bool is_short_text = frame[0] == static_cast<char>(0x81) && (frame[1] & 0x7f) < 126;
    if (!is_short_text) fail("The server sent something else than a short report.");
    return frame.substr(2);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5 || argc > 7)
        fail("usage: ws_flood <address> <path> <messages> <bytes> [connections [one-by-one]]");
    const uint64_t messages = number_argument(argv[3], "messages", 1, 1'000'000'000);
    const uint64_t bytes = number_argument(argv[4], "bytes", 0, 1u << 30);
    const uint64_t connections = argc > 5 ? number_argument(argv[5], "connections", 1, 64) : 1;

    const std::string frame = masked_frame(websocket::Opcode::kBinary, std::string(bytes, 'x'));
    const std::string ask = masked_frame(websocket::Opcode::kText, "report");
    std::string block = frame;
    const size_t block_bytes = argc > 6 && argv[6] == std::string_view("one-by-one") ? 0 : kBlockBytes;
    while (block.size() + frame.size() <= block_bytes && block.size() / frame.size() < messages)
        block += frame;
    const uint64_t frames_in_block = block.size() / frame.size();
    const std::string target =
        std::string(argv[2]) + "?total=" + std::to_string(messages * frame.size() + ask.size());

    std::vector<UniqueFd> sockets;
    for (uint64_t i = 0; i < connections; i++)
        sockets.push_back(open_websocket(argv[1], target));
    std::vector<std::string> reports(connections);

    const auto flood = [&](size_t index) {
        const int fd = sockets[index].get();
        uint64_t left = messages;
        for (; left >= frames_in_block; left -= frames_in_block)
            send_all(fd, block);
        send_all(fd, std::string_view(block).substr(0, left * frame.size()));
        send_all(fd, ask);
        reports[index] = receive_report(fd);
    };
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (size_t i = 1; i < connections; i++)
        threads.emplace_back(flood, i);
    flood(0);
    for (std::thread& thread : threads)
        thread.join();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const std::string expected =
        "{\"messages\":" + std::to_string(messages) + ",\"bytes\":" + std::to_string(messages * bytes);
    for (const std::string& report : reports)
        if (report.rfind(expected, 0) != 0 && report != "{}")
            fail("The server has not received what was sent: " + report + " instead of " + expected + "}");
    const double all = static_cast<double>(messages * connections);
    std::printf(
        "{\"seconds\":%.6f,\"messages\":%.0f,\"bytes\":%.0f,\"messages_per_s\":%.1f,\"bytes_per_s\":%.1f,"
        "\"report\":%s}\n",
        seconds, all, all * static_cast<double>(bytes), all / seconds,
        all * static_cast<double>(bytes) / seconds, reports[0].c_str());
}
