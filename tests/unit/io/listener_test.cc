#include "io/listener.h"

#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

UniqueFd connect_to(const Address& address) {
    UniqueFd fd(socket(address.family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_storage storage;
    const socklen_t size = address.to(storage);
    if (connect(fd.get(), reinterpret_cast<sockaddr*>(&storage), size) != 0) fd.reset();
    return fd;
}

TEST(Listener, AFreePortIsFoundAndTold) {
    for (const char* text : {"127.0.0.1:0", "[::1]:0"}) {
        Address bound;
        std::string error;
        UniqueFd fd = open_listener(*Address::parse(text), false, bound, error);
        if (!fd && text[0] == '[') GTEST_SKIP() << "no IPv6 here: " << error;
        ASSERT_TRUE(fd) << error;
        EXPECT_NE(bound.port, 0);
        EXPECT_EQ(error, "");
        EXPECT_NE(fcntl(fd.get(), F_GETFL) & O_NONBLOCK, 0);
        EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
        EXPECT_TRUE(connect_to(bound));
        EXPECT_TRUE(UniqueFd(accept(fd.get(), nullptr, nullptr)));
    }
}

TEST(Listener, ATakenPortIsASentence) {
    Address bound, other;
    std::string error;
    UniqueFd first = open_listener(*Address::parse("127.0.0.1:0"), false, bound, error);
    ASSERT_TRUE(first);
    for (bool share : {false, true}) {
        EXPECT_FALSE(open_listener(bound, share, other, error));
        EXPECT_EQ(error, "Cannot listen on " + bound.to_string() + ": Address already in use");
    }
}

TEST(Listener, SharedOnesListenSideBySide) {
    Address bound, same;
    std::string error;
    UniqueFd first = open_listener(*Address::parse("127.0.0.1:0"), true, bound, error);
    UniqueFd second = open_listener(bound, true, same, error);
    ASSERT_TRUE(second) << error;
    EXPECT_EQ(same.to_string(), bound.to_string());
}

TEST(Listener, AClaimRefusesClientsAndFindsWhoListens) {
    Address bound;
    std::string error;
    UniqueFd listening = open_listener(*Address::parse("127.0.0.1:0"), true, bound, error);
    ASSERT_TRUE(listening) << error;
    EXPECT_FALSE(claim_address(bound, error));
    EXPECT_EQ(error, "Cannot listen on " + bound.to_string() + ": Address already in use");
    listening.reset();
    const UniqueFd claim = claim_address(bound, error);
    ASSERT_TRUE(claim);
    EXPECT_FALSE(connect_to(bound));
    EXPECT_EQ(errno, ECONNREFUSED);
}

TEST(Listener, AnAddressThatIsNotOurs) {
    Address bound;
    std::string error;
    EXPECT_FALSE(open_listener(*Address::parse("192.0.2.1:0"), false, bound, error));
    EXPECT_EQ(error, "Cannot listen on 192.0.2.1:0: Cannot assign requested address");
}

}  // namespace
}  // namespace sluice
