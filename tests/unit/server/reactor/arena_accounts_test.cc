#include "server/reactor/arena_accounts.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class ArenaAccountsTest : public test::PartsTest {
  protected:
    void SetUp() override {
        PartsTest::SetUp();
        start();
    }
    Connection& client_of(const char* address) {
        Connection& connection = parts_->table.add({}, 0, *Address::parse(address), SlowClient::kWait, now());
        sessions_.begin(parts_->host, connection);
        return connection;
    }
    ArenaAccounts& accounts() { return parts_->commons.arena_accounts; }
};

TEST_F(ArenaAccountsTest, ClientsOfOneAddressShareItsAccount) {
    Connection& first = client_of("192.0.2.1:1000");
    EXPECT_FALSE(first.account);
    const auto account = accounts().of(first);
    EXPECT_EQ(accounts().of(first).get(), account.get());
    const auto second = accounts().of(client_of("192.0.2.1:2000"));
    const auto other = accounts().of(client_of("192.0.2.2:1000"));
    EXPECT_NE(account.get(), second.get());
    EXPECT_EQ(account->address.get(), second->address.get());
    EXPECT_NE(account->address.get(), other->address.get());
}

TEST_F(ArenaAccountsTest, AProxyThatSpeaksForManyHasNone) {
    Connection& proxy = client_of("192.0.2.1:1000");
    proxy.trusted = true;
    proxy.address_key = 0;
    EXPECT_FALSE(accounts().of(proxy)->address);
    Connection& named = client_of("192.0.2.1:1001");
    named.trusted = true;
    parts_->host.name_client(named, *Address::parse("198.51.100.1:5"));
    EXPECT_TRUE(accounts().of(named)->address);
    EXPECT_EQ(accounts().of(client_of("198.51.100.1:9"))->address.get(), named.account->address.get());
}

TEST_F(ArenaAccountsTest, AddressesThatNobodyUsesAreForgotten) {
    for (int i = 0; i < 1000; ++i) {
        const std::string address = "10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250) + ":1";
        Connection& connection = client_of(address.c_str());
        accounts().of(connection);
        parts_->table.remove(connection);
    }
    EXPECT_LT(accounts().addresses(), 100u);
}

TEST_F(ArenaAccountsTest, AStreamIsItsClient) {
    Connection& client = client_of("192.0.2.1:1000");
    Connection* stream = parts_->host.open_stream(client);
    ASSERT_NE(stream, nullptr);
    EXPECT_EQ(stream->account.get(), client.account.get());
    EXPECT_TRUE(client.account);
    sessions_.begin(parts_->host, *stream);
}

}  // namespace
}  // namespace sluice
