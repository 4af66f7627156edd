#include "io/datagram_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>

namespace sluice {
namespace {

void send_to(const UniqueFd& from, const Address& to, std::string_view bytes) {
    sockaddr_storage storage;
    const socklen_t size = to.to(storage);
    EXPECT_EQ(sendto(from.get(), bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&storage), size),
              static_cast<ssize_t>(bytes.size()));
}

bool is_readable(const UniqueFd& fd) {
    pollfd wanted{fd.get(), POLLIN, 0};
    return poll(&wanted, 1, 5000) == 1;
}

TEST(DatagramSocket, AFreePortIsFoundAndTold) {
    for (const char* text : {"127.0.0.1:0", "[::1]:0"}) {
        Address bound;
        std::string error;
        UniqueFd fd = open_datagram_socket(*Address::parse(text), false, bound, error);
        if (!fd && text[0] == '[') GTEST_SKIP() << "no IPv6 here: " << error;
        ASSERT_TRUE(fd) << error;
        EXPECT_NE(bound.port, 0);
        EXPECT_NE(fcntl(fd.get(), F_GETFL) & O_NONBLOCK, 0);
        EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
    }
}

TEST(DatagramSocket, ATakenPortIsASentenceAndASharedOneIsShared) {
    Address bound, other;
    std::string error;
    UniqueFd first = open_datagram_socket(*Address::parse("127.0.0.1:0"), true, bound, error);
    ASSERT_TRUE(first) << error;
    EXPECT_FALSE(open_datagram_socket(bound, false, other, error));
    EXPECT_EQ(error, "Cannot listen on udp://" + bound.to_string() + ": Address already in use");
    EXPECT_TRUE(open_datagram_socket(bound, true, other, error));
    EXPECT_EQ(other, bound);
}

TEST(DatagramReceiver, ManyWithOneCallEachWithItsSenderAndRoomInFront) {
    constexpr size_t kHeadroom = 20;
    Address bound, sender;
    std::string error;
    UniqueFd fd = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, bound, error);
    UniqueFd from = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, sender, error);
    ASSERT_TRUE(fd && from) << error;
    DatagramReceiver receiver(kHeadroom);
    uint32_t lost = 0;
    EXPECT_TRUE(receiver.receive(fd.get(), lost).empty());
    const std::string longest(kMostDatagramBytes, 'x');
    const std::string_view sent[] = {"one", "", longest};
    for (std::string_view bytes : sent)
        send_to(from, bound, bytes);
    ASSERT_TRUE(is_readable(fd));
    size_t number = 0;
    for (const auto& datagram : receiver.receive(fd.get(), lost)) {
        ASSERT_LT(number, std::size(sent));
        EXPECT_EQ(std::string_view(datagram.bytes, datagram.size), sent[number++]);
        EXPECT_EQ(datagram.from, sender);
        memset(datagram.bytes - kHeadroom, 'h', kHeadroom);
    }
    EXPECT_EQ(number, std::size(sent));
}

TEST(DatagramReceiver, ABatchHasABound) {
    Address bound, sender;
    std::string error;
    UniqueFd fd = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, bound, error);
    UniqueFd from = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, sender, error);
    DatagramReceiver receiver(0);
    uint32_t lost = 0;
    for (unsigned i = 0; i < DatagramReceiver::kBatch + 1; ++i)
        send_to(from, bound, "x");
    EXPECT_EQ(receiver.receive(fd.get(), lost).size(), DatagramReceiver::kBatch);
    EXPECT_EQ(receiver.receive(fd.get(), lost).size(), 1u);
    EXPECT_EQ(receiver.receive(fd.get(), lost).size(), 0u);
}

TEST(DatagramReceiver, TellsWhatTheSocketHasLost) {
    Address bound, sender;
    std::string error;
    UniqueFd fd = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, bound, error);
    UniqueFd from = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, sender, error);
    ASSERT_TRUE(fd && from) << error;
    const int little = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    uint32_t lost = count_lost_datagrams(fd.get());
    EXPECT_EQ(lost, 0u);
    constexpr uint32_t kSent = 100;
    for (uint32_t i = 0; i < kSent; ++i)
        send_to(from, bound, "x");
    DatagramReceiver receiver(0);
    uint32_t received = 0;
    auto receive_all = [&] {
        while (size_t count = receiver.receive(fd.get(), lost).size())
            received += static_cast<uint32_t>(count);
    };
    receive_all();
    send_to(from, bound, "x");
    receive_all();
    EXPECT_GT(lost, 0u);
    EXPECT_EQ(received + lost, kSent + 1);
    EXPECT_EQ(count_lost_datagrams(fd.get()), lost)
        << "a process that takes the socket over learns of the lost datagrams";
}

TEST(DatagramSocket, ItsBufferHoldsAFlood) {
    Address bound;
    std::string error;
    UniqueFd fd = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, bound, error);
    UniqueFd plain(socket(AF_INET, SOCK_DGRAM, 0));
    int bytes = 0, usual = 0;
    socklen_t size = sizeof bytes;
    ASSERT_EQ(getsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &bytes, &size), 0);
    ASSERT_EQ(getsockopt(plain.get(), SOL_SOCKET, SO_RCVBUF, &usual, &size), 0);
    EXPECT_GE(bytes, usual);
}

}  // namespace
}  // namespace sluice
