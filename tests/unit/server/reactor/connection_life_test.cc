#include "server/reactor/connection_life.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class ConnectionLifeTest : public test::PartsTest {
  protected:
    bool is_there(ConnectionId id) const { return parts_->table.find(id) != nullptr; }
};

TEST_F(ConnectionLifeTest, WhatIsFinishedIsSentThenLingersThenGoes) {
    start();
    Connection& connection = connect();
    const ConnectionId id = connection.id;
    connection.out.append("last words");
    parts_->life.finish(connection);
    EXPECT_EQ(connection.phase, Phase::kFinishing);
    EXPECT_EQ(layout_.connection(id).id.load(), kNoConnection) << "workers see the connection as closed";
    parts_->output.flush();
    EXPECT_EQ(heard(), "last words");
    EXPECT_EQ(connection.phase, Phase::kLingering);
    client_.reset();
    connection.readable = true;
    serve();
    EXPECT_FALSE(is_there(id) && connection.phase != Phase::kGone);
    serve();
    EXPECT_FALSE(is_there(id));
}

TEST_F(ConnectionLifeTest, WhoSendsNoMoreNeedNotLinger) {
    start();
    for (const bool has_come : {false, true}) {
        Connection& connection = connect();
        connection.sends_no_more = true;
        connection.readable = has_come;
        connection.out.append("last words");
        parts_->life.finish(connection);
        parts_->output.flush();
        EXPECT_EQ(heard(), "last words");
        EXPECT_EQ(connection.phase, has_come ? Phase::kLingering : Phase::kGone);
    }
}

TEST_F(ConnectionLifeTest, LingeringHasAnEnd) {
    start();
    Connection& connection = connect();
    parts_->life.finish(connection);
    parts_->output.flush();
    ASSERT_EQ(connection.phase, Phase::kLingering);
    parts_->commons.now_ms = connection.deadline_ms;
    parts_->life.expired(connection);
    EXPECT_EQ(connection.phase, Phase::kGone);
}

TEST_F(ConnectionLifeTest, AWorkerIsToldOfTheEndBeforeItIsForgotten) {
    start();
    Connection& connection = connect();
    const ConnectionId id = connection.id;
    ASSERT_TRUE(parts_->workers.can_deliver(connection, 0));
    connection.close_pending = true;
    connection.set_close(1000, "bye");
    parts_->life.abort(connection);
    parts_->life.abort(connection);
    transport_.accepting = false;
    serve();
    ASSERT_TRUE(is_there(id));
    EXPECT_TRUE(connection.waiting);
    transport_.accepting = true;
    parts_->life.settle(connection);
    ASSERT_EQ(transport_.delivered.size(), 1u);
    EXPECT_EQ(transport_.delivered[0].kind, InboundKind::kClose);
    EXPECT_EQ(transport_.delivered[0].close_code, 1000);
    EXPECT_EQ(transport_.delivered[0].payload, "bye");
    ASSERT_TRUE(is_there(id)) << "the handler of the message has not ended";
    parts_->from_workers.on_finished(id);
    serve();
    EXPECT_FALSE(is_there(id));
    EXPECT_EQ(transport_.bound[0], 0);
}

TEST_F(ConnectionLifeTest, WhatIsAttachedStaysUntilItsCloseHasBeenHandled) {
    start();
    Connection& connection = connect();
    const ConnectionId id = connection.id;
    ASSERT_TRUE(parts_->workers.can_deliver(connection, 0));
    ASSERT_TRUE(parts_->commons.attachments.attach(id, connection.client_key(), "eve"));
    connection.close_pending = true;
    parts_->life.abort(connection);
    serve();
    ASSERT_EQ(transport_.delivered.size(), 1u);
    EXPECT_EQ(find_attached(layout_, id).bytes(), 3u);
    parts_->from_workers.on_finished(id);
    serve();
    EXPECT_FALSE(is_there(id));
    EXPECT_EQ(find_attached(layout_, id).bytes(), 0u);
}

TEST_F(ConnectionLifeTest, ARequestNeedNotBeWaitedFor) {
    script_.conversation = false;
    start();
    Connection& connection = connect();
    const ConnectionId id = connection.id;
    connection.in_flight = 1;
    parts_->life.abort(connection);
    EXPECT_EQ(script_.calls, "left ");
    serve();
    EXPECT_FALSE(is_there(id));
}

TEST_F(ConnectionLifeTest, ADrainingServerAnswersMessagesFirst) {
    start();
    Connection& connection = connect();
    connection.in_flight = 1;
    parts_->life.stop(connection);
    EXPECT_TRUE(connection.stopping);
    EXPECT_EQ(script_.calls, "");
    parts_->from_workers.on_finished(connection.id);
    EXPECT_FALSE(connection.stopping);
    EXPECT_EQ(script_.calls, "stop ");
}

TEST_F(ConnectionLifeTest, EachDeadlineHasItsConsequence) {
    start();
    Connection& connection = connect();
    connection.deadline_ms = now();
    parts_->life.expired(connection);
    EXPECT_EQ(script_.calls, "deadline ");
    EXPECT_EQ(connection.deadline_ms, 0u);
    script_.calls.clear();
    script_.idle_ms = 1000;
    parts_->commons.now_ms += 1000;
    connection.in_flight = 1;
    parts_->life.expired(connection);
    EXPECT_EQ(script_.calls, "") << "the client waits for the server, so its time does not count";
    connection.in_flight = 0;
    parts_->commons.now_ms += 1000;
    parts_->life.expired(connection);
    EXPECT_EQ(script_.calls, "close(1008) ");
    connection.write_deadline_ms = now();
    parts_->life.expired(connection);
    EXPECT_EQ(connection.phase, Phase::kGone);
}

TEST_F(ConnectionLifeTest, WhoDoesNotGetThroughTheDoorIsClosed) {
    start();
    Connection& connection = connect();
    connection.awaits_proxy = true;
    connection.deadline_ms = now();
    parts_->life.expired(connection);
    EXPECT_EQ(connection.phase, Phase::kGone);
}

}  // namespace
}  // namespace sluice
