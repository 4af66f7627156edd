#include "server/reactor/workers.h"

#include "parts_driver.h"

namespace sluice {
namespace {

class WorkersTest : public test::PartsTest {};

TEST_F(WorkersTest, AConnectionStaysWithItsWorkerWhileThatHasMessagesOfIt) {
    transport_.add_worker();
    start();
    Connection& connection = connect();
    EXPECT_TRUE(parts_->workers.can_deliver(connection, 10));
    EXPECT_EQ(connection.worker, 0);
    Inbound message;
    parts_->workers.deliver(connection, connection.worker, message, {});
    EXPECT_EQ(connection.in_flight, 1u);
    transport_.ready[0] = false;
    EXPECT_FALSE(parts_->workers.can_deliver(connection, 10))
        << "the message would overtake the one that is in flight";
    connection.in_flight = 0;
    EXPECT_TRUE(parts_->workers.can_deliver(connection, 10));
    EXPECT_EQ(connection.worker, 1);
    EXPECT_EQ(transport_.bound, (std::vector<int>{0, 1}));
    parts_->workers.unbind(connection);
    EXPECT_EQ(transport_.bound, (std::vector<int>{0, 0}));
    EXPECT_EQ(parts_->workers.messages_delivered(), 1u);
}

TEST_F(WorkersTest, AMessageSaysWhereItComesFrom) {
    start();
    Connection& connection = connect();
    connection.trusted = true;
    ASSERT_TRUE(parts_->workers.can_deliver(connection, 10));
    Inbound message;
    parts_->workers.deliver(connection, 0, message, {});
    EXPECT_EQ(message.connection, connection.id);
    EXPECT_TRUE(message.trusted);
    EXPECT_FALSE(message.secure);
    EXPECT_EQ(transport_.delivered.at(0).connection, connection.id);
}

TEST_F(WorkersTest, ACancellationIsToldWhenThereIsRoom) {
    start();
    Connection& connection = connect();
    parts_->workers.cancel_request(connection, kNoWorker, 1, CancelReason::kOverdue);
    EXPECT_FALSE(parts_->workers.has_cancellations());
    parts_->workers.cancel_request(connection, 0, 7, CancelReason::kOverdue);
    transport_.accepting = false;
    parts_->workers.send_cancellations();
    EXPECT_TRUE(parts_->workers.has_cancellations());
    parts_->life.destroy(connection);
    transport_.accepting = true;
    parts_->workers.send_cancellations();
    EXPECT_FALSE(parts_->workers.has_cancellations());
    ASSERT_EQ(transport_.notified.size(), 1u);
    EXPECT_EQ(transport_.notified[0].request, 7u);
    EXPECT_EQ(transport_.notified[0].reason, CancelReason::kOverdue);
}

TEST_F(WorkersTest, OwedResponsesAndNamesAreKeptBySlot) {
    start();
    parts_->workers.await_response(2, +1);
    parts_->workers.await_response(2, +1);
    parts_->workers.await_response(2, -1);
    EXPECT_EQ(parts_->workers.responses_awaited(2), 1u);
    EXPECT_EQ(parts_->workers.responses_awaited(0), 0u);
    parts_->workers.name(2, "worker 5");
    EXPECT_STREQ(parts_->workers.name_of(2), "worker 5");
    EXPECT_STREQ(parts_->workers.name_of(0), "a worker");
}

/// A connection that has as many messages in flight as it may.
class HeldUpTest : public WorkersTest {
  protected:
    void SetUp() override {
        transport_.add_worker();
        start();
        connection_ = &connect();
        ASSERT_TRUE(workers().can_deliver(*connection_, 10));
        while (connection_->in_flight < workers().most_of_connection()) {
            ASSERT_TRUE(workers().can_deliver(*connection_, 10));
            Inbound message;
            workers().deliver(*connection_, connection_->worker, message, {});
        }
        ASSERT_FALSE(workers().can_deliver(*connection_, 10));
        parts_->admission.wait(*connection_);
    }
    Workers& workers() { return parts_->workers; }
    /// Whether sleeping is said to some worker.
    bool is_awaited() {
        transport_.awaited.clear();
        workers().await_progress();
        return !transport_.awaited.empty();
    }
    bool is_served() {
        bool served = false;
        parts_->serve_list.serve_scheduled([&](Connection& it) { served |= &it == connection_; });
        return served;
    }
    Connection* connection_ = nullptr;
};

TEST_F(HeldUpTest, StandsInNobodysWay) {
    EXPECT_TRUE(connection_->waiting);
    EXPECT_FALSE(parts_->admission.has_waiting()) << "others are not made to wait behind it";
    EXPECT_TRUE(is_awaited());
    EXPECT_EQ(transport_.awaited, (std::vector<int>{connection_->worker}));
    Connection& other = connect();
    EXPECT_TRUE(workers().can_deliver(other, 10));
}

TEST_F(HeldUpTest, GoesOnWhenAMessageHasEnded) {
    transport_.finish(connection_->id);
    transport_.poll(parts_->from_workers);
    EXPECT_FALSE(connection_->waiting);
    EXPECT_TRUE(is_served());
    EXPECT_FALSE(is_awaited());
    EXPECT_TRUE(workers().can_deliver(*connection_, 10));
}

TEST_F(HeldUpTest, GoesOnWhenItsWorkerHasDied) {
    parts_->from_workers.on_lost(connection_->worker, InboundKind::kMessage, connection_->id, 0);
    EXPECT_FALSE(connection_->waiting);
    EXPECT_TRUE(is_served());
    EXPECT_FALSE(is_awaited());
}

TEST_F(HeldUpTest, IsAskedAnewWhenItsMessagesMove) {
    transport_.ready[static_cast<size_t>(connection_->worker)] = false;
    parts_->from_workers.worker_for_moved(InboundKind::kMessage, connection_->id, 0);
    EXPECT_TRUE(is_served());
    EXPECT_FALSE(is_awaited());
    EXPECT_FALSE(workers().can_deliver(*connection_, 10)) << "all of them are in flight still";
    EXPECT_TRUE(is_awaited());
    EXPECT_EQ(transport_.awaited, (std::vector<int>{1}));
}

TEST_F(HeldUpTest, GoesOnWhenItsSessionCan) {
    parts_->host.resume(*connection_);
    EXPECT_TRUE(is_served()) << "one that is to be closed reads for the peer's close frame";
    EXPECT_FALSE(connection_->waiting);
}

TEST_F(HeldUpTest, MayEnd) {
    workers().unbind(*connection_);
    EXPECT_FALSE(is_awaited());
}

TEST_F(WorkersTest, MessagesCountForTheirClient) {
    start();
    Connection &known = connect(), &unknown = connect();
    known.address_key = 7;
    unknown.address_key = 0;
    for (Connection* it : {&known, &unknown}) {
        ASSERT_TRUE(parts_->workers.can_deliver(*it, 10));
        Inbound message;
        parts_->workers.deliver(*it, 0, message, {});
        EXPECT_EQ(message.client, it == &known ? 7 : unknown.id);
        EXPECT_EQ(transport_.asked_for.back(), message.client);
    }
}

}  // namespace
}  // namespace sluice
