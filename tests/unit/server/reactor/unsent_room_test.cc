#include "server/reactor/unsent_room.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>

#include "io/listener.h"
#include "parts_driver.h"

namespace sluice {
namespace {

class UnsentRoom : public test::PartsTest {
  protected:
    /// A connection of TCP whose client is `client_`, which has a small window.
    Connection& accept() {
        start();
        Address address;
        std::string error;
        UniqueFd listener = open_listener(*Address::parse("127.0.0.1:0"), false, address, error);
        EXPECT_TRUE(listener) << error;
        parts_->accepting.add(0, std::move(listener));
        client_.reset(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const int window = 4096;
        setsockopt(client_.get(), SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
        sockaddr_storage storage;
        const socklen_t size = address.to(storage);
        EXPECT_EQ(::connect(client_.get(), reinterpret_cast<sockaddr*>(&storage), size), 0);
        parts_->accepting.ready(0);
        Connection* accepted = nullptr;
        parts_->table.for_each([&](Connection& it) { accepted = &it; });
        return *accepted;
    }
    static uint32_t room(const Connection& connection) {
        uint32_t bytes = 0;
        socklen_t size = sizeof bytes;
        EXPECT_EQ(getsockopt(connection.fd.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, &size), 0);
        return bytes;
    }
    void flush(Connection& connection) {
        parts_->output.wants_flush(connection);
        parts_->output.flush();
    }
};

TEST_F(UnsentRoom, TheKernelTakesLittleForWhoReadsNothing) {
    Connection& connection = accept();
    constexpr size_t kBytes = 1u << 20;
    connection.out.append(std::string(kBytes, 'x'));
    flush(connection);
    EXPECT_FALSE(connection.writable);
    EXPECT_EQ(room(connection), unsent_room::kFirstBytes);
    // One packet more than the room, of 64 KiB at most, and what is on its way.
    EXPECT_GT(connection.out.bytes(), kBytes - 4 * unsent_room::kFirstBytes);
}

TEST_F(UnsentRoom, ItDoublesEachTimeTheClientHasReadUntilItIsEnough) {
    Connection& connection = accept();
    connection.out.append("x");
    for (unsigned times = 1; times <= unsent_room::kDoublings + 2; ++times) {
        connection.writable = false;
        parts_->output.takes_more(connection);
        EXPECT_EQ(room(connection),
                  unsent_room::kFirstBytes << std::min<unsigned>(times, unsent_room::kDoublings));
    }
}

TEST_F(UnsentRoom, ItDoesNotGrowWithoutHavingBeenUsedUp) {
    Connection& connection = accept();
    connection.out.append("x");
    parts_->output.takes_more(connection);
    connection.out.clear();
    connection.writable = false;
    parts_->output.takes_more(connection);
    EXPECT_EQ(room(connection), unsent_room::kFirstBytes);
}

TEST_F(UnsentRoom, AllArrivesAtWhoReads) {
    Connection& connection = accept();
    constexpr size_t kBytes = 3u << 20;
    connection.out.append(std::string(kBytes, 'x'));
    flush(connection);
    size_t got = 0;
    for (int i = 0; i < 100'000 && got < kBytes; ++i) {
        got += heard().size();
        parts_->output.takes_more(connection);
        parts_->output.flush();
    }
    EXPECT_EQ(got, kBytes);
    EXPECT_TRUE(connection.out.empty());
}

}  // namespace
}  // namespace sluice
