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

}  // namespace
}  // namespace sluice
