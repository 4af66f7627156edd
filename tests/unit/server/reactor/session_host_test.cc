#include "server/reactor/session_host.h"

#include "fake_session_host.h"

namespace sluice {
namespace {

TEST(SessionHostTest, ADeadlineIsATimeFromNow) {
    test::FakeSessionHost host({EndpointKind::kTcp, "here", "", {}, Dispatch::kSticky});
    host.set_deadline(host.connection, 50);
    EXPECT_EQ(host.connection.deadline_ms, host.now_ms() + 50);
    host.set_deadline(host.connection, 0);
    EXPECT_EQ(host.connection.deadline_ms, 0u);
}

TEST(SessionHostTest, NoMoreIsSpentThanThereIs) {
    test::FakeSessionHost host({EndpointKind::kTcp, "here", "", {}, Dispatch::kSticky});
    host.commons.body_file_bytes = 100;
    host.spend_body_budget(30);
    EXPECT_EQ(host.body_budget(), 70u);
    host.spend_body_budget(1000);
    EXPECT_EQ(host.body_budget(), 0u);
}

TEST(SessionHostTest, WhoIsNamedHasAnAddressOfHisOwn) {
    test::FakeSessionHost host({EndpointKind::kTcp, "here", "", {}, Dispatch::kSticky});
    const uint64_t proxy = host.connection.address_key;
    host.name_client(host.connection, *Address::parse("198.51.100.1:5"));
    EXPECT_NE(host.connection.address_key, proxy);
    EXPECT_EQ(host.cells().peer(host.connection.id), *Address::parse("198.51.100.1:5"));
}

TEST(SessionHostTest, RequestsCountForThoseWhomAProxyNames) {
    test::FakeSessionHost host({EndpointKind::kTcp, "here", "", {}, Dispatch::kSticky});
    const Address peer = host.cells().peer(host.connection.id);
    host.count_for(host.connection, *Address::parse("198.51.100.1:5"));
    const uint64_t one = host.connection.client_key();
    host.count_for(host.connection, *Address::parse("198.51.100.2:5"));
    EXPECT_NE(host.connection.client_key(), one);
    host.count_for(host.connection, *Address::parse("198.51.100.1:6"));
    EXPECT_EQ(host.connection.client_key(), one);
    host.count_for(host.connection, {});
    EXPECT_EQ(host.connection.client_key(), host.connection.id) << "who is named by nobody is alone";
    EXPECT_EQ(host.cells().peer(host.connection.id), peer) << "the connection stays the proxy's";
}

}  // namespace
}  // namespace sluice
