#include "server/sessions/new_sessions.h"

#include <gtest/gtest.h>
#include <string>

#include "fake_session_host.h"

namespace sluice {
namespace {

using test::FakeSessionHost;

Progress take(FakeSessionHost& host, std::string text) {
    std::span<char> input(text);
    return host.connection.session->consume(host, host.connection, input);
}

TEST(NewSessionsTest, AConnectionBeginsAsItsListenerSays) {
    FakeSessionHost lines({EndpointKind::kTcp, "here", "", tcp::Framing::line("\n"), Dispatch::kSticky});
    NewSessions::shared().begin(lines, lines.connection);
    EXPECT_TRUE(lines.connection.session->is_conversation());
    EXPECT_EQ(take(lines, "hello\n"), Progress::kMore);
    ASSERT_EQ(lines.transport.delivered.size(), 2u);
    EXPECT_EQ(lines.transport.delivered[1].payload, "hello");

    FakeSessionHost site({EndpointKind::kHttp, "here", "", {}, Dispatch::kLeastBusy});
    NewSessions::shared().begin(site, site.connection);
    EXPECT_FALSE(site.connection.session->is_conversation());
    EXPECT_EQ(take(site, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Progress::kBlocked);
    ASSERT_EQ(site.transport.delivered.size(), 1u);
    EXPECT_EQ(site.transport.delivered[0].kind, InboundKind::kRequest);
    EXPECT_EQ(site.awaited, 1);
}

TEST(NewSessionsTest, ThePrefaceOfHttp2SwitchesTheSession) {
    EndpointSpec site{EndpointKind::kHttp, "here", "", {}, Dispatch::kLeastBusy};
    site.http2 = true;
    FakeSessionHost host(site);
    NewSessions::shared().begin(host, host.connection);
    EXPECT_EQ(take(host, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Progress::kSwitched);
    EXPECT_TRUE(host.connection.dirty) << "the server's settings come first";
}

TEST(NewSessionsTest, AStreamBeginsWithItsRequest) {
    FakeSessionHost host({EndpointKind::kHttp, "here", "", {}, Dispatch::kLeastBusy});
    const std::string text = "GET/x";
    http::RequestHead head{};
    head.method = http::Method::kGet;
    NewSessions::shared().begin_stream(host, host.connection, head, {}, text);
    EXPECT_EQ(take(host, ""), Progress::kBlocked);
    ASSERT_EQ(host.transport.delivered.size(), 1u);
    EXPECT_EQ(host.transport.delivered[0].head, text);
}

}  // namespace
}  // namespace sluice
