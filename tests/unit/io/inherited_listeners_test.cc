#include "io/inherited_listeners.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "io/listener.h"
#include "io/unix_listener.h"

namespace sluice {
namespace {

TEST(InheritedListeners, ASocketSaysWhatItIsBoundTo) {
    std::string error;
    Address bound;
    const UniqueFd tcp = open_listener(*Address::parse("127.0.0.1:0"), true, bound, error);
    ListenAddress found;
    bool is_udp = true;
    ASSERT_TRUE(describe_socket(tcp.get(), found, is_udp));
    EXPECT_EQ(found.ip, bound);
    EXPECT_FALSE(is_udp);

    const std::string path = testing::TempDir() + "/inherited-listener";
    UnixListener listener = UnixListener::open(path, 0600, error);
    ASSERT_TRUE(listener) << error;
    ListenAddress named;
    ASSERT_TRUE(describe_socket(listener.fd(), named, is_udp));
    EXPECT_EQ(named.path, path);
    listener.remove();
}

TEST(InheritedListeners, WhatDoesNotListenIsNone) {
    ListenAddress found;
    bool is_udp = false;
    EXPECT_FALSE(describe_socket(UniqueFd(socket(AF_INET, SOCK_STREAM, 0)).get(), found, is_udp));
    EXPECT_FALSE(describe_socket(UniqueFd(socket(AF_UNIX, SOCK_DGRAM, 0)).get(), found, is_udp));
    EXPECT_FALSE(describe_socket(-1, found, is_udp));
}

TEST(InheritedListeners, SocketsOfAnotherProcessAreLeftAlone) {
    setenv("LISTEN_PID", "1", 1);
    setenv("LISTEN_FDS", "1", 1);
    EXPECT_TRUE(take_activated_sockets().empty());
    EXPECT_STREQ(getenv("LISTEN_FDS"), "1") << "they are for a process that this one may start";
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
}

}  // namespace
}  // namespace sluice
