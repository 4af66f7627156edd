#include "server/reactor/connection_cells.h"

#include <gtest/gtest.h>

#include "protocol/websocket/websocket_handshake.h"
#include "server/seam/payload.h"

namespace sluice {
namespace {

class ConnectionCellsTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(layout_); }
    ConnectionCell& cell(ConnectionId id) { return layout_.connection(id); }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 1,
                                                 .worker_slots = 2,
                                                 .cells = 64,
                                                 .ring_bytes = 4096,
                                                 .arena_bytes = 4096,
                                                 .out_bytes = 4096});
    ConnectionCells cells_{layout_};
    const ConnectionId id_ = make_connection_id(0, 100), other_ = make_connection_id(0, 101);
    const Address peer_ = *Address::parse("192.0.2.1:1000"), client_ = *Address::parse("198.51.100.7:2000");
};

TEST_F(ConnectionCellsTest, WhatBeginsIsOpenAndKnowsNothingOfItsPlacesLastOwner) {
    cells_.begin(id_, client_, SlowClient::kClose);
    cells_.note_protocol(id_, "chat");
    cells_.note_round_trip(id_, 5);
    cells_.note_subscriptions(id_, 3);
    cells_.note_queued(id_, 9, false);
    cells_.note_handled(id_, 11, 9, false);
    cells_.name_client(id_, peer_);
    const ConnectionId next = make_connection_id(0, 164);  // a later connection in the place of `id_`
    cells_.begin(next, peer_, SlowClient::kWait);
    EXPECT_EQ(cell(next).id.load(), next);
    EXPECT_EQ(cells_.peer(next).to_string(), peer_.to_string());
    EXPECT_EQ(cell(next).protocol.load(), 0u);
    EXPECT_EQ(cell(next).round_trip_us.load(), 0u);
    EXPECT_EQ(cell(next).subscriptions.load(), 0u);
    EXPECT_EQ(cell(next).queued_bytes.load(), 0u);
    EXPECT_EQ(cell(next).handled_bytes.load(), 0u);
    EXPECT_EQ(cell(next).slow_client.load(), SlowClient::kWait);
    EXPECT_FALSE(cell(next).proxied.load());
}

TEST_F(ConnectionCellsTest, APathIsKeptBeyondTheEndUntilThePlaceGoesToAnother) {
    cells_.begin(id_, peer_, SlowClient::kWait);
    cells_.note_path(id_, 7, "/rooms/a");
    cells_.hide(id_);
    EXPECT_EQ(layout_.path(id_).id.load(), id_);
    EXPECT_EQ(layout_.path(id_).endpoint, 7);
    EXPECT_EQ(std::string_view(layout_.path(id_).path, layout_.path(id_).bytes), "/rooms/a");
    const ConnectionId next = make_connection_id(0, 164);  // a later connection in the place of `id_`
    cells_.begin(next, peer_, SlowClient::kWait);
    cells_.note_path(next, 8, "/r");
    EXPECT_EQ(layout_.path(next).id.load(), next);
    EXPECT_EQ(std::string_view(layout_.path(next).path, layout_.path(next).bytes), "/r");
    EXPECT_EQ(layout_.path(other_).id.load(), kNoConnection);
}

TEST_F(ConnectionCellsTest, OnlyItsOwnerHidesAPlace) {
    cells_.begin(id_, peer_, SlowClient::kWait);
    cells_.hide(make_connection_id(0, 164));
    EXPECT_EQ(cell(id_).id.load(), id_);
    cells_.hide(id_);
    EXPECT_EQ(cell(id_).id.load(), kNoConnection);
}

TEST_F(ConnectionCellsTest, ANamedClientStandsBesideTheProxy) {
    cells_.begin(id_, peer_, SlowClient::kWait);
    cells_.name_client(id_, client_);
    EXPECT_EQ(cells_.peer(id_).to_string(), client_.to_string());
    EXPECT_EQ(layout_.proxy(id_).to_string(), peer_.to_string());
    EXPECT_TRUE(cell(id_).proxied.load());
    EXPECT_EQ(cell(id_).id.load(), id_);
    cells_.name_client(id_, *Address::parse("203.0.113.1:1"));
    EXPECT_EQ(layout_.proxy(id_).to_string(), peer_.to_string())
        << "without a proxy the peer's address is the client's";
}

TEST_F(ConnectionCellsTest, AStreamComesFromWhereItsConnectionDoes) {
    cells_.begin(id_, peer_, SlowClient::kWait);
    cells_.begin(other_, cells_.peer(id_), SlowClient::kWait);
    cells_.take_peer_of(other_, id_);
    EXPECT_FALSE(cell(other_).proxied.load());
    cells_.name_client(id_, client_);
    cells_.begin(other_, cells_.peer(id_), SlowClient::kWait);
    cells_.take_peer_of(other_, id_);
    EXPECT_TRUE(cell(other_).proxied.load());
    EXPECT_EQ(cells_.peer(other_).to_string(), client_.to_string());
    EXPECT_EQ(layout_.proxy(other_).to_string(), peer_.to_string());
}

TEST_F(ConnectionCellsTest, AllThatWaitsIsToldWithEachMessage) {
    cells_.begin(id_, peer_, SlowClient::kWait);
    const Ref<HeapPayload> waits = HeapPayload::create(1000);
    cells_.note_handled(id_, 10, 5, false);
    EXPECT_GE(layout_.reactor(0).out_bytes.load(), 1000u);
}

TEST_F(ConnectionCellsTest, NotesAreReadByWorkers) {
    cells_.begin(id_, peer_, SlowClient::kWait);
    cells_.note_protocol(id_, "chat");
    cells_.note_route(id_, 9, SlowClient::kDropOldest);
    cells_.note_round_trip(id_, 1500);
    cells_.note_subscriptions(id_, 70'000);
    cells_.note_handled(id_, 10, 5, false);
    cells_.note_handled(id_, 20, 25, false);
    EXPECT_EQ(cell(id_).protocol.load(), websocket::protocol_number("chat"));
    EXPECT_EQ(cell(id_).slow_client.load(), SlowClient::kDropOldest);
    EXPECT_EQ(cell(id_).round_trip_us.load(), 1500u);
    EXPECT_EQ(cell(id_).subscriptions.load(), UINT16_MAX);
    EXPECT_EQ(cell(id_).handled_bytes.load(), 30u);
    EXPECT_EQ(cell(id_).queued_bytes.load(), 25u);
}

}  // namespace
}  // namespace sluice
