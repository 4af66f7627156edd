#include "server/reactor/udp_queue.h"

#include <gtest/gtest.h>
#include <string>

#include "io/datagram_socket.h"

namespace sluice {
namespace {

Ref<Payload> payload(std::string_view bytes) {
    return HeapPayload::copy_of({}, bytes);
}

/// Two ends of the Unix domain, for its sockets say when they are full; UDP drops.
struct Pair {
    Pair() {
        int fds[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
        near.reset(fds[0]);
        far.reset(fds[1]);
    }
    std::string read() {
        char bytes[100];
        const ssize_t size = recv(far.get(), bytes, sizeof bytes, MSG_DONTWAIT);
        return size < 0 ? "nothing" : std::string(bytes, static_cast<size_t>(size));
    }
    UniqueFd near, far;
};

TEST(UdpQueue, WhatTheSocketDoesNotTakeWaitsInOrder) {
    Pair pair;
    UdpQueue queue;
    uint64_t refused = 0, sent = 0;
    constexpr int kCount = 1000;
    for (int i = 0; i < kCount; ++i)
        queue.add({}, payload(std::to_string(i)));
    const size_t all = queue.bytes();
    EXPECT_GT(all, sizeof(Address) * kCount);
    int next = 0;
    EXPECT_FALSE(queue.flush(pair.near.get(), refused, sent));
    EXPECT_LT(queue.bytes(), all);
    EXPECT_EQ(queue.count() + 0u < kCount, true);
    for (bool done = false; next < kCount;) {
        for (std::string got = pair.read(); got != "nothing"; got = pair.read())
            ASSERT_EQ(got, std::to_string(next++));
        if (!done) done = queue.flush(pair.near.get(), refused, sent);
    }
    EXPECT_EQ(queue.bytes(), 0u);
    EXPECT_EQ(queue.count(), 0u);
    EXPECT_EQ(refused, 0u);
    EXPECT_EQ(sent, 10u + 90 * 2 + 900 * 3);
}

TEST(UdpQueue, WhatTheKernelRefusesIsGivenUpAndTheRestIsSent) {
    Address bound, own;
    std::string error;
    UniqueFd to = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, bound, error);
    UniqueFd fd = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, own, error);
    ASSERT_TRUE(to && fd) << error;
    UdpQueue queue;
    uint64_t refused = 0, sent = 0;
    Address nowhere = bound;
    nowhere.port = 0;
    queue.add(nowhere, payload("to port 0"));
    queue.add(bound, payload("first"));
    queue.add(nowhere, payload("to port 0"));
    queue.add(bound, payload(""));
    EXPECT_TRUE(queue.flush(fd.get(), refused, sent));
    EXPECT_EQ(refused, 2u);
    EXPECT_EQ(sent, 5u);
    DatagramReceiver receiver(0);
    uint32_t lost = 0;
    const auto got = receiver.receive(to.get(), lost);
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(std::string_view(got[0].bytes, got[0].size), "first");
    EXPECT_EQ(got[0].from, own);
    EXPECT_EQ(got[1].size, 0u);
}

}  // namespace
}  // namespace sluice
