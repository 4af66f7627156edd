#include "server/reactor/proxy_headers.h"

#include "parts_driver.h"

namespace sluice {
namespace {

using Outcome = ProxyHeaders::Outcome;

class ProxyHeadersTest : public test::PartsTest {
  protected:
    Connection& connect_from(bool proxy) {
        Connection& connection = connect();
        connection.trusted = proxy;
        connection.awaits_proxy = true;
        return connection;
    }
    Outcome read(Connection& connection) {
        char scratch[65536];
        return parts_->proxies.read(connection, scratch);
    }
};

TEST_F(ProxyHeadersTest, AProxyNamesItsClient) {
    start();
    Connection& connection = connect_from(true);
    EXPECT_EQ(read(connection), Outcome::kNothing);
    connection.readable = true;
    say("PROXY TCP4 198.51.100.7 192.0");
    EXPECT_EQ(read(connection), Outcome::kAwaiting);
    EXPECT_FALSE(connection.readable);
    EXPECT_EQ(connection.deadline_ms, now() + limits_.handshake_ms);
    say(".2.2 2000 80\r\nGET");
    EXPECT_EQ(read(connection), Outcome::kDone);
    EXPECT_EQ(parts_->commons.cells.peer(connection.id).to_string(), "198.51.100.7:2000");
    EXPECT_FALSE(connection.awaits_proxy);
    EXPECT_FALSE(connection.trusted) << "the client is no proxy";
    EXPECT_EQ(script_.calls, "connected ");
    connection.readable = true;
    parts_->serve_list.schedule(connection);
    serve();
    EXPECT_EQ(script_.input, "GET");
}

TEST_F(ProxyHeadersTest, OnlyAProxyMaySay) {
    start();
    Connection& stranger = connect_from(false);
    say("PROXY TCP4 198.51.100.7 192.0.2.2 2000 80\r\n");
    EXPECT_EQ(read(stranger), Outcome::kRefused);
    Connection& direct = connect_from(false);
    say("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(read(direct), Outcome::kDone);
    EXPECT_EQ(script_.calls, "") << "a connection without a proxy is told at its beginning";
    Connection& silent = connect_from(true);
    say("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(read(silent), Outcome::kRefused) << "a proxy has to send its header";
    Connection& wrong = connect_from(true);
    say("PROXY nonsense\r\n");
    EXPECT_EQ(read(wrong), Outcome::kRefused);
}

TEST_F(ProxyHeadersTest, TheNamedClientHasItsLimit) {
    limits_.connections_per_address = 1;
    start();
    for (const Outcome expected : {Outcome::kDone, Outcome::kRefused}) {
        Connection& connection = connect_from(true);
        say("PROXY TCP4 198.51.100.7 192.0.2.2 2000 80\r\n");
        EXPECT_EQ(read(connection), expected);
    }
}

TEST_F(ProxyHeadersTest, WhoGoesBeforeItsHeaderIsClosed) {
    start();
    Connection& connection = connect_from(true);
    client_.reset();
    EXPECT_EQ(read(connection), Outcome::kRefused);
}

}  // namespace
}  // namespace sluice
