#include "server/reactor/connection_table.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class ConnectionTableTest : public test::PartsTest {
  protected:
    Connection& add() {
        return parts_->table.add({}, 0, *Address::parse("192.0.2.1:1"), SlowClient::kWait, 5);
    }
};

TEST_F(ConnectionTableTest, AnIdIsFoundWhileItsConnectionIsThere) {
    start();
    Connection& connection = add();
    const ConnectionId id = connection.id;
    EXPECT_EQ(parts_->table.find(id), &connection);
    EXPECT_EQ(parts_->table.find(id + 64), nullptr) << "the id is that of a later connection in this place";
    EXPECT_EQ(parts_->table.find(kNoConnection), nullptr);
    EXPECT_EQ(layout_.connection(id).id.load(), id);
    parts_->table.remove(connection);
    EXPECT_EQ(parts_->table.find(id), nullptr);
    EXPECT_EQ(layout_.connection(id).id.load(), kNoConnection);
    EXPECT_TRUE(parts_->table.is_empty());
}

TEST_F(ConnectionTableTest, IdsGrowAndTakenPlacesArePassedOver) {
    start();
    Connection& stays = add();
    ConnectionId last = stays.id;
    for (int i = 0; i < 200; ++i) {
        Connection& next = add();
        EXPECT_GT(next.id, last);
        EXPECT_NE(next.id % 64, stays.id % 64);
        last = next.id;
        parts_->table.remove(next);
    }
    EXPECT_EQ(parts_->table.clients(), 1u);
}

TEST_F(ConnectionTableTest, StreamsAreNoClientsAndHaveALimit) {
    start();
    Connection& parent = add();
    parent.trusted = true;
    Connection* stream = parts_->table.add_stream(parent, 2, 5, SlowClient::kWait);
    ASSERT_TRUE(stream);
    EXPECT_TRUE(stream->trusted);
    EXPECT_TRUE(parts_->table.add_stream(parent, 2, 5, SlowClient::kWait));
    EXPECT_FALSE(parts_->table.add_stream(parent, 2, 5, SlowClient::kWait));
    EXPECT_EQ(parts_->table.clients(), 1u);
    EXPECT_EQ(parts_->table.streams(), 2u);
    parts_->table.remove(*stream);
    EXPECT_EQ(parts_->table.streams(), 1u);
    size_t seen = 0;
    parts_->table.for_each([&](Connection&) { ++seen; });
    EXPECT_EQ(seen, 2u);
}

TEST_F(ConnectionTableTest, OnePlaceStaysFree) {
    start();
    Connection& parent = add();
    while (parts_->table.add_stream(parent, 1000, 5, SlowClient::kWait)) {
    }
    EXPECT_EQ(parts_->table.clients() + parts_->table.streams(), 63u);
}

}  // namespace
}  // namespace sluice
